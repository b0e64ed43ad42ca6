import { api } from '@tidegate/contract'
import type { ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../test/start-site.ts'
import { createSettlement, settle } from '../../test/usage-log.ts'
import { bucketSeconds, readFacets, readHistogram } from './log-counts.ts'

let site: TestSite
let admin: ApiClient & { username: string }
let user: ApiClient & { username: string }
const NOON = Date.UTC(2026, 5, 1, 12) / 1000
const HOUR = { start_timestamp: NOON, end_timestamp: NOON + 3599 }

beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  admin = await site.signedIn('admin')
  user = await site.signedIn('user')
  const log = { username: user.username, isStream: true }
  const retried = { admin_info: { use_channel: ['7', '9'] } }
  await settle(site, [
    createSettlement(user.userId!, at(0), { requestId: 'plain', log: { ...log, isStream: false } }),
    createSettlement(user.userId!, at(60), { requestId: 'again', log: { ...log, channelId: 9, other: retried } }),
    createSettlement(user.userId!, at(61), {
      requestId: 'left',
      log: { ...log, useTimeMs: 20_000, other: { client_disconnected: true } },
    }),
    createSettlement(admin.userId!, at(3000), {
      requestId: 'other',
      log: { username: admin.username, modelName: 'o1', tokenName: 'ci', group: 'vip', channelId: 9 },
    }),
  ])
  const failure = { type: 6, user_id: user.userId!, username: user.username, model_name: 'gpt-4o', channel_id: 7 }
  await site.db
    .insertInto('usage_log')
    .values([
      { ...failure, created_at: at(59), request_id: 'again', other: '{"not_final":true,"error_code":"rate_limited"}' },
      {
        ...failure,
        created_at: at(120),
        request_id: 'failed',
        other: JSON.stringify({ ...retried, error_code: 'overloaded' }),
      },
      { type: 1, user_id: user.userId!, created_at: at(120), other: '{}' },
    ])
    .execute()
})
afterAll(() => site.close())

describe('the histogram of the log', () => {
  it('counts requests, errors and interrupted ones in every bucket of the range', async () => {
    const {
      buckets,
      bucket_seconds,
      duration: _duration,
      first_token: _firstToken,
      ...range
    } = await admin.call(api.getLogHistogram, { query: HOUR })

    expect(range).toEqual(HOUR)
    expect(bucket_seconds).toBe(30)
    expect(buckets).toHaveLength(120)
    expect(buckets.filter(({ requests }) => requests > 0)).toEqual([
      { time: NOON, requests: 1, errors: 0, interrupted: 0 },
      { time: NOON + 60, requests: 2, errors: 0, interrupted: 1 },
      { time: NOON + 120, requests: 1, errors: 1, interrupted: 0 },
      { time: NOON + 3000, requests: 1, errors: 0, interrupted: 0 },
    ])
  })

  it.each([
    [{ status: 'error' }, 1],
    [{ error_codes: 'overloaded' }, 1],
    [{ error_codes: 'another' }, 0],
    [{ models: 'o1' }, 1],
    [{ channels: '9' }, 2],
    [{ retried: true }, 2],
    [{ min_duration_ms: 10_000 }, 1],
  ])('applies the filter %o', async (query, requests) => {
    const { buckets } = await admin.call(api.getLogHistogram, { query: { ...HOUR, ...query } })

    expect(buckets.reduce((sum, bucket) => sum + bucket.requests, 0)).toBe(requests)
  })

  it('returns the percentiles of billed requests, and null without any', async () => {
    const start = NOON + 20_000
    const durations = Array.from({ length: 100 }, (_, index) => 100 * (index + 1))
    await settle(
      site,
      durations.map((useTimeMs, index) => {
        const log = { isStream: index < 50, useTimeMs, other: { frt: index < 50 ? index + 1 : -1000 } }
        return createSettlement(user.userId!, at(20_000 + index), { log })
      }),
    )
    const query = { start_timestamp: start, end_timestamp: start + 99 }

    const { duration, first_token } = await admin.call(api.getLogHistogram, { query })
    const failed = await admin.call(api.getLogHistogram, { query: { ...HOUR, status: 'error' } })

    expect(duration).toEqual({ p50: 5000, p95: 9500 })
    expect(first_token).toEqual({ p50: 25, p95: 48 })
    expect([failed.duration, failed.first_token]).toEqual([null, null])
  })

  it('counts only own requests of a user', async () => {
    const { buckets } = await user.call(api.getOwnLogHistogram, { query: HOUR })

    expect(buckets.reduce((sum, bucket) => sum + bucket.requests, 0)).toBe(4)
  })

  it('covers the last 24 hours without a range', async () => {
    const { start_timestamp, end_timestamp, bucket_seconds } = await admin.call(api.getLogHistogram)

    expect(end_timestamp - start_timestamp).toBe(86_399)
    expect(bucket_seconds).toBe(900)
  })

  it('rejects a range that is too long', async () => {
    const query = { start_timestamp: NOON - 31 * 86_400, end_timestamp: NOON }

    await expect(admin.call(api.getLogHistogram, { query })).rejects.toMatchObject({ code: 'data_span_too_long' })
    await expect(admin.call(api.getLogFacets, { query })).rejects.toMatchObject({ code: 'data_span_too_long' })
  })

  it.each([40, 100, 121, 600, 3600, 5000, 12 * 3600, 86_400, 7 * 86_400, 20 * 86_400, api.LOG_COUNT_SECONDS])(
    'has 30 to 120 buckets in a range of %i seconds',
    (length) => {
      for (const start of [NOON, NOON + 1, NOON + 1799]) {
        const end = start + length - 1
        const seconds = bucketSeconds(start, end)
        const buckets = Math.floor(end / seconds) - Math.floor(start / seconds) + 1

        expect(buckets).toBeGreaterThanOrEqual(30)
        expect(buckets).toBeLessThanOrEqual(120)
      }
    },
  )
})

describe('the facets of the log', () => {
  it('count requests by field for administrators', async () => {
    const facets = await admin.call(api.getLogFacets, { query: HOUR })

    const counts = (facet: api.LogFacet | undefined) => facet?.values.map(({ value, count }) => [value, count])
    expect(counts(facets.status)).toEqual([
      ['success', 3],
      ['error', 1],
      ['interrupted', 1],
    ])
    expect(counts(facets.model)).toEqual([
      ['gpt-4o', 4],
      ['o1', 1],
    ])
    expect(counts(facets.user)).toEqual([
      [user.username, 4],
      [admin.username, 1],
    ])
    expect(counts(facets.channel)).toEqual([
      ['7', 3],
      ['9', 2],
    ])
    expect(counts(facets.stream)).toEqual([
      ['false', 3],
      ['true', 2],
    ])
    expect(counts(facets.error_code)).toEqual([['overloaded', 1]]) // not that of the retried attempt
    expect(counts(facets.retried)).toEqual([
      ['false', 3],
      ['true', 2],
    ])
  })

  it('show users their own requests without channels and retries', async () => {
    const facets = await user.call(api.getOwnLogFacets, { query: HOUR })

    expect(facets.model).toEqual({ values: [{ value: 'gpt-4o', name: 'gpt-4o', count: 4 }], others: 0 })
    expect(Object.keys(facets)).not.toEqual(expect.arrayContaining(['channel']))
    expect(facets).not.toHaveProperty('user')
    expect(facets).not.toHaveProperty('retried')
  })

  it('have ten values each and the number of others', async () => {
    const rows = Array.from({ length: 14 }, (_, index) =>
      createSettlement(user.userId!, at(10_000 + index), { log: { modelName: `model-${index}` } }),
    )
    await settle(site, rows)

    const { model } = await admin.call(api.getLogFacets, {
      query: { start_timestamp: NOON + 10_000, end_timestamp: NOON + 10_100 },
    })

    expect(model.values).toHaveLength(10)
    expect(model.others).toBe(4)
  })
})

it('rejects counts that would read too many rows', async () => {
  const deps = { ...site.deps, maxRows: 4 }
  const tooMany = { code: 'too_many_log_rows', details: { rows: '4' } }

  await expect(readHistogram(deps, HOUR)).rejects.toMatchObject(tooMany)
  await expect(readFacets(deps, HOUR, 'administrator')).rejects.toMatchObject(tooMany)
  await expect(readHistogram(deps, { ...HOUR, isStream: true })).rejects.toMatchObject(tooMany)
  expect((await readFacets(deps, { ...HOUR, models: ['o1'] }, 'administrator')).model.values).toHaveLength(1)
})

function at(seconds: number): Date {
  return new Date((NOON + seconds) * 1000)
}
