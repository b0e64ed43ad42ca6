import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { killBatchWorker } from './batches.ts'
import { fromThisProcess } from './clients.ts'
import { FAULTS } from './faults/index.ts'
import { runFault, failuresOf } from './faults/run-fault.ts'
import { killAndReconcile } from './kill.ts'
import { countRequests, countSuccesses } from './limits/count-requests.ts'
import { checkConcurrency } from './limits/concurrency.ts'
import { spendSlices } from './limits/spend-slices.ts'
import { openLimitsSite, type LimitsSite } from './limits/limits-site.ts'
import { runQueries, queriesAt } from './logs/queries.ts'
import { openSiteWithLogs } from './logs/site-with-logs.ts'
import { exportLogs } from './logs/export-logs.ts'
import { runOutage } from './outage.ts'
import { runStorm, STORM_CASES } from './storm.ts'
import { runManyStreams } from './streams/many-streams.ts'
import { measureStreamDelay } from './streams/stream-delay.ts'
import { rejectOversizedRequests } from './streams/oversized-requests.ts'
import { rotateUnderLoad } from './rotation.ts'
import { openStreamSite, type StreamSite } from './streams/stream-site.ts'
import { rollingUpgrade } from './topology/rolling-upgrade.ts'

/**
 * A short run of each proof, to check that it still works. The full runs are `npm run proof -- <name>`. The attacks run in
 * `e2e/protocol/attacks/attacks.test.ts`.
 */

it('storm: concurrent requests on two gateways never overspend the balance', async () => {
  const cases = STORM_CASES.filter(({ name }) => ['limit 64, ratio 8', 'no limit, 60,000 hidden'].includes(name))
  const { failures, rows } = await runStorm({ requests: 60, gateways: 2, callers: fromThisProcess, cases })

  expect(failures).toEqual([])
  expect(rows).toHaveLength(2)
  expect(rows[0]).toMatchObject({ served: 10, reachedUpstream: 10, rejected: 50 })
})

it('kill: a killed gateway has settled every completed request exactly once after its restart', async () => {
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

it('batches: every line is finished and charged once while the worker is killed', async () => {
  const result = await killBatchWorker({ lines: 60, kills: 1, concurrency: 8, awaitIdleLeases: false })

  expect(result.failures).toEqual([])
  expect(result.executions).toBeGreaterThanOrEqual(60)
})

it('faults: a Redis that loses its data loses no settlement', async () => {
  const result = await runFault(FAULTS['redis-emptied']!, {
    callers: 8,
    requestsPerSecond: 40,
    requests: { before: 20, during: 20, after: 20 },
    longestFaultMs: 3_000,
    awaitIdleLeases: false,
  })

  expect(failuresOf(result)).toEqual([])
})

it('outage: known callers are served without PostgreSQL and Redis, and unknown keys get 503', async () => {
  const result = await runOutage({ accounts: 4, warmUpSeconds: 3, outageSeconds: 4 })

  expect(result).toMatchObject({ known: { rejected: 0, broken: 0 }, failures: [] })
  expect(result.known.served).toBeGreaterThan(20)
  expect([result.unknown, result.readiness, result.strictReadiness].map((counts) => Object.keys(counts))).toEqual([
    ['503'],
    ['200'],
    ['503'],
  ])
})

it('topology: a gateway is upgraded and rolled back behind nginx without a failed request', async () => {
  const result = await rollingUpgrade({ members: ['gateway-1'], requestsPerSecond: 15 })

  expect(result.failures).toEqual([])
  expect(result.requests).toBeGreaterThan(20)
})

describe('streams', () => {
  let site: StreamSite
  beforeAll(async () => {
    site = await openStreamSite()
  })
  afterAll(() => site?.close())

  it('arrive completely behind nginx, in every protocol', async () => {
    const result = await measureStreamDelay(site, { events: 10, everyMs: 20 })

    expect(result.failures).toEqual([])
    expect(result.received).toBe(result.sent)
  })

  it('are rejected when they are oversized', async () => {
    const result = await rejectOversizedRequests(site, { rounds: 1 })

    expect(result.failures).toEqual([])
    expect(result.rejected).toBe(5)
  })

  it('complete when many run concurrently', async () => {
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

  it('accept as many requests as allowed and report the remaining count', async () => {
    const result = await countRequests(site, { requests: 100, concurrency: 20, limit: 30 })

    expect(result.failures).toEqual([])
    expect(result.admitted + result.rejected).toBe(100)
  })

  it('spend a larger limit in slices, and never exceed it', async () => {
    const result = await spendSlices(site, { requests: 300, concurrency: 20, limit: 200 })

    expect(result.failures).toEqual([])
  })

  it('accept as many successful requests as allowed, whatever fails', async () => {
    expect((await countSuccesses(site, { requests: 100, concurrency: 20, limit: 30 })).failures).toEqual([])
  })

  it('run as many requests concurrently as allowed, and free their leases when they end', async () => {
    const result = await checkConcurrency(site, { requests: 40, concurrency: 20, limit: 10 })

    expect(result.failures).toEqual([])
    expect(result).toMatchObject({ maxConcurrent: 10, admittedAfterAborts: 10 })
  })
})

it('logs: every query of the screens succeeds, and an export is complete', async () => {
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

it('rotation: replaces the key of stored secrets while two nodes serve requests', async () => {
  const { failures, resealed } = await rotateUnderLoad({
    values: 200,
    kill: false,
    callers: 1,
    pauseMs: 50,
    settleSeconds: 1,
  })

  expect(failures).toEqual([])
  expect(resealed).toBeGreaterThanOrEqual(200)
})
