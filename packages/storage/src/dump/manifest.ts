import { hkdfSync } from 'node:crypto'
import type { Client } from 'pg'
import { migrations } from '../migrations/index.ts'
import { DumpError } from './frames.ts'

/** What a dump begins with. */
export interface DumpHeader {
  format: typeof FORMAT
  /** The program that wrote it. */
  version: string
  createdAt: string
  /** The schema its rows are of. */
  migrations: string[]
  /** False when the rows of calls were left out. */
  logs: boolean
  /** Tells whether a root key is the one that its secrets are sealed with, and nothing about the key. */
  keyFingerprint: string
  /** That key, sealed with a passphrase. */
  sealedKey?: string
  /** Parents before children, as they follow. */
  tables: { name: string; columns: string[] }[]
  /** Days of the usage log. */
  partitions: string[]
  books: BalanceTotals
}

/** What it ends with, known only when everything was written. */
export interface DumpFooter {
  rows: Record<string, number>
  /** The last number each sequence gave; those that gave none are left out. */
  sequences: Record<string, string>
  sha256: string
}

/** Names the layout, so that a later one can be told from it. */
export const FORMAT = 'tidegate-backup-1'

export function keyFingerprint(rootKey: Uint8Array): string {
  return Buffer.from(hkdfSync('sha256', rootKey, new Uint8Array(), 'tidegate/backup', 16)).toString('hex')
}

/** Throws a DumpError unless this build can read what follows. */
export function checkHeader(value: unknown): DumpHeader {
  const header = value as Partial<DumpHeader> | null
  if (typeof header?.format !== 'string' || !header.format.startsWith('tidegate-backup-')) {
    throw new DumpError('This is not a backup of Tidegate')
  }
  const known = Object.keys(migrations)
  const unknown = (header.migrations ?? []).filter((name, index) => known[index] !== name)
  if (header.format !== FORMAT || unknown.length > 0) {
    throw new DumpError(
      `The backup was made by a newer Tidegate (${header.version}): restore it with that version or a later one`,
    )
  }
  return header as DumpHeader
}

/** Everybody's money in figures that differ as soon as one account does. Text, because sums may be large. */
interface BalanceTotals {
  users: string
  balances: string
  tokens: string
  tokenBalances: string
  leased: string
  entries: string
  used: string
  /** Of every account by number. */
  digest: string
}

export async function readBalanceTotals(client: Client): Promise<BalanceTotals> {
  const { rows } = await client.query<BalanceTotals>(`
    select (select count(*) from "user")::text as users,
           (select coalesce(sum(quota), 0) from "user")::text as balances,
           (select count(*) from token)::text as tokens,
           (select coalesce(sum(remain_quota), 0) from token)::text as "tokenBalances",
           (select coalesce(sum(amount), 0) from credit_lease)::text as leased,
           (select coalesce(sum(amount), 0) from ledger_entry)::text as entries,
           (select coalesce(sum(quota), 0) from usage_rollup)::text as used,
           md5(concat(
             (select string_agg(concat_ws(':', id, quota, used_quota, aff_quota), ',' order by id) from "user"), ';',
             (select string_agg(concat_ws(':', id, remain_quota, used_quota), ',' order by id) from token))) as digest`)
  return rows[0]!
}

/** The figures that differ, in words; none when the books are the same to the unit. */
export function compareBalanceTotals(one: BalanceTotals, other: BalanceTotals): string[] {
  return (Object.keys(one) as (keyof BalanceTotals)[])
    .filter((name) => one[name] !== other[name])
    .map((name) => `${name}: ${one[name]} and ${other[name]}`)
}
