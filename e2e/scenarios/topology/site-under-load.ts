import { addToken, fakeUpstream, type RunningServer } from '@tidegate/testing'
import { usageRows, verifyBooks } from '../books.ts'
import { scriptKinds, type SentRequest } from '../load.ts'
import { reconcile } from '../reconcile.ts'
import { seedSite, openSite, type Site } from '../site.ts'
import { until } from '../until.ts'
import { startEdge, type Edge } from './edge.ts'
import { startFleet, type Build, type Fleet, type Member } from './fleet.ts'
import { startSteadyLoad } from './steady-load.ts'

/** The result of a change under load. */
export interface Outcome {
  requests: number
  /** Every response that was not complete, as its client saw it. */
  failed: SentRequest['result'][]
  /** Differences between the ledger, the upstream and the clients. */
  failures: string[]
  /** The output of `tidegate verify`; empty if the ledger balances. */
  verify: string
}

export interface SiteUnderLoad {
  readonly site: Site
  /**
   * Replaces a process and waits until its replacement works: a gateway must have served requests. Returns the
   * failures.
   */
  roll(name: Member, build: Build): Promise<string[]>
  /** Waits until both gateways have served that many more requests. */
  serveMore(requests: number): Promise<void>
}

/** Far longer than a busy machine needs. */
const LIMIT_MS = 60_000

/**
 * Runs two gateways, control and worker of a build behind the shipped nginx under constant load while `work` runs.
 */
export async function underLoad(
  { build, requestsPerSecond }: { build: Build; requestsPerSecond?: number | undefined },
  work: (parts: SiteUnderLoad) => Promise<void>,
): Promise<Outcome> {
  const upstream = await fakeUpstream()
  const site = await openSite()
  let fleet: Fleet | undefined
  let edge: Edge | undefined
  try {
    fleet = await startFleet(site, build)
    const [first, second, control] = (['gateway-1', 'gateway-2', 'control'] as const).map(fleet.member)
    edge = await startEdge({ gateways: [first!.url, second!.url], control: control!.url })
    // Through a proxy, the setup needs a code.
    const { client } = await seedSite(control!.url, upstream)
    const { secret } = await addToken(client)
    scriptKinds(upstream)

    const load = startSteadyLoad(edge.url, secret, requestsPerSecond)
    const running = fleet
    await serveMore(running, 10)
    await work({
      site,
      roll: (name, next) => roll(running, name, next),
      serveMore: (requests) => serveMore(running, requests),
    })
    await load.stop()

    await edge.stop() // gateways wait for connections that it keeps
    edge = undefined
    await fleet.stop()
    const { failures } = reconcile(load.requests, upstream.requests, await usageRows(site.database.db), {
      mayDie: false,
    })
    return {
      requests: load.requests.length,
      failed: load.requests.map(({ result }) => result).filter(({ outcome }) => outcome !== 'complete'),
      failures,
      verify: await verifyBooks(site.env, site.dataDirectory),
    }
  } finally {
    await edge?.stop()
    await fleet?.kill()
    await site.close()
    await upstream.close()
  }
}

async function roll(fleet: Fleet, name: Member, build: Build): Promise<string[]> {
  const failures: string[] = []
  const { url } = fleet.member(name)
  const replaced = fleet.replace(name, build)
  // A stopping process reports not ready but still serves requests of balancers that do not know it yet.
  if (name !== 'worker' && !(await until(async () => (await readiness(url)) === 503, LIMIT_MS))) {
    failures.push(`${name} was not reported as stopping`)
  }
  const code = await replaced
  if (code !== 0) failures.push(`${name} ended with ${code}`)
  if (name.startsWith('gateway') && !(await hasMoreResponsesThan(fleet.member(name), 0))) {
    failures.push(`the successor of ${name} served no requests`)
  }
  return failures
}

function hasMoreResponsesThan(server: RunningServer, requests: number): Promise<boolean> {
  return until(() => countResponses(server) > requests, LIMIT_MS)
}

function readiness(url: string): Promise<number | undefined> {
  return fetch(`${url}/readyz`).then(
    ({ status }) => status,
    () => undefined,
  )
}

async function serveMore(fleet: Fleet, requests: number): Promise<void> {
  const targets = (['gateway-1', 'gateway-2'] as const).map((name) => {
    const server = fleet.member(name)
    return { name, server, target: countResponses(server) + requests }
  })
  for (const { name, server, target } of targets) {
    if (!(await hasMoreResponsesThan(server, target - 1))) throw new Error(`${name} serves no requests`)
  }
}

function countResponses({ logs }: RunningServer): number {
  return logs.filter(({ event, path }) => event === 'http.request' && path === '/v1/chat/completions').length
}
