import Anthropic from '@anthropic-ai/sdk'
import OpenAI, { RateLimitError } from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { comeBack } from '../proof/limits/come-back.ts'
import { countRequests, countSuccesses, windows } from '../proof/limits/count-calls.ts'
import { countModelTokens } from '../proof/limits/count-model-tokens.ts'
import { holdPlaces } from '../proof/limits/hold-places.ts'
import { openLimitsSite, type LimitsSite } from '../proof/limits/limits-site.ts'
import { loseRedis } from '../proof/limits/lose-redis.ts'
import { MODEL } from '../proof/site.ts'

/** The short forms of `npm run proof:limits`. */
describe('limits on two gateways', () => {
  let site: LimitsSite
  beforeAll(async () => {
    site = await openLimitsSite()
  })
  afterAll(() => site?.close())

  it('let in as many requests as there may be, and tell each how many remain', async () => {
    const result = await countRequests(site, { calls: 400, atOnce: 40, limit: 100 })

    expect(result.short).toEqual([])
    expect(result.admitted + result.refused).toBe(400)
  })

  it('let in as many successes as there may be, whatever fails', async () => {
    const result = await countSuccesses(site, { calls: 400, atOnce: 40, limit: 100 })

    expect(result.short).toEqual([])
  })

  it('let in as many model tokens as there may be in a minute', async () => {
    const result = await countModelTokens(site, { calls: 300, atOnce: 20, tokensPerMinute: 50_000 })

    expect(result.short).toEqual([])
    expect(result.refused).toBeGreaterThan(0)
  })

  it('let as many calls run at a time as may, and others when those have hung up', async () => {
    const result = await holdPlaces(site, { calls: 100, atOnce: 40, limit: 20 })

    expect(result.short).toEqual([])
    expect(result).toMatchObject({ mostAtOnce: 20, admittedAfterHangUps: 20 })
  })

  it('let those in who waited as long as they were told', async () => {
    const result = await comeBack(site)

    expect(result.short).toEqual([])
    expect(result.admitted).toBe(2)
  })

  describe('to official clients', () => {
    const messages = [{ role: 'user' as const, content: 'hi' }]

    it('are headers that OpenAI has too, and an error that says when to come back', async () => {
      const apiKey = await site.newKey({ ...windows(1, 0), tokens_per_minute: 5_000 })
      const openai = new OpenAI({ apiKey, baseURL: `${site.nodes[0]!.url}/v1`, maxRetries: 0 })

      const { response } = await openai.chat.completions.create({ model: MODEL, messages }).withResponse()
      const refused: unknown = await openai.chat.completions
        .create({ model: MODEL, messages })
        .catch((error: unknown) => error)

      expect(response.headers.get('x-ratelimit-limit-requests')).toBe('1')
      expect(response.headers.get('x-ratelimit-reset-requests')).toMatch(/^(1h0m0s|59m\d+s)$/)
      expect(response.headers.get('x-ratelimit-limit-tokens')).toBe('5000')
      expect(refused).toBeInstanceOf(RateLimitError)
      expect(Number((refused as RateLimitError).headers.get('retry-after'))).toBeCloseTo(3_600, -2)
    })

    it('are not tried again where that could never help', async () => {
      const apiKey = await site.newKey({ tokens_per_minute: 20 })
      let tries = 0
      const openai = new OpenAI({
        apiKey,
        baseURL: `${site.nodes[0]!.url}/v1`,
        maxRetries: 2,
        fetch: (...asked) => {
          tries += 1
          return fetch(...asked)
        },
      })

      const refused: unknown = await openai.chat.completions
        .create({ model: MODEL, messages: [{ role: 'user', content: 'much too long '.repeat(50) }] })
        .catch((error: unknown) => error)

      expect(refused).toMatchObject({ status: 429, code: 'token_prompt_too_large' })
      expect(tries).toBe(1)
    })

    it('are headers that Anthropic has too, in the head of a stream', async () => {
      const apiKey = await site.newKey(windows(5, 0))
      const anthropic = new Anthropic({ apiKey, baseURL: site.nodes[1]!.url, maxRetries: 0 })

      const { data, response } = await anthropic.messages
        .create({ model: MODEL, max_tokens: 20, messages, stream: true })
        .withResponse()
      for await (const event of data) expect(event.type).toBeTruthy()

      expect(response.headers.get('anthropic-ratelimit-requests-remaining')).toBe('4')
      const resetsAt = Date.parse(response.headers.get('anthropic-ratelimit-requests-reset')!)
      expect(resetsAt - Date.now()).toBeLessThanOrEqual(721_000)
    })
  })

  // The last one: Redis is new after it.
  it('are those of each process while Redis is away, and shared again when it is back', async () => {
    const result = await loseRedis(site, { calls: 300, atOnce: 40, limit: 100 })

    expect(result.short).toEqual([])
    expect(result.refusedForMoney).toBe('pre_consume_token_quota_failed')
  })
})
