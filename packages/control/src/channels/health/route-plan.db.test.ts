import { api } from '@tidegate/contract'
import { addChannel, type ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../../test/start-site.ts'
import type { RouteExplanation, RouteQuestion } from '../../deps.ts'

let site: TestSite
let admin: ApiClient
let questions: RouteQuestion[]
let explanation: RouteExplanation
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  admin = await site.signedIn('admin')
})
afterAll(() => site.close())
beforeEach(() => {
  questions = []
  explanation = { tiers: [], excluded: [] }
  site.deps.explainRoutes = (question) => {
    questions.push(question)
    return explanation
  }
})

const channel = { id: 1, name: 'one', type: 1, priority: 9, weight: 30 }
const fields = { channel_id: 1, name: 'one', type: 1, priority: 9, weight: 30, requests_last_hour: 0 }
const read = (query: Record<string, string | number>) => admin.call(api.getRoutePlan, { query })

it('passes the request to the gateway, with defaults', async () => {
  await read({ model: 'gpt-4o' })
  await read({ model: ' o1 ', group: 'vip', user_group: 'vip', prompt_tokens: 8000 })
  await read({ model: 'o1', prompt_tokens: -5 })

  expect(questions).toEqual([
    { model: 'gpt-4o', group: 'default', userGroup: 'default', promptTokens: 0 },
    { model: 'o1', group: 'vip', userGroup: 'vip', promptTokens: 8000 },
    { model: 'o1', group: 'default', userGroup: 'default', promptTokens: 0 },
  ])
})

it('returns tiers with shares and circuits', async () => {
  const place = { group: 'default', model: 'gpt-4o', weightFloor: 10 }
  const circuit = { state: 'half_open' as const, trippedKeys: 2 }
  explanation = {
    tiers: [
      { ...place, priority: 9, candidates: [{ channel, circuit, upstreamModel: 'mapped', share: 1 }] },
      { ...place, candidates: [{ channel, upstreamModel: 'gpt-4o', share: 0.5 }] },
    ],
    excluded: [],
  }

  expect(await read({ model: 'gpt-4o' })).toEqual({
    tiers: [
      {
        group: 'default',
        model: 'gpt-4o',
        priority: 9,
        weight_floor: 10,
        channels: [{ ...fields, upstream_model: 'mapped', share: 1, circuit: { state: 'half_open', tripped_keys: 2 } }],
      },
      {
        group: 'default',
        model: 'gpt-4o',
        priority: null,
        weight_floor: 10,
        channels: [{ ...fields, upstream_model: 'gpt-4o', share: 0.5, circuit: null }],
      },
    ],
    excluded: [],
  })
})

it('returns the reason of each excluded channel and finds automatically disabled ones', async () => {
  const { id } = await addChannel(admin, { url: 'http://127.0.0.1:9' }, { key: 'sk-1', name: 'banned' })
  await site.db.updateTable('channel').set({ status: 3 }).where('id', '=', id).execute()
  const place = { group: 'default', model: 'gpt-4o' }
  explanation = {
    tiers: [],
    excluded: [
      { ...place, channel, reason: 'cooling-down', waitMs: 4999.5 },
      { ...place, channel, reason: 'prompt-too-long', inputLimit: 4096 },
      { ...place, channel, reason: 'misconfigured' },
      { ...place, channel: { ...channel, id: id + 1 }, reason: 'disabled' },
      { ...place, channel: { ...channel, id }, reason: 'disabled' },
      { ...place, channel, reason: 'other-group' },
    ],
  }

  const { excluded } = await read({ model: 'gpt-4o' })

  expect(excluded[0]).toEqual({ ...fields, ...place, circuit: null, reason: 'circuit_open', retry_in_ms: 5000 })
  expect(excluded[1]).toMatchObject({ reason: 'prompt_too_long', max_input_tokens: 4096 })
  expect(excluded.slice(2).map(({ reason }) => reason)).toEqual([
    'misconfigured',
    'disabled',
    'auto_disabled',
    'other_group',
  ])
})

it('counts the requests that each channel served in the last hour, without tests', async () => {
  const now = site.deps.now().getTime()
  const row = { type: 2, user_id: 1, model_name: 'counted', channel_id: 1, other: '{}' }
  await site.db
    .insertInto('usage_log')
    .values([
      { ...row, created_at: new Date(now - 60_000) },
      { ...row, created_at: new Date(now - 3_500_000) },
      { ...row, created_at: new Date(now - 3_700_000) },
      { ...row, created_at: new Date(now - 60_000), other: '{"test":true}' },
      { ...row, created_at: new Date(now - 60_000), type: 6 },
      { ...row, created_at: new Date(now - 60_000), channel_id: 2 },
    ])
    .execute()
  const place = { group: 'default', model: 'counted' }
  explanation = {
    tiers: [],
    excluded: [1, 2, 3].map((id) => ({ ...place, channel: { ...channel, id }, reason: 'other-group' as const })),
  }

  const { excluded } = await read({ model: 'counted' })

  expect(excluded.map(({ requests_last_hour: requests }) => requests)).toEqual([2, 1, 0])
})

it('needs a model, an administrator and a gateway', async () => {
  const user = await site.signedIn('user')

  await expect(read({ model: ' ' })).rejects.toMatchObject({ code: 'invalid_params' })
  await expect(user.call(api.getRoutePlan, { query: { model: 'o1' } })).rejects.toMatchObject({ code: 'forbidden' })
  delete site.deps.explainRoutes
  await expect(read({ model: 'o1' })).rejects.toMatchObject({ code: 'route_plan_off' })
})
