import { sql } from 'kysely'
import type { Db, Vault } from '@tidegate/storage'
import { CHAIN_START, sealHash, type Seal } from './seal-hash.ts'
import {
  ContentHash,
  FIRST_SEAL,
  SEAL_ORDER,
  SEAL_SOURCES,
  SEALED_COLUMNS,
  sealedContents,
  type SealContent,
  type SealedRow,
  type SealSource,
} from './sealed-rows.ts'

export interface SealOptions {
  vault: Pick<Vault, 'keyedHash'>
  now: Date
  /** Maximum rows per seal. */
  limit?: number
  stopping?: Pick<AbortSignal, 'aborted'>
}

const ROWS_PER_SEAL = 10_000
/** Processes of an older version, whose batches store no quota, must be replaced within this time. */
export const UPGRADE_MS = 86_400_000

/**
 * Seals ledger entries and settlement batches without a seal, and returns the number of new seals. A seal and its rows
 * commit together. Workers take turns; a worker that finds another one running leaves the rows to it.
 */
export async function sealLedger(db: Db, options: SealOptions): Promise<number> {
  let count = 0
  // The first seals of both sources start the chain.
  for (const source of SEAL_SOURCES) if (await sealNext(db, source, options, 'first')) count += 1
  for (const source of SEAL_SOURCES) {
    for (let isFull = true; isFull && !options.stopping?.aborted;) {
      const seal = await sealNext(db, source, options, 'later')
      if (seal) count += 1
      isFull = seal?.row_count === limitOf(options)
    }
  }
  return count
}

/** Undefined if there is nothing to seal, or another worker does it. */
async function sealNext(
  db: Db,
  source: SealSource,
  options: SealOptions,
  which: 'first' | 'later',
): Promise<Seal | undefined> {
  return db.transaction().execute(async (transaction) => {
    const { rows: locks } = await sql<{ taken: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('ledger seals')) as taken`.execute(transaction)
    if (!locks[0]!.taken) return undefined
    const last = await transaction
      .selectFrom('ledger_seal')
      .select(['id', 'hash'])
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    const id = (last?.id ?? 0) + 1
    const isFirst = id === FIRST_SEAL[source]
    if (which === 'first' ? !isFirst : id <= FIRST_SEAL.settlement_batch) return undefined
    const content = isFirst
      ? await contentOf(transaction, source, id)
      : await takePage(transaction, source, id, options)
    if (!isFirst && content.rowCount === 0) return undefined
    const measured = source === 'settlement_batch' && (isFirst || (await isMeasured(transaction, content, options.now)))
    const extra = measured ? await unexplainedUsage(transaction, id) : { amount: 0n, requests: 0n }
    const unsigned: Omit<Seal, 'hash'> = {
      id,
      source,
      row_count: content.rowCount,
      amount: String(content.amount + extra.amount),
      requests: String(content.requests + extra.requests),
      measured,
      content_hash: content.hash,
      previous_hash: last?.hash ?? CHAIN_START,
      sealed_at: options.now,
    }
    const seal = { ...unsigned, hash: sealHash(options.vault, unsigned) }
    await transaction.insertInto('ledger_seal').values(seal).execute()
    return seal
  })
}

function limitOf({ limit = ROWS_PER_SEAL }: SealOptions): number {
  return limit
}

async function contentOf(transaction: Db, source: SealSource, seal: number): Promise<SealContent> {
  for await (const { content } of sealedContents(transaction, source, seal)) return content
  return new ContentHash().finish()
}

/** Marks the rows and hashes what the update returns, so that nothing can change in between. */
async function takePage(transaction: Db, source: SealSource, id: number, options: SealOptions): Promise<SealContent> {
  const [table, order] = [sql.table(source), SEAL_ORDER[source]]
  // Only the worker with the lock changes these rows, so their positions stay valid. A lookup by key would read the
  // table.
  const { rows } = await sql<SealedRow>`
    with sealed as (
      update ${table} r set seal = ${id}
      where r.ctid = any(array(select p.ctid from ${table} p where p.seal is null order by p.seal, ${order} limit ${limitOf(options)}))
      returning r.*
    )
    select ${SEALED_COLUMNS[source]} from sealed r order by ${order}`.execute(transaction)
  const hash = new ContentHash()
  for (const row of rows) hash.add(row)
  return hash.finish()
}

/** Whether the seal may take the amount of its batches from the roll-ups: only during the upgrade to this version. */
async function isMeasured(transaction: Db, content: SealContent, now: Date): Promise<boolean> {
  if (content.withoutAmount === 0) return false
  const first = await transaction
    .selectFrom('ledger_seal')
    .select('sealed_at')
    .where('id', '=', FIRST_SEAL.settlement_batch)
    .executeTakeFirst()
  return first !== undefined && now.getTime() - first.sealed_at.getTime() < UPGRADE_MS
}

/** What the roll-ups contain beyond all seals and all unsealed batches before this one. */
async function unexplainedUsage(transaction: Db, seal: number): Promise<{ amount: bigint; requests: bigint }> {
  const { rows } = await sql<{ amount: string; requests: string }>`
    select (u.amount - s.amount - b.amount)::text as amount, (u.requests - s.requests - b.requests)::text as requests
    from (select coalesce(sum(quota), 0) amount, coalesce(sum(requests), 0) requests from usage_rollup) u,
      (select coalesce(sum(amount), 0) amount, coalesce(sum(requests), 0) requests
        from ledger_seal where source = 'settlement_batch') s,
      (select coalesce(sum(quota), 0) amount, coalesce(sum(receipts), 0) requests
        from settlement_batch where seal is null or seal = ${seal}) b`.execute(transaction)
  return { amount: BigInt(rows[0]!.amount), requests: BigInt(rows[0]!.requests) }
}
