import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { COMPILE_CACHE, type ThrowAwayDatabase } from '@tidegate/testing'
import { sql } from 'kysely'
import { until } from './until.ts'

const TIDEGATE = fileURLToPath(new URL('../../apps/server/dist/tidegate.mjs', import.meta.url))

export type Db = ThrowAwayDatabase['db']

export interface LogRow {
  request_id: string
  quota: number
  prompt_tokens: number
  completion_tokens: number
  is_stream: boolean
  other: { interrupted?: boolean; estimated?: boolean; uncovered?: number }
}

export async function usageRows(db: Db): Promise<LogRow[]> {
  const { rows } = await sql<LogRow>`
    select request_id, quota, prompt_tokens, completion_tokens, is_stream, other from usage_log
    where request_id <> '' and type = 2`.execute(db)
  return rows
}

/** Credit that a process still holds. */
export async function openLeases(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from credit_lease where amount > 0`.execute(db)
  return rows[0]!.count
}

async function leasedOf(db: Db, userId: number): Promise<number> {
  const { rows } = await sql<{ leased: number }>`
    select coalesce(sum(amount), 0)::bigint as leased from credit_lease where user_id = ${userId}`.execute(db)
  return rows[0]!.leased
}

/** Sets the spendable amount of a user, leases included, with a ledger entry and an audit event. */
export async function setBalance(db: Db, userId: number, quota: number): Promise<void> {
  // Idle credit of a process could be spent beyond a lower balance.
  await sql`select pg_notify('tidegate', ${JSON.stringify({ kind: 'credit', userId })})`.execute(db)
  await until(async () => (await leasedOf(db, userId)) === 0, 2_000)
  await db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ missing: number }>`
      select ${quota}::bigint - u.quota
        - coalesce((select sum(amount) from credit_lease where user_id = u.id and token_id = 0), 0)::bigint as missing
      from "user" u where u.id = ${userId} for update`.execute(transaction)
    const { missing } = rows[0]!
    await sql`update "user" set quota = quota + ${missing} where id = ${userId}`.execute(transaction)
    if (missing === 0) return
    await sql`
      insert into ledger_entry (user_id, kind, amount) values (${userId}, 'admin_change', ${missing})`.execute(
      transaction,
    )
    await sql`
      insert into audit_event (action, subject, details)
      values ('user.balance', ${String(userId)}, jsonb_build_object('amount', ${missing}::bigint))`.execute(transaction)
  })
}

/** The balance of an account plus what processes hold of it. */
export async function spendable(db: Db, userId: number): Promise<number> {
  const { rows } = await sql<{ quota: number }>`
    select u.quota + coalesce((select sum(amount) from credit_lease where user_id = u.id and token_id = 0), 0)::bigint
      as quota from "user" u where u.id = ${userId}`.execute(db)
  return rows[0]!.quota
}

/** Everything that settling a request changes, as one value to compare. */
export async function snapshot(db: Db): Promise<string> {
  const { rows } = await sql<{ books: unknown }>`
    select json_build_object(
      'users', (select json_agg(json_build_array(id, quota, used_quota, request_count) order by id) from "user"),
      'tokens', (select json_agg(json_build_array(id, remain_quota, used_quota, drawn_quota) order by id) from token),
      'channels', (select json_agg(json_build_array(id, used_quota) order by id) from channel),
      'rollups', (select json_build_array(sum(requests), sum(quota), sum(prompt_tokens)) from usage_rollup),
      'logs', (select json_build_array(count(*), sum(quota)) from usage_log where type = 2),
      'leases', (select coalesce(sum(amount), 0) from credit_lease)
    )::text as books`.execute(db)
  return rows[0]!.books as string
}

/** Runs `tidegate verify`. Returns an empty string if the ledger balances, else the output. */
export async function verifyBooks(env: Record<string, string>, dataDirectory: string): Promise<string> {
  const run = promisify(execFile)(process.execPath, [TIDEGATE, 'verify'], {
    env: { PATH: process.env.PATH, ...COMPILE_CACHE, TIDEGATE_DATA_DIR: dataDirectory, ...env },
  })
  return run.then(
    () => '',
    (error: { stdout: string; message: string }) => error.stdout || error.message,
  )
}
