import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openLeases, usageRows, verifyBooks, type Db } from '../books.ts'
import { until } from '../until.ts'
import { reconcileFault, type ReconcileResult } from './reconcile.ts'
import type { Fault, PreparedFault } from './fault.ts'
import { LARGE_ACCOUNTS, openFaultSite, type FaultSite } from './fault-site.ts'
import { startLoad, type RunningLoad } from './load.ts'
import { watchBalances } from './watch-balances.ts'

export interface FaultPlan {
  callers: number
  requestsPerSecond: number
  /** Requests that finish before the fault, during it, and after recovery. */
  requests: { before: number; during: number; after: number }
  /** The fault ends by then, even if fewer requests have finished. */
  longestFaultMs: number
  /** How often the fault is injected. Default: once. */
  times?: number
  /** Waits until the gateways have returned the leases of idle accounts, which takes 10 seconds. Default: true. */
  awaitIdleLeases?: boolean
}

export interface FaultResult extends ReconcileResult {
  name: string
  requests: number
  /** All faults together. */
  faultSeconds: number
  /** From the end of the fault until every gateway has completed a new request and everything else works again. */
  recoverySeconds: number
  /** Accounts with plenty of credit: how many of the requests that started during the fault were served. */
  duringFault: { served: number; rejected: number }
  lowestBalance: number
  /** Empty if `tidegate verify` finds nothing. */
  verify: string
  /** Everything else that is wrong. */
  failures: string[]
}

/** Gives up on a silent upstream early, so that a proof does not wait for minutes. */
const SHORT_WAITS = { TIDEGATE_FIRST_TOKEN_TIMEOUT: '4', STREAMING_TIMEOUT: '4', RELAY_TIMEOUT: '6' }
const RECOVERED_WITHIN_MS = 90_000
const LEASES_GONE_WITHIN_MS = 30_000

/** Sends requests, injects a fault among them, and compares the lists of clients, upstream and log. */
export async function runFault(fault: Fault, plan: FaultPlan): Promise<FaultResult> {
  const prepared = await fault.prepare()
  let faultSite: FaultSite | undefined
  try {
    faultSite = await openFaultSite({ ...prepared.environment, env: { ...SHORT_WAITS, ...prepared.environment.env } })
    return await injectUnderLoad(fault, prepared, faultSite, plan)
  } finally {
    await faultSite?.close()
    await prepared.remove?.()
  }
}

async function injectUnderLoad(
  fault: Fault,
  prepared: PreparedFault,
  faultSite: FaultSite,
  plan: FaultPlan,
): Promise<FaultResult> {
  const { site, upstream, fleet, keys } = faultSite
  const { db } = site.database
  const failures: string[] = []
  const urls = fleet.gateways.map(({ url }) => url)
  const balances = watchBalances(db)
  const load = startLoad({ urls, keys, ...plan })
  /** Which account a request of the load belongs to. */
  const keyIndex = (index: number) => Math.floor(index / urls.length) % keys.length
  const waitForRequests = (count: number, withinMs: number) => {
    const goal = load.requests.length + count
    return until(() => load.requests.length >= goal, withinMs)
  }

  if (!(await waitForRequests(plan.requests.before, 60_000))) failures.push('the site was slow before the fault')
  const rounds: { injectedAt: number; repairedAt: number; recoveredAt: number }[] = []
  while (rounds.length < (plan.times ?? 1)) {
    await prepared.awaitServices?.()
    const injectedAt = performance.now()
    await prepared.inject(faultSite)
    await waitForRequests(plan.requests.during, plan.longestFaultMs)
    await prepared.repair(faultSite)
    const repairedAt = performance.now()
    const isBack = await until(
      async () => servesSince(load, urls, repairedAt) && ((await prepared.isBack?.(faultSite)) ?? true),
      RECOVERED_WITHIN_MS,
    )
    if (!isBack) failures.push(`not back after ${RECOVERED_WITHIN_MS / 1000} s`)
    rounds.push({ injectedAt, repairedAt, recoveredAt: performance.now() })
    await waitForRequests(plan.requests.after, 60_000)
  }
  if ((await prepared.hasTakenEffect?.(faultSite)) === false) failures.push('the fault left no trace')
  const hanging = await load.stop()
  if (hanging > 0) failures.push(`${hanging} calls never ended`)

  const { awaitIdleLeases = true } = plan
  const leasesGone = !awaitIdleLeases || (await until(async () => (await openLeases(db)) === 0, LEASES_GONE_WITHIN_MS))
  if (!leasesGone) failures.push(`leases stay open: ${await describeLeases(db)}`)
  const { lowest } = await balances.stop()
  failures.push(...(await fleet.stop()))
  const left = await readdir(join(site.dataDirectory, 'journal-2'))
  if (left.length > 0) failures.push(`journals are left: ${left.join(', ')}`)
  const account = reconcileFault(load.requests, upstream.requests, await usageRows(db), fault)
  return {
    name: fault.name,
    requests: load.requests.length,
    faultSeconds: rounds.reduce((sum, { injectedAt, repairedAt }) => sum + repairedAt - injectedAt, 0) / 1000,
    recoverySeconds: Math.max(...rounds.map(({ repairedAt, recoveredAt }) => recoveredAt - repairedAt)) / 1000,
    duringFault: countDuring(
      load.requests.filter(({ index }) => keyIndex(index) < LARGE_ACCOUNTS),
      rounds,
    ),
    lowestBalance: lowest,
    verify: await verifyBooks(site.env, site.dataDirectory),
    failures,
    ...account,
  }
}

/** Requests that the upstream responds to. */
function countDuring(
  requests: RunningLoad['requests'],
  rounds: readonly { injectedAt: number; repairedAt: number }[],
): FaultResult['duringFault'] {
  const during = requests
    .filter(({ kind }) => kind === 'fine' || kind === 'slow')
    .filter(({ startedAt }) =>
      rounds.some(({ injectedAt, repairedAt }) => startedAt > injectedAt && startedAt < repairedAt),
    )
  const served = during.filter(({ result }) => result.outcome === 'complete').length
  return { served, rejected: during.length - served }
}

/** Includes what the database is doing: a lease stays open where something waits. */
async function describeLeases(db: Db): Promise<string> {
  const leases = await sql<object>`
    select holder, user_id, token_id, amount, now() - l.updated_at as age, now() - p.heartbeat_at as holder_silent
    from credit_lease l left join gateway_process p using (holder) where amount > 0`.execute(db)
  const busy = await sql<object>`
    select pid, application_name, state, wait_event, pg_blocking_pids(pid) as waits_for, now() - xact_start as age,
      left(query, 160) as query
    from pg_stat_activity where backend_type = 'client backend' and state <> 'idle' and pid <> pg_backend_pid()`.execute(
    db,
  )
  return JSON.stringify({ leases: leases.rows, busy: busy.rows })
}

/** Every gateway has completed a request that started after the moment. */
function servesSince({ requests }: RunningLoad, urls: readonly string[], moment: number): boolean {
  const since = requests.filter(({ startedAt, result }) => startedAt >= moment && result.outcome === 'complete')
  return urls.every((url) => since.some((request) => request.url === url))
}

/** Every reason why a result is wrong. */
export function failuresOf({ lost, failures, verify, lowestBalance }: FaultResult): string[] {
  return [
    ...lost,
    ...failures,
    ...(verify === '' ? [] : [`verify: ${verify}`]),
    ...(lowestBalance < 0 ? [`a balance of ${lowestBalance} was seen`] : []),
  ]
}
