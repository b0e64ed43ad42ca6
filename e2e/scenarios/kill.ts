import { cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  addToken,
  deliveredLogRows,
  fakeUpstream,
  removeDirectory,
  type RunningServer,
  startClickHouse,
  throwAwayDirectory,
} from '@tidegate/testing'
import { openLeases, snapshot, usageRows, verifyBooks } from './books.ts'
import { mixedLoad, scriptKinds } from './load.ts'
import { privatePostgres, privateRedis, type PrivateService } from './private-services.ts'
import { reconcile, type Reconciliation } from './reconcile.ts'
import { seedSite, limitedToken, openSite, type Site } from './site.ts'
import { until } from './until.ts'

export interface KillPlan {
  requests: number
  callers: number
  /** What is killed and restarted while requests run. */
  victim: 'gateway' | 'postgres' | 'redis' | 'clickhouse'
  times: number
  /** Log rows go to ClickHouse, which loses the response to every third insert. */
  logStore?: 'clickhouse' | undefined
  /** Waits until the running server has returned the leases of idle accounts, which takes 10 seconds. Default: true. */
  awaitIdleLeases?: boolean
}

export interface KillResult extends Reconciliation {
  milliseconds: number
}

const LEASES_GONE_WITHIN_MS = 30_000
const OUTAGE_SHARE = 0.15
const LOST_RESPONSE = 3

/** Sends mixed requests while something is killed again and again, then compares all lists. */
export async function killAndReconcile(plan: KillPlan): Promise<KillResult> {
  const service = await SERVICES[plan.victim]?.()
  const engine = plan.victim === 'clickhouse' || plan.logStore ? await startClickHouse() : undefined
  const logStore = engine?.newUrl()
  const upstream = await fakeUpstream()
  const site = await (plan.victim === 'postgres'
    ? onServer(service!.url, () => openSite({ logStore }))
    : openSite({ redisUrl: plan.victim === 'redis' ? service!.url : undefined, logStore }))
  const journals = await throwAwayDirectory()
  let server: RunningServer | undefined
  try {
    server = await site.start()
    const { port, url } = server
    const { client } = await seedSite(url, upstream)
    const keys = [
      (await addToken(client)).secret,
      await limitedToken(client, 10_000_000),
      await limitedToken(client, 10_000_000),
    ]
    scriptKinds(upstream)
    await engine?.loseResponses(LOST_RESPONSE)
    const killService =
      plan.victim === 'gateway'
        ? async () => {
            await server!.kill()
            await cp(join(site.dataDirectory, 'journal-2'), journals, { recursive: true })
            server = await site.start({ env: { PORT: String(port) } })
          }
        : outageOf(service ?? engine!)
    const startedAt = performance.now()

    const kills = killRepeatedly(plan, killService)
    const made = await mixedLoad({ ...plan, url, keys, onEnded: kills.onEnded })
    await kills.done()

    const milliseconds = performance.now() - startedAt
    const failures: string[] = []
    const { db } = site.database
    const { awaitIdleLeases = true } = plan
    if (awaitIdleLeases && !(await until(async () => (await openLeases(db)) === 0, LEASES_GONE_WITHIN_MS))) {
      failures.push(`${await openLeases(db)} leases stay open`)
    }
    await server.stop()
    server = undefined
    failures.push(...(await checkBooks(site)))
    const rows = [...(await usageRows(db)), ...(logStore === undefined ? [] : await deliveredLogRows(db, logStore))]
    const result = reconcile(made, upstream.requests, rows, { mayDie: plan.victim === 'gateway' })
    failures.push(...result.failures, ...(await replayAgain(site, journals)))
    return { ...result, failures, milliseconds }
  } finally {
    await server?.kill()
    await site.close()
    await upstream.close()
    await service?.remove()
    await engine?.close()
    await removeDirectory(journals)
  }
}

const SERVICES: Partial<Record<KillPlan['victim'], () => Promise<PrivateService>>> = {
  postgres: privatePostgres,
  redis: privateRedis,
}

/** Creates databases on another server than the one of the tests. */
async function onServer<Result>(url: string, work: () => Promise<Result>): Promise<Result> {
  const usual = process.env.TEST_DATABASE_URL
  process.env.TEST_DATABASE_URL = url
  try {
    return await work()
  } finally {
    if (usual === undefined) delete process.env.TEST_DATABASE_URL
    else process.env.TEST_DATABASE_URL = usual
  }
}

type KillService = (untilMoreEnded: () => Promise<void>) => Promise<void>

/** Down until a share of all requests has failed on it: longer than leases last. Crashes and stops alternate. */
function outageOf(service: Pick<PrivateService, 'stop'> & { start(): Promise<unknown> }): KillService {
  let outages = 0
  return async (untilMoreEnded) => {
    await service.stop(outages++ % 2 === 0 ? 'fast' : 'immediate')
    await untilMoreEnded()
    await service.start()
  }
}

/** Kills at random moments, spread over the requests, one at a time. */
function killRepeatedly({ requests, times }: KillPlan, killService: KillService) {
  const share = requests / (times + 1)
  const moments = Array.from({ length: times }, (_, index) => Math.ceil(share * (index + 0.5 + Math.random())))
  let ended = 0
  let striking: Promise<void> = Promise.resolve()
  let failure: unknown

  /** Limited in time: an outage must not last forever because no request ends. */
  async function untilMoreEnded(): Promise<void> {
    const target = Math.min(requests, ended + requests * OUTAGE_SHARE)
    await until(() => ended >= target, 20_000)
  }

  return {
    onEnded(count: number) {
      ended = count
      if (count < (moments[0] ?? Infinity)) return
      moments.shift()
      striking = striking.then(() => killService(untilMoreEnded)).catch((error: unknown) => void (failure ??= error))
    },
    async done() {
      await striking
      if (failure !== undefined) throw failure
    },
  }
}

async function checkBooks({ env, dataDirectory, database }: Site): Promise<string[]> {
  const failures: string[] = []
  const imbalances = await verifyBooks(env, dataDirectory)
  if (imbalances !== '') failures.push(`verify: ${imbalances}`)
  if ((await openLeases(database.db)) > 0) failures.push('leases stay open after the stop')
  const left = await readdir(join(dataDirectory, 'journal-2'))
  if (left.length > 0) failures.push(`journals are left: ${left.join(', ')}`)
  return failures
}

/** Restores the journals as the kills left them and starts once more: nothing may change. */
async function replayAgain(site: Site, journals: string): Promise<string[]> {
  const before = await snapshot(site.database.db)
  await rm(join(site.dataDirectory, 'journal-2'), { recursive: true, force: true })
  await cp(journals, join(site.dataDirectory, 'journal-2'), { recursive: true })
  const server = await site.start()
  await server.stop()
  const after = await snapshot(site.database.db)
  return before === after ? await checkBooks(site) : [`replaying again changed the books: ${before} to ${after}`]
}
