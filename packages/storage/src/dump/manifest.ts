import { hkdfSync } from 'node:crypto'
import type { Client } from 'pg'
import { migrations } from '../migrations/index.ts'
import { DumpError } from './frames.ts'

/** The first frame of a dump. */
export interface DumpHeader {
  format: typeof FORMAT
  /** The version of Tidegate that wrote the dump. */
  version: string
  createdAt: string
  /** The migrations that the dumped schema had. */
  migrations: string[]
  /** False when log rows were left out. */
  logs: boolean
  /** Identifies the root key that sealed the secrets, without revealing anything about it. */
  keyFingerprint: string
  /** The root key, encrypted with a passphrase. */
  sealedKey?: string
  /** In the order of the dump: referenced tables first. */
  tables: { name: string; columns: string[] }[]
  /** Names of the usage log's partitions. */
  partitions: string[]
  books: BalanceTotals
}

/** The last frame of a dump. */
export interface DumpFooter {
  rows: Record<string, number>
  /** The last value of each sequence that was used. */
  sequences: Record<string, string>
  sha256: string
}

/** Identifies the format of the dump. */
export const FORMAT = 'tidegate-backup-1'

export function keyFingerprint(rootKey: Uint8Array): string {
  return Buffer.from(hkdfSync('sha256', rootKey, new Uint8Array(), 'tidegate/backup', 16)).toString('hex')
}

/** Throws a DumpError unless this build can read the dump. */
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

/** Totals of all balances, for comparing two databases. Text, because sums may exceed a safe integer. */
interface BalanceTotals {
  users: string
  balances: string
  tokens: string
  tokenBalances: string
  leased: string
  entries: string
  used: string
  /** Covers every account by ID. */
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

/** Describes the totals that differ. */
export function compareBalanceTotals(one: BalanceTotals, other: BalanceTotals): string[] {
  return (Object.keys(one) as (keyof BalanceTotals)[])
    .filter((name) => one[name] !== other[name])
    .map((name) => `${name}: ${one[name]} and ${other[name]}`)
}
