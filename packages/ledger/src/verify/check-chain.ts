import { sql } from 'kysely'
import type { Db, Vault } from '@tidegate/storage'
import { isAuthentic, listDigests, type Digest } from '../seals/digests.ts'
import { UPGRADE_MS } from '../seals/seal-ledger.ts'
import { CHAIN_START, isSealAuthentic, type Seal } from '../seals/seal-hash.ts'
import {
  FIRST_SEAL,
  SEAL_SOURCES,
  type SealContent,
  sealedContents,
  type SealSource,
  streamRows,
} from '../seals/sealed-rows.ts'
import { ProblemList, type Findings } from './problems.ts'

/** Settlement batches are removed a week after their seal. */
const BATCHES_KEPT_MS = 6 * 86_400_000

interface ChainOptions {
  vault: Pick<Vault, 'matches'>
  now: Date
  /** Digests stored outside the database. */
  digests?: readonly Digest[]
}

/** Recomputes every seal from its rows, and compares the chain with the digests. */
export async function checkChain(transaction: Db, options: ChainOptions): Promise<Findings> {
  const problems = new ProblemList('chain')
  const notes: string[] = []
  const length = await checkLinks(transaction, options.vault, problems)
  for (const source of SEAL_SOURCES) await checkContents(transaction, source, { ...options, length }, problems)
  await checkDigests(transaction, options, problems)
  if (length === 0) notes.push('No ledger row is sealed yet: the worker seals them once a minute.')
  else await checkTotals(transaction, problems, notes)
  return { problems: problems.lines, notes }
}

/** Returns the number of seals. */
async function checkLinks(transaction: Db, vault: Pick<Vault, 'matches'>, problems: ProblemList): Promise<number> {
  let previous: Seal | undefined
  for await (const seals of streamRows(transaction, sql<Seal>`select * from ledger_seal order by id`)) {
    for (const seal of seals) {
      const expected = (previous?.id ?? 0) + 1
      if (seal.id !== expected) problems.add(`seals ${expected} to ${seal.id - 1} are missing`)
      else if (seal.previous_hash !== (previous?.hash ?? CHAIN_START)) {
        problems.add(`seal ${seal.id} does not continue seal ${seal.id - 1}`)
      }
      if (!isSealAuthentic(vault, seal)) {
        problems.add(`seal ${seal.id} was changed, or was written with another secret key`)
      }
      previous = seal
    }
  }
  return previous?.id ?? 0
}

/** Reads seals and rows in parallel, both in the order of the seals. */
async function checkContents(
  transaction: Db,
  source: SealSource,
  { now, length }: ChainOptions & { length: number },
  problems: ProblemList,
): Promise<void> {
  if (length === 0 && (await hasNoLaterRows(transaction, source))) return
  const contents = sealedContents(transaction, source)
  let next = await contents.next()
  const query = sql<Seal>`select * from ledger_seal where source = ${sql.lit(source)} order by id`
  for await (const seals of streamRows(transaction, query)) {
    for (const seal of seals) {
      for (; !next.done && next.value.seal < seal.id; next = await contents.next()) {
        problems.add(`rows of ${source} name seal ${next.value.seal}, which is not theirs or does not exist`)
      }
      const isTheirs = !next.done && next.value.seal === seal.id
      const difference = compareContent(seal, isTheirs ? next.value!.content : undefined, now)
      if (difference) problems.add(`seal ${seal.id} of ${source}: ${difference}`)
      if (isTheirs) next = await contents.next()
    }
  }
  for (; !next.done; next = await contents.next()) {
    problems.add(`rows of ${source} name seal ${next.value.seal}, which is not theirs or does not exist`)
  }
}

/** Before the worker runs for the first time, the rows of the first seals have no seal to compare with. */
async function hasNoLaterRows(transaction: Db, source: SealSource): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from ${sql.table(source)} where seal > 2) as found`.execute(transaction)
  return !rows[0]!.found
}

function compareContent(seal: Seal, content: SealContent | undefined, now: Date): string | undefined {
  const found = content?.rowCount ?? 0
  // A worker of the previous version removes the batches of the first seal regardless of it.
  const isOld = seal.id === FIRST_SEAL.settlement_batch || now.getTime() - seal.sealed_at.getTime() > BATCHES_KEPT_MS
  const mayBeRemoved = seal.source === 'settlement_batch' && isOld
  if (found < seal.row_count && mayBeRemoved) return undefined
  if (found !== seal.row_count) return `has ${found} rows, was sealed with ${seal.row_count}`
  if (content && content.hash !== seal.content_hash) return `a row was changed since it was sealed`
  return undefined
}

async function checkDigests(transaction: Db, options: ChainOptions, problems: ProblemList): Promise<void> {
  const stored = (await listDigests(transaction)).map((digest) => ({ digest, name: `digest of ${digest.day}` }))
  const external = (options.digests ?? []).map((digest) => ({ digest, name: `kept digest of ${digest.day}` }))
  for (const { digest, name } of [...stored, ...external]) {
    if (!isAuthentic(options.vault, digest)) {
      problems.add(`${name} was changed, or was signed with another secret key`)
      continue
    }
    const seal = await transaction
      .selectFrom('ledger_seal')
      .select('hash')
      .where('id', '=', digest.seal)
      .executeTakeFirst()
    if (!seal) problems.add(`${name} names seal ${digest.seal}, which does not exist`)
    else if (seal.hash !== digest.hash)
      problems.add(`${name} does not match seal ${digest.seal}: the chain was rewritten`)
  }
}

/** All usage in the roll-ups was settled by batches, sealed or not. */
async function checkTotals(transaction: Db, problems: ProblemList, notes: string[]): Promise<void> {
  const { rows } = await sql<{ quota: string; sealed: string; requests: string; settled: string; unknown: string[] }>`
    select u.quota::text quota, (s.amount + b.quota)::text sealed, u.requests::text requests,
      (s.requests + b.receipts)::text settled, b.unknown
    from (select coalesce(sum(quota), 0) quota, coalesce(sum(requests), 0) requests from usage_rollup) u,
      (select coalesce(sum(amount), 0) amount, coalesce(sum(requests), 0) requests, min(sealed_at) at
        from ledger_seal where source = 'settlement_batch') s,
      lateral (
        select coalesce(sum(quota), 0) quota, coalesce(sum(receipts), 0) receipts,
          coalesce(array_agg(holder || ' ' || batch) filter (where quota is null
            and applied_at < s.at + make_interval(secs => ${UPGRADE_MS / 1000})), '{}') as unknown
        from settlement_batch where seal is null
      ) b`.execute(transaction)
  const totals = rows[0]!
  if (totals.unknown.length > 0) {
    notes.push(`Total usage was not compared: ${totals.unknown.length} batches of an older version are not sealed yet.`)
    return
  }
  if (totals.quota !== totals.sealed) {
    problems.add(`roll-ups hold usage of ${totals.quota}, settlement batches ${totals.sealed}`)
  }
  if (totals.requests !== totals.settled) {
    problems.add(`roll-ups hold ${totals.requests} requests, settlement batches ${totals.settled}`)
  }
}
