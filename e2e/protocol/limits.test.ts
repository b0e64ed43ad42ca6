import Anthropic from '@anthropic-ai/sdk'
import { addChannel, addToken, fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import OpenAI, { RateLimitError } from 'openai'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { windows } from '../scenarios/limits/count-requests.ts'
import { sharedSite } from './shared-site.ts'

const MODEL = 'gpt-4o-mini'
const messages = [{ role: 'user' as const, content: 'hi' }]

const site = sharedSite()
let upstream: FakeUpstream
beforeAll(async () => {
  upstream = await fakeUpstream()
  await addChannel(site.admin, upstream, { models: MODEL })
})
afterAll(() => upstream?.close())

const newKey = async (limits: Parameters<typeof addToken>[1]) => (await addToken(site.admin, limits)).secret

it("sends OpenAI's rate limit headers and an error with the time to retry", async () => {
  const apiKey = await newKey({ ...windows(1, 0), tokens_per_minute: 5_000 })
  const openai = new OpenAI({ apiKey, baseURL: `${site.url}/v1`, maxRetries: 0 })

  const { response } = await openai.chat.completions.create({ model: MODEL, messages }).withResponse()
  const rejected: unknown = await openai.chat.completions
    .create({ model: MODEL, messages })
    .catch((error: unknown) => error)

  expect(response.headers.get('x-ratelimit-limit-requests')).toBe('1')
  expect(response.headers.get('x-ratelimit-reset-requests')).toMatch(/^(1h0m0s|59m\d+s)$/)
  expect(response.headers.get('x-ratelimit-limit-tokens')).toBe('5000')
  expect(rejected).toBeInstanceOf(RateLimitError)
  expect(Number((rejected as RateLimitError).headers.get('retry-after'))).toBeCloseTo(3_600, -2)
})

it('makes the SDK stop retrying a prompt that can never fit', async () => {
  const apiKey = await newKey({ tokens_per_minute: 20 })
  let tries = 0
  const openai = new OpenAI({
    apiKey,
    baseURL: `${site.url}/v1`,
    maxRetries: 2,
    fetch: (...args) => {
      tries += 1
      return fetch(...args)
    },
  })

  const rejected: unknown = await openai.chat.completions
    .create({ model: MODEL, messages: [{ role: 'user', content: 'much too long '.repeat(50) }] })
    .catch((error: unknown) => error)

  expect(rejected).toMatchObject({ status: 429, code: 'rate_limit_exceeded' })
  expect(tries).toBe(1)
})

it("sends Anthropic's rate limit headers with a stream", async () => {
  const apiKey = await newKey(windows(5, 0))
  const anthropic = new Anthropic({ apiKey, baseURL: site.url, maxRetries: 0 })

  const { data, response } = await anthropic.messages
    .create({ model: MODEL, max_tokens: 20, messages, stream: true })
    .withResponse()
  for await (const event of data) expect(event.type).toBeTruthy()

  expect(response.headers.get('anthropic-ratelimit-requests-remaining')).toBe('4')
  const resetsAt = Date.parse(response.headers.get('anthropic-ratelimit-requests-reset')!)
  expect(resetsAt - Date.now()).toBeLessThanOrEqual(721_000)
})
