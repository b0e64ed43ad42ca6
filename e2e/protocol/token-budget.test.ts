import { api } from '@tidegate/contract'
import { addChannel, addToken, fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import OpenAI, { type APIError } from 'openai'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sharedSite } from './shared-site.ts'

const site = sharedSite()
const client = site.admin
let upstream: FakeUpstream
beforeAll(async () => {
  upstream = await fakeUpstream()
  await addChannel(client, upstream)
})
afterAll(() => upstream?.close())

const send = (apiKey: string) =>
  new OpenAI({ apiKey, baseURL: `${site.url}/v1`, maxRetries: 0 }).chat.completions.create({
    model: 'gpt-4o',
    messages: [{ role: 'user', content: 'hello' }],
    max_tokens: 10,
  })

const outcome = (apiKey: string) =>
  send(apiKey).then(
    () => 'served',
    (error: APIError) => error.headers?.get('x-tidegate-error'),
  )

it('rejects a key whose daily budget is spent, reports when it resets, and accepts a larger budget at once', async () => {
  const budget = { unlimited_quota: false, budget_period: 'day', budget_zone: 'Asia/Shanghai' } as const
  const { id, secret } = await addToken(client, { ...budget, budget_quota: 1_000_000 })
  const setBudget = (budget_quota: number) => client.call(api.updateToken, { body: { id, budget_quota } })
  expect(await outcome(secret)).toBe('served')
  const usedQuota = async () => (await client.call(api.getToken, { path: { id } })).used_quota
  await expect.poll(usedQuota).toBeGreaterThan(1) // settled: until then the budget is not spent

  const { budget_resets_at, remain_quota } = await setBudget(1) // less than was spent already
  await expect.poll(() => outcome(secret)).toBe('api_key_budget_spent')
  const apiError = (await send(secret).catch((error: unknown) => error)) as APIError

  expect(remain_quota).toBe(0)
  expect(apiError).toMatchObject({ status: 402, code: 'insufficient_quota' })
  expect(apiError.message).toContain(new Date(budget_resets_at * 1000).toISOString())
  expect(apiError.headers!.get('x-should-retry')).toBe('false')
  await setBudget(1_000_000)
  await expect.poll(() => outcome(secret)).toBe('served')
})
