import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'

/** The balance including credit leases of gateways, and the amount spent. */
export interface Balance {
  readonly remain: number
  readonly used: number
}

/** The balances of a user and of one token; token 0 has none. */
export async function findBalances(
  db: Db,
  { userId, tokenId }: { userId: number; tokenId: number },
): Promise<{ user: Balance; token: Balance }> {
  const { rows } = await sql<{ of: 'user' | 'token'; remain: number; used: number }>`
    select 'user' as of, u.used_quota as used, (u.quota + coalesce((
      select sum(amount) from credit_lease l where l.user_id = u.id and l.token_id = 0), 0))::bigint as remain
    from "user" u where u.id = ${userId}
    union all
    select 'token', t.used_quota, (t.remain_quota + coalesce((
      select sum(amount) from credit_lease l where l.user_id = t.user_id and l.token_id = t.id), 0))::bigint
    from token t where t.id = ${tokenId} and t.user_id = ${userId}`.execute(db)
  const find = (of: 'user' | 'token') => rows.find((row) => row.of === of) ?? { remain: 0, used: 0 }
  return { user: find('user'), token: find('token') }
}
