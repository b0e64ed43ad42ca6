import { api } from '@tidegate/contract'
import { priceByRatios } from '@tidegate/pricing'
import { jsonText, shadowCalls, type NewShadowCall } from '@tidegate/storage'
import type { ApiClient } from '@tidegate/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../test/start-site.ts'
import { matchRequests } from './match-requests.ts'

const NOON = new Date('2026-05-04T12:00:00Z')
const at = (seconds: number) => new Date(NOON.getTime() + seconds * 1000)
const price = priceByRatios(
  {
    priceName: 'gpt-4o',
    group: 'default',
    groupRatio: 1,
    quotaPerUnit: 500_000,
  },
  {
    modelRatio: 2,
    completionRatio: 4,
    cacheRatio: 1,
    cacheWriteRatio: 1,
    cacheWrite1hRatio: 1,
    audioRatio: 1,
    audioCompletionRatio: 1,
  },
)

let site: TestSite
let root: ApiClient
let admin: ApiClient
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  await site.makePartition(NOON)
  root = await site.signedIn('root')
  admin = await site.signedIn('admin')
})
afterAll(() => site.close())
beforeEach(async () => {
  await shadowCalls.clear(site.db)
  await site.db.deleteFrom('usage_log').execute()
})

const copies = (...rows: Partial<NewShadowCall>[]) =>
  shadowCalls.insert(
    site.db,
    rows.map((row) => ({
      created_at: NOON,
      request_id: 'r',
      user_id: 1,
      token_id: 10,
      model_name: 'gpt-4o',
      path: '/v1/chat/completions',
      is_stream: false,
      group: 'default',
      channel_id: 5,
      upstream_model: 'gpt-4o',
      prompt_tokens: 9,
      reserve: 100,
      refusal: null,
      pricing: { price },
      ...row,
    })),
  )

interface OldRow {
  ended: Date
  seconds?: number
  user_id?: number
  token_id?: number
  model_name?: string
  channel_id?: number
  quota?: number
  type?: number
  other?: object
}

const oldLog = (...rows: OldRow[]) =>
  site.db
    .insertInto('usage_log')
    .values(
      rows.map(({ ended, seconds = 0, other = { imported: 'new-api' }, ...row }) => ({
        created_at: ended,
        use_time_ms: seconds * 1000,
        type: api.LOG_TYPE.consumption,
        user_id: 1,
        token_id: 10,
        model_name: 'gpt-4o',
        channel_id: 5,
        prompt_tokens: 10,
        completion_tokens: 20,
        quota: 180,
        other: jsonText(other),
        ...row,
      })),
    )
    .execute()

const listCalls = async (query: Record<string, string> = {}) => (await admin.call(api.listShadowCalls, { query })).items
const match = () => matchRequests(site.deps)

describe('matching mirrored requests', () => {
  it('uses the start time and prices the tokens', async () => {
    await copies({ created_at: NOON })
    await oldLog({ ended: at(42), seconds: 40, quota: 170 })

    expect(await match()).toEqual({ matched: 1, left: 0 })

    // (10 + 4 × 20) × 2
    expect(await listCalls()).toMatchObject([
      {
        old_log_at: NOON.getTime() / 1000 + 2,
        old_channel_id: 5,
        old_prompt_tokens: 10,
        old_completion_tokens: 20,
        old_quota: 170,
        would_quota: 180,
      },
    ])
  })

  it.each<[string, Partial<OldRow>]>([
    ['another user', { user_id: 2 }],
    ['another token', { token_id: 11 }],
    ['another model', { model_name: 'gpt-4o-mini' }],
    ['a top-up', { type: api.LOG_TYPE.topUp }],
    ['a call that was made here', { other: {} }],
    ['a call a minute and more before', { ended: at(-61) }],
    ['a call a minute and more after', { ended: at(100), seconds: 39 }],
  ])('ignores rows of %s', async (_, row) => {
    await copies({ created_at: NOON })
    await oldLog({ ended: NOON, ...row })

    expect(await match()).toEqual({ matched: 0, left: 1 })
  })

  it('uses the nearest row, each row once', async () => {
    await copies({ created_at: at(0), request_id: 'first' }, { created_at: at(10), request_id: 'second' })
    await oldLog({ ended: at(9), quota: 1 })

    expect(await match()).toEqual({ matched: 1, left: 1 })

    expect((await listCalls()).map(({ old_quota }) => old_quota)).toEqual([1, null])
    await oldLog({ ended: at(20), quota: 2 })
    expect(await match()).toEqual({ matched: 1, left: 0 })
    expect((await listCalls()).map(({ old_quota }) => old_quota)).toEqual([1, 2])
  })

  it('finds nothing new the second time', async () => {
    await copies({})
    await oldLog({ ended: at(1) }, { ended: at(2) })
    await match()
    const before = await listCalls()

    expect(await match()).toEqual({ matched: 0, left: 0 })
    expect(await listCalls()).toEqual(before)
  })

  it('matches nothing twice concurrently', async () => {
    const moments = Array.from({ length: 3000 }, (_, index) => at(index))
    await copies(...moments.map((created_at) => ({ created_at })))
    await oldLog(...moments.map((ended) => ({ ended })))

    const found = await Promise.all([match(), match(), match()])

    expect(found.reduce((sum, { matched }) => sum + matched, 0)).toBe(3000)
    const { used } = await site.db
      .selectFrom('shadow_call')
      .select((eb) => eb.fn.count<number>('old_log_id').distinct().as('used'))
      .executeTakeFirstOrThrow()
    expect(used).toBe(3000)
  })

  it('has no price for a request that would be rejected', async () => {
    await copies({ refusal: 'no_channel', channel_id: null, pricing: null })
    await oldLog({ ended: at(1) })

    await match()

    expect(await listCalls({ only: 'differs' })).toMatchObject([{ old_quota: 180, would_quota: null }])
  })

  it('works in batches', async () => {
    const many = 25_000
    await copies(...Array.from({ length: many }, (_, index) => ({ created_at: at(index / 4), user_id: index % 50 })))
    await manyOldCalls(many)

    expect(await match()).toEqual({ matched: many, left: 0 })

    const { apart } = await site.db
      .selectFrom('shadow_call')
      .select(sql<number>`count(*) filter (where old_log_at <> created_at + interval '1 second')`.as('apart'))
      .executeTakeFirstOrThrow()
    expect(apart).toBe(0)
  })
})

/** Each started a second after its copy. */
async function manyOldCalls(many: number): Promise<void> {
  await sql`
    insert into usage_log (created_at, use_time_ms, type, user_id, token_id, model_name, quota, other)
    select ${NOON}::timestamptz + n * interval '250 milliseconds' + interval '9 seconds', 8000, 2, n % 50, 10, 'gpt-4o', 1,
      '{"imported": "one-api"}' from generate_series(0, ${many}::integer - 1) n`.execute(site.db)
}

describe('the shadow summary', () => {
  it('sums both sides', async () => {
    await copies(
      { created_at: at(0) },
      { created_at: at(600), channel_id: 6 },
      { created_at: at(1200), model_name: 'sonar', refusal: 'no_channel', channel_id: null, pricing: null },
      { created_at: at(1800), refusal: 'model_not_allowed', channel_id: null, pricing: null },
    )
    await oldLog({ ended: at(1), quota: 100 }, { ended: at(601), quota: 50 }, { ended: at(1201), model_name: 'sonar' })
    await shadowCalls.recordDropped(site.db, 3)
    await match()

    const summary = await admin.call(api.getShadowSummary)

    expect(summary).toEqual({
      enabled: false,
      share: 100,
      calls: 4,
      matched: 3,
      old_quota: 150,
      would_quota: 360,
      refused: [
        { code: 'model_not_allowed', calls: 1 },
        { code: 'no_channel', calls: 1 },
      ],
      models: [
        { model_name: 'gpt-4o', calls: 3, matched: 2, old_quota: 150, would_quota: 360 },
        { model_name: 'sonar', calls: 1, matched: 1, old_quota: 0, would_quota: 0 },
      ],
      routes: [
        { old_channel_id: 5, old_channel_name: '', channel_id: 5, channel_name: '', calls: 1 },
        { old_channel_id: 5, old_channel_name: '', channel_id: 6, channel_name: '', calls: 1 },
        { old_channel_id: 5, old_channel_name: '', channel_id: null, channel_name: '', calls: 1 },
      ],
      dropped: 3,
    })
  })

  it('covers the requested time', async () => {
    await copies({ created_at: at(0) }, { created_at: at(10) }, { created_at: at(20) })
    const noon = NOON.getTime() / 1000

    const within = await admin.call(api.getShadowSummary, { query: { start: noon + 10, end: noon + 10 } })

    expect(within).toMatchObject({ calls: 1, dropped: 0 })
  })
})

describe('the shadow list', () => {
  it('filters and sorts newest first', async () => {
    await copies(
      { created_at: at(0), request_id: 'same' },
      { created_at: at(600), channel_id: 6 },
      { created_at: at(1200), model_name: 'sonar', refusal: 'no_channel', channel_id: null, pricing: null },
    )
    await oldLog({ ended: at(1) }, { ended: at(601) })
    await match()
    const times = async (query: Record<string, string>) =>
      (await listCalls(query)).map((call) => call.created_at - NOON.getTime() / 1000)

    expect(await times({})).toEqual([1200, 600, 0])
    expect(await times({ only: 'refused' })).toEqual([1200])
    expect(await times({ only: 'matched' })).toEqual([600, 0])
    expect(await times({ only: 'differs' })).toEqual([600])
    expect(await times({ model_name: 'sonar' })).toEqual([1200])
    expect(await times({ only: 'whatever' })).toEqual([1200, 600, 0])
    expect(await admin.call(api.listShadowCalls, { query: { p: 2, page_size: 2 } })).toMatchObject({
      total: 3,
      page: 2,
      items: [{ token_name: '' }],
    })
  })
})

describe('shadow actions', () => {
  it('are recorded in the audit trail', async () => {
    await copies({}, {})

    expect(await admin.call(api.matchShadowCalls)).toEqual({ matched: 0, left: 2 })
    expect(await root.call(api.clearShadowCalls)).toBe(2)

    expect((await root.call(api.listAuditEvents, { query: { action: 'shadow' } })).items).toMatchObject([
      { action: 'shadow.clear', details: { removed: 2 } },
      { action: 'shadow.match', details: { matched: 0, left: 2 } },
    ])
    expect(await admin.call(api.getShadowSummary)).toMatchObject({ calls: 0, dropped: 0 })
  })
})
