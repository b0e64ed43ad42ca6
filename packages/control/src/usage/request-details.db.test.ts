import { api } from '@tidegate/contract'
import type { ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../test/start-site.ts'
import { createSettlement, settle } from '../../test/usage-log.ts'

let site: TestSite
let admin: ApiClient
let user: ApiClient
const other = {
  frt: 310,
  timing: { authenticate: 0.2, limits: 0.1, prompt: 1.4, route: 0.3, credit: 2 },
  token_limited: true,
  uncovered: 3,
  admin_info: {
    use_channel: ['7', '9'],
    attempts: [
      { channel: 7, dialect: 'openai-chat', milliseconds: 100, status: 503, reason: 'server: overloaded' },
      { channel: 9, dialect: 'openai-chat', milliseconds: 200 },
    ],
    decision: { candidates: 3, passedOver: [{ channelId: 5, reason: 'cooling-down' }], passedOverCount: 1 },
  },
}

beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  admin = await site.signedIn('admin')
  user = await site.signedIn('user')
  const log = { other, isStream: true, useTimeMs: 1000 }
  await settle(site, [createSettlement(user.userId!, new Date(), { requestId: 'req-1', quota: 42, tokenId: 3, log })])
  const failure = { type: 6, user_id: user.userId!, channel_id: 7, request_id: 'req-2', content: 'bad gateway' }
  const rejection = (userId: number, requestId: string) => ({
    type: 6,
    user_id: userId,
    request_id: requestId,
    content: 'as the client read it',
    other: JSON.stringify({
      rejected: true,
      error_code: 'no_channel',
      not_recorded: 12,
      admin_info: {
        details: { model: 'm', group: 'default' },
        client: 'curl',
        decision: { candidates: 0, passedOver: [{ channelId: 5, reason: 'disabled' }], passedOverCount: 1 },
      },
    }),
  })
  await site.db
    .insertInto('usage_log')
    .values([rejection(user.userId!, 'req-3'), rejection(0, 'req-4')])
    .execute()
  await site.db
    .insertInto('usage_log')
    .values({ ...failure, other: JSON.stringify({ status_code: 502, channel_name: 'secret' }) })
    .execute()
})
afterAll(() => site.close())

it('shows an administrator all steps of a request and its charge', async () => {
  const trail = await admin.call(api.getRequestTrail, { query: { request_id: 'req-1' } })

  expect(trail.outcome).toBe('served')
  expect(trail.steps.map(({ kind, started, took }) => [kind, started, took])).toEqual([
    ['authenticate', 0, 0.2],
    ['limits', 0.2, 0.1],
    ['prompt', 0.3, 1.4],
    ['route', 1.7, 0.3],
    ['credit', 2, 2],
    ['attempt', 4, 100],
    ['attempt', 104, 200],
    ['first_token', 310, 0],
    ['answer', 310, 690],
    ['settle', 1000, 0],
  ])
  expect(trail.steps[5]).toMatchObject({ served: false, status: 503, channel: 7, reason: 'server: overloaded' })
  expect(trail.decision).toMatchObject({ candidates: 3, passed_over: [{ channel: 5, reason: 'cooling-down' }] })
  expect(trail.charged).toEqual({ quota: 42, token_quota: 42, uncovered: 3 })
  expect(trail.row).toMatchObject({ request_id: 'req-1', channel: 7 })
})

it('shows its user the same without channels and attempts', async () => {
  const trail = await user.call(api.getOwnRequestTrail, { query: { request_id: 'req-1' } })

  expect(trail.steps.filter(({ kind }) => kind === 'attempt')).toEqual([
    { kind: 'attempt', started: 4, took: 300, served: true },
  ])
  expect(trail.charged.quota).toBe(42)
  expect(JSON.stringify(trail)).not.toMatch(/overloaded|cooling|use_channel|openai-chat|"channel":[1-9]/)
})

it('shows a request that only failed', async () => {
  const trail = await user.call(api.getOwnRequestTrail, { query: { request_id: 'req-2' } })

  expect(trail).toMatchObject({ outcome: 'failed', steps: [], errors: [{ content: 'bad gateway', channel: 0 }] })
  expect(trail.row).toBeUndefined()
  expect(JSON.stringify(trail)).not.toContain('secret')
})

it('shows the steps and attempts of a failed request', async () => {
  const { frt: _frt, uncovered: _uncovered, ...rest } = other
  const [first, second] = other.admin_info.attempts
  const attempts = [first!, { ...second!, status: 529, reason: 'status: overloaded' }]
  const failed = { ...rest, admin_info: { ...other.admin_info, attempts } }
  const row = { type: 6, user_id: user.userId!, request_id: 'req-5', use_time_ms: 310 }
  await site.db
    .insertInto('usage_log')
    .values([
      { ...row, channel_id: 7, created_at: new Date(Date.now() - 10), other: '{"not_final":true}' },
      { ...row, channel_id: 9, created_at: new Date(), other: JSON.stringify(failed) },
    ])
    .execute()
  const query = { request_id: 'req-5' }

  const trail = await admin.call(api.getRequestTrail, { query })
  const own = await user.call(api.getOwnRequestTrail, { query })

  expect(trail.outcome).toBe('failed')
  expect(trail.steps.map(({ kind, started }) => [kind, started])).toEqual([
    ['authenticate', 0],
    ['limits', 0.2],
    ['prompt', 0.3],
    ['route', 1.7],
    ['credit', 2],
    ['attempt', 4],
    ['attempt', 104],
  ])
  expect(trail.steps.at(-1)).toMatchObject({ served: false, status: 529, channel: 9 })
  expect(trail.decision).toMatchObject({ candidates: 3 })
  expect(own.steps.at(-1)).toEqual({ kind: 'attempt', started: 4, took: 300, served: false })
  expect(JSON.stringify(own)).not.toMatch(/overloaded|use_channel|"channel":[1-9]/)
})

it('explains a rejected request to its user, and the skipped channels to administrators', async () => {
  const own = await user.call(api.getOwnRequestTrail, { query: { request_id: 'req-3' } })
  const whole = await admin.call(api.getRequestTrail, { query: { request_id: 'req-3' } })

  expect(own).toMatchObject({ outcome: 'rejected', errors: [{ content: expect.stringMatching(/模型 m 无可用渠道/) }] })
  expect(JSON.parse(own.errors[0]!.other)).toEqual({ rejected: true, error_code: 'no_channel', not_recorded: 12 })
  expect(own.decision).toBeUndefined()
  expect(whole.decision).toMatchObject({ passed_over: [{ channel: 5, reason: 'disabled' }] })
  expect(whole.errors[0]!.other).toContain('curl')
})

it('shows a rejected request without a known token to administrators only', async () => {
  const query = { request_id: 'req-4' }

  expect(await admin.call(api.getRequestTrail, { query })).toMatchObject({ outcome: 'rejected' })
  await expect(user.call(api.getOwnRequestTrail, { query })).rejects.toMatchObject({ code: 'request_not_found' })
})

it.each(['nonsense', '', 'req-1'])('rejects %j from other users', async (request_id) => {
  const otherUser = await site.signedIn('user')

  await expect(otherUser.call(api.getOwnRequestTrail, { query: { request_id } })).rejects.toMatchObject({
    code: 'request_not_found',
  })
})
