import { sql } from 'kysely'
import type { Db } from '@tidegate/storage'
import { ProblemList, type Findings } from './problems.ts'

/** The worker returns expired leases within this time: it checks every 15 seconds, and then waits for 12. */
const RECOVERY_SECONDS = 60
/** For leases of a process that is not registered. */
const UNREGISTERED_SECONDS = 90

interface LeaseRow {
  holder: string
  user_id: number
  token_id: number
  amount: number
  is_left: boolean
  has_worker: boolean
}

/** No lease is negative, and none belongs to a process that has been dead for longer than recovery takes. */
export async function checkLeases(transaction: Db): Promise<Findings> {
  const problems = new ProblemList('lease')
  const { rows } = await sql<LeaseRow>`
    with checked as (
      select l.*, greatest(p.heartbeat_at, case when p.holder is null then l.updated_at end)
          < now() - make_interval(secs => coalesce(p.lease_seconds, ${UNREGISTERED_SECONDS}) + ${RECOVERY_SECONDS}) as is_left,
        exists (select from job_lease where name = 'reclaim-leases' and expires_at > now() - interval '1 minute') as has_worker
      from credit_lease l left join gateway_process p using (holder)
    )
    select * from checked where amount < 0 or (is_left and amount > 0) order by holder, user_id, token_id`.execute(
    transaction,
  )
  let left = 0
  for (const { holder, user_id, token_id, amount, has_worker } of rows) {
    const account = token_id === 0 ? `user ${user_id}` : `token ${token_id} of user ${user_id}`
    if (amount < 0) problems.add(`process ${holder} holds ${amount} of ${account}`)
    else if (has_worker) problems.add(`process ${holder} is gone and still holds ${amount} of ${account}`)
    else left += 1
  }
  const notes =
    left === 0 ? [] : [`${left} leases belong to stopped processes: the worker returns them when it starts.`]
  return { problems: problems.lines, notes }
}
