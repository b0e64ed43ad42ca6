import { sql } from 'kysely'
import type { Db, Vault } from '@tidegate/storage'

/** The signed end of the chain on one day. Stored elsewhere, it shows whether the database was rewritten since. */
export interface Digest {
  /** UTC, such as 2026-11-17. */
  day: string
  seal: number
  hash: string
  signature: string
}

const FORMAT = 'tidegate-digest-v1'

/** Signs the end of the chain, once a day. Returns the digest if this call wrote it. */
export async function writeDigest(
  db: Db,
  { vault, now }: { vault: Pick<Vault, 'keyedHash'>; now: Date },
): Promise<Digest | undefined> {
  const last = await db
    .selectFrom('ledger_seal')
    .select(['id', 'hash'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!last) return undefined
  const unsigned = { day: now.toISOString().slice(0, 10), seal: last.id, hash: last.hash }
  const digest = { ...unsigned, signature: vault.keyedHash('ledger-digest', signedText(unsigned)) }
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('ledger_digest')
    .values(digest)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n ? digest : undefined
}

/** Oldest first. */
export async function listDigests(db: Db): Promise<Digest[]> {
  const { rows } = await sql<Digest>`
    select day::text as day, seal, hash, signature from ledger_digest order by ledger_digest.day`.execute(db)
  return rows
}

export function isAuthentic(vault: Pick<Vault, 'matches'>, digest: Digest): boolean {
  return vault.matches('ledger-digest', signedText(digest), digest.signature)
}

export function formatDigest({ day, seal, hash, signature }: Digest): string {
  return [FORMAT, day, seal, hash, signature].join(' ')
}

/** Reads a line of `formatDigest`; undefined for any other text. */
export function parseDigest(line: string): Digest | undefined {
  const match = /tidegate-digest-v1 (\d{4}-\d\d-\d\d) (\d+) ((?:v\d+\.)?[0-9a-f]{64}) ((?:v\d+\.)?[0-9a-f]{64})/.exec(
    line,
  )
  if (!match) return undefined
  const [, day, seal, hash, signature] = match
  return { day: day!, seal: Number(seal), hash: hash!, signature: signature! }
}

function signedText({ day, seal, hash }: Omit<Digest, 'signature'>): string {
  return [FORMAT, day, seal, hash].join(' ')
}
