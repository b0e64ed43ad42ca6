import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAttackSite, type AttackSite } from './attacks/support/attack-site.ts'
import { fuzzApi } from './attacks/fuzz/fuzz-api.ts'
import { fuzzDataPlane } from './attacks/fuzz/fuzz-data-plane.ts'
import { escalateRole } from './attacks/role-escalation.ts'
import { ROUTES } from './attacks/support/routes.ts'
import { fromThisProcess } from './clients.ts'
import { FAULTS } from './faults/index.ts'
import { runFault, failuresOf } from './faults/run-fault.ts'
import { killAndReconcile } from './kill.ts'
import { countRequests, countSuccesses } from './limits/count-requests.ts'
import { checkConcurrency } from './limits/concurrency.ts'
import { openLimitsSite, type LimitsSite } from './limits/limits-site.ts'
import { runQueries, queriesAt } from './logs/queries.ts'
import { openSiteWithLogs } from './logs/site-with-logs.ts'
import { exportLogs } from './logs/export-logs.ts'
import { runStorm, STORM_CASES } from './storm.ts'
import { runManyStreams } from './streams/many-streams.ts'
import { measureStreamDelay } from './streams/stream-delay.ts'
import { rejectOversizedRequests } from './streams/oversized-requests.ts'
import { rotateUnderLoad } from './rotation.ts'
import { openStreamSite, type StreamSite } from './streams/stream-site.ts'
import { rollingUpgrade } from './topology/rolling-upgrade.ts'

/** The shortest form of each proof, to see that it still runs and holds. The full ones are `npm run proof -- <name>`. */

it('storm: concurrent requests on two gateways spend what there is, and no more', async () => {
  const cases = STORM_CASES.filter(({ name }) => ['limit 64, ratio 8', 'no limit, 60,000 hidden'].includes(name))
  const { failures, rows: figures } = await runStorm({ requests: 60, gateways: 2, callers: fromThisProcess, cases })

  expect(failures).toEqual([])
  expect(figures).toHaveLength(2)
  expect(figures[0]).toMatchObject({ served: 10, reachedUpstream: 10, rejected: 50 })
})

it('kill: a gateway that is killed has settled what its clients saw complete, once, when it is back', async () => {
  const result = await killAndReconcile({
    requests: 60,
    callers: 24,
    victim: 'gateway',
    times: 1,
    awaitIdleLeases: false,
  })

  expect(result.failures).toEqual([])
  expect(result.complete).toBeGreaterThan(10)
})

it('faults: a Redis that loses its data costs nothing', async () => {
  const result = await runFault(FAULTS['redis-emptied']!, {
    callers: 8,
    requestsPerSecond: 40,
    requests: { before: 20, during: 20, after: 20 },
    longestFaultMs: 3_000,
    awaitIdleLeases: false,
  })

  expect(failuresOf(result)).toEqual([])
})

it('topology: a gateway is replaced by the next build behind nginx without a failed request', async () => {
  const result = await rollingUpgrade(['gateway-1'])

  expect(result.failures).toEqual([])
  expect(result.requests).toBeGreaterThan(20)
})

describe('streams', () => {
  let site: StreamSite
  beforeAll(async () => {
    site = await openStreamSite()
  })
  afterAll(() => site?.close())

  it('arrive whole behind nginx, in every protocol', async () => {
    const result = await measureStreamDelay(site, { events: 10, everyMs: 20 })

    expect(result.failures).toEqual([])
    expect(result.received).toBe(result.sent)
  })

  it('end with an error when they are oversized', async () => {
    const result = await rejectOversizedRequests(site, { rounds: 1 })

    expect(result.failures).toEqual([])
    expect(result.rejected).toBe(5)
  })

  it('all end well, many at once', async () => {
    const result = await runManyStreams(site, { streams: 50, everyMs: 100 })

    expect(result.failures).toEqual([])
    expect(result.complete).toBe(50)
  })
})

describe('limits on two gateways', () => {
  let site: LimitsSite
  beforeAll(async () => {
    site = await openLimitsSite()
  })
  afterAll(() => site?.close())

  it('admit as many requests as allowed, and tell each how many remain', async () => {
    const result = await countRequests(site, { requests: 100, concurrency: 20, limit: 30 })

    expect(result.failures).toEqual([])
    expect(result.admitted + result.rejected).toBe(100)
  })

  it('admit as many successes as allowed, whatever fails', async () => {
    expect((await countSuccesses(site, { requests: 100, concurrency: 20, limit: 30 })).failures).toEqual([])
  })

  it('let as many requests run at a time as allowed, and others when those have ended', async () => {
    const result = await checkConcurrency(site, { requests: 40, concurrency: 20, limit: 10 })

    expect(result.failures).toEqual([])
    expect(result).toMatchObject({ maxConcurrent: 10, admittedAfterAborts: 10 })
  })
})

describe('attacks', () => {
  /** The same in every run: a test that fails does so again. */
  const SEED = 20_261_115
  let site: AttackSite
  beforeAll(async () => {
    site = await openAttackSite()
  })
  afterAll(() => site?.close())

  it('by hostile values in every call fail', async () => {
    const api = await fuzzApi(site, { cases: 1, seed: SEED })
    const dataPlane = await fuzzDataPlane(site, { cases: 3, seed: SEED })

    expect([...api.failures, ...dataPlane.failures]).toEqual([])
    expect(api.tried).toBeGreaterThanOrEqual(ROUTES.length)
    expect(dataPlane.tried).toBeGreaterThanOrEqual(3 * 18)
  })

  it('by administrators on those above them fail', async () => {
    const { failures, tried } = await escalateRole(site)

    expect(failures).toEqual([])
    expect(tried).toBeGreaterThanOrEqual(30)
  })
})

it('logs: every question of the screens is answered, and an export is complete', async () => {
  const siteWithLogs = await openSiteWithLogs({ rows: 2_000, days: 3, users: 20, channels: 10 }, () => {})
  try {
    const questions = queriesAt(Math.floor(Date.now() / 1000))

    const times = await runQueries({ administrator: siteWithLogs.administrator, user: siteWithLogs.user }, questions, 1)
    const exported = await exportLogs(siteWithLogs.administrator, siteWithLogs.memory, 1_999)

    expect(times.map((some) => some.length)).toEqual(questions.map(() => 1))
    expect(exported.rows).toBe(1_999)
  } finally {
    await siteWithLogs.close()
  }
})

it('rotation: the key of stored secrets is replaced while two nodes serve', async () => {
  const { failures, resealed } = await rotateUnderLoad({ values: 200, kill: false, callers: 1, settleSeconds: 1 })

  expect(failures).toEqual([])
  expect(resealed).toBeGreaterThanOrEqual(200)
})
