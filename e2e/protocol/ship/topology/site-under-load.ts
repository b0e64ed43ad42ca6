import { addToken, fakeUpstream, type RunningServer } from '@tidegate/testing'
import { expect } from 'vitest'
import { usageRows, verifyBooks } from '../../../proof/books.ts'
import { scriptKinds, type MadeCall } from '../../../proof/mixed-load.ts'
import { reconcile } from '../../../proof/reconcile.ts'
import { furnish, openSite, type Site } from '../../../proof/site.ts'
import { startEdge, type Edge } from './edge.ts'
import { startFleet, type Fleet, type Member } from './fleet.ts'
import { startSteadyLoad } from './steady-load.ts'

/** What came of a site after something was done to it under load. */
export interface Outcome {
  calls: number
  /** Everything but a complete answer, as its client saw it. */
  failed: MadeCall['seen'][]
  /** What the books, the upstream and the clients do not agree on. */
  short: string[]
  /** What `tidegate verify` says; blank when the books balance. */
  verify: string
}

export interface SiteUnderLoad {
  readonly site: Site
  /** Replaces a process, and comes back when its successor is at work: a gateway when it has answered calls. */
  roll(name: Member): Promise<void>
}

/**
 * Two gateways, control and worker behind the nginx that is shipped, called all the time while `work` is done to them.
 * `nextBuild` are variables that make a process one of the build that follows.
 */
export async function underLoad(
  nextBuild: Record<string, string>,
  work: (parts: SiteUnderLoad) => Promise<void>,
): Promise<Outcome> {
  const upstream = await fakeUpstream()
  const site = await openSite()
  let fleet: Fleet | undefined
  let edge: Edge | undefined
  try {
    fleet = await startFleet(site)
    const [first, second, control] = (['gateway-1', 'gateway-2', 'control'] as const).map(fleet.member)
    edge = await startEdge({ gateways: [first!.url, second!.url], control: control!.url })
    const { client } = await furnish(edge.url, upstream)
    const { secret } = await addToken(client)
    scriptKinds(upstream)

    const load = startSteadyLoad(edge.url, secret)
    await bothGatewaysAnswer(fleet)
    await work({ site, roll: (name) => roll(fleet!, name, nextBuild) })
    await load.stop()

    await fleet.stop()
    const { short } = reconcile(load.calls, upstream.requests, await usageRows(site.database.db), { mayDie: false })
    return {
      calls: load.calls.length,
      failed: load.calls.map(({ seen }) => seen).filter(({ outcome }) => outcome !== 'complete'),
      short,
      verify: await verifyBooks({ ...site.env, ...nextBuild }, site.dataDirectory),
    }
  } finally {
    await edge?.stop()
    await fleet?.kill()
    await site.close()
    await upstream.close()
  }
}

async function roll(fleet: Fleet, name: Member, env: Record<string, string>): Promise<void> {
  const { url } = fleet.member(name)
  const replaced = fleet.replace(name, env)
  // Told to stop, it says so, and is still there for whoever has not heard of it.
  if (name !== 'worker') await expect.poll(() => readiness(url)).toBe(503)
  expect(await replaced).toBe(0)
  if (name.startsWith('gateway')) await expect.poll(() => answeredCalls(fleet.member(name))).toBeGreaterThan(0)
}

function readiness(url: string): Promise<number | undefined> {
  return fetch(`${url}/readyz`).then(
    ({ status }) => status,
    () => undefined,
  )
}

async function bothGatewaysAnswer(fleet: Fleet): Promise<void> {
  for (const name of ['gateway-1', 'gateway-2'] as const) {
    await expect.poll(() => answeredCalls(fleet.member(name))).toBeGreaterThan(10)
  }
}

function answeredCalls({ logs }: RunningServer): number {
  return logs.filter(({ msg, path }) => msg === 'answered' && path === '/v1/chat/completions').length
}
