import { addChannel, fakeUpstream, type FakeUpstream, hereAndNow } from '@tidegate/testing'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crowd } from '../proof/streams/crowd.ts'
import { holdBack } from '../proof/streams/hold-back.ts'
import { keepPace } from '../proof/streams/keep-pace.ts'
import { refuseMonsters } from '../proof/streams/refuse-monsters.ts'
import { spareOthers } from '../proof/streams/spare-others.ts'
import { openStreamSite, type StreamSite } from '../proof/streams/stream-site.ts'
import { surviveSilence } from '../proof/streams/survive-silence.ts'

const MB = 1024 ** 2

/** The short forms of `npm run proof:streams`, with room for a machine that has other things to do. */
describe('streams', () => {
  let site: StreamSite
  beforeAll(async () => {
    site = await openStreamSite()
  })
  afterAll(() => site?.close())

  it('arrive behind nginx event by event, as they are sent', async () => {
    const result = await keepPace(site, { events: 20, everyMs: 100 })

    expect(result.short).toEqual([])
    expect(result.heard).toBe(result.sent)
    expect(result.p50).toBeLessThan(90) // waiting for the next event would take longer
  })

  it('outlive a silence longer than the limit of nginx, by pings, in every protocol', async () => {
    const result = await surviveSilence(site, {
      silentSeconds: 5,
      idleLimitSeconds: 3,
      pingSeconds: 1,
      firstPingWithinMs: 3_000,
    })

    expect(result.short).toEqual([])
    expect(result.survived).toBe(8)
  })

  it('are held back by clients that read slowly, and the process does not grow', async () => {
    const result = await holdBack(site, { readers: 5, seconds: 3 })

    expect(result.short).toEqual([])
    expect(result.grownBytes).toBeLessThan(8 * MB)
  })

  it('end in words when they are what nobody honest sends, and are forgotten', async () => {
    const result = await refuseMonsters(site, { rounds: 2 })

    expect(result.short).toEqual([])
    expect(result.refused).toBe(10)
    expect(result.grownBytes).toBeLessThan(16 * MB)
  })

  it('are light, many at once, and all of them end well', async () => {
    const result = await crowd(site, { streams: 200, everyMs: 1_000 })

    expect(result.short).toEqual([])
    expect(result.complete).toBe(200)
    expect(result.heapBytesEach).toBeLessThan(60 * 1024)
  })

  it('are not held up by the prompt of another that is as long as a book', async () => {
    const result = await spareOthers(site, { streams: 5, everyMs: 20, promptTokens: 200_000, prompts: 5 })

    expect(result.short).toEqual([])
    expect(result.countedTokens).toBeGreaterThanOrEqual(200_000)
    expect(result.addedMedian).toBeLessThan(hereAndNow(200)) // counting it there and then takes longer
  })

  describe('to official clients', () => {
    let upstream: FakeUpstream
    beforeAll(async () => {
      upstream = await fakeUpstream()
      upstream.always({ text: 'The tide is in.', headersAfterMs: 1_500, firstEventAfterMs: 1_500 })
      await addChannel(site.client, upstream, { models: 'gpt-4o-mini' })
      await addChannel(site.client, upstream, { type: 14, models: 'claude-sonnet-4-20250514' })
      await addChannel(site.client, upstream, { type: 24, models: 'gemini-2.0-flash' })
      const prices = { 'gpt-4o-mini': 1, 'claude-sonnet-4-20250514': 1, 'gemini-2.0-flash': 1 }
      await site.setOption('ModelRatio', prices)
      await site.setOption('general_setting.ping_interval_seconds', 1)
      await site.setOption('general_setting.ping_interval_enabled', true)
    })
    afterAll(() => upstream?.close())

    it.concurrent('have pings in them that disturb nobody, in chat completions', async () => {
      const openai = new OpenAI({ apiKey: site.key, baseURL: `${site.server.url}/v1`, maxRetries: 0 })

      const stream = openai.chat.completions.stream({
        model: 'gpt-4o-mini',
        messages: [{ role: 'user', content: 'hi' }],
      })

      expect((await stream.finalMessage()).content).toBe('The tide is in.')
    })

    it.concurrent('have pings in them that disturb nobody, in responses', async () => {
      const openai = new OpenAI({ apiKey: site.key, baseURL: `${site.server.url}/v1`, maxRetries: 0 })

      const stream = openai.responses.stream({ model: 'gpt-4o-mini', input: 'hi' })

      expect((await stream.finalResponse()).output_text).toBe('The tide is in.')
    })

    it.concurrent('have pings in them that disturb nobody, in messages', async () => {
      const anthropic = new Anthropic({ apiKey: site.key, baseURL: site.server.url, maxRetries: 0 })

      const stream = anthropic.messages.stream({
        model: 'claude-sonnet-4-20250514',
        max_tokens: 100,
        messages: [{ role: 'user', content: 'hi' }],
      })

      expect(await stream.finalText()).toBe('The tide is in.')
    })

    it.concurrent("have pings in them that disturb nobody, in Google's protocol", async () => {
      const google = new GoogleGenAI({ apiKey: site.key, httpOptions: { baseUrl: site.server.url } })

      const chunks = await google.models.generateContentStream({ model: 'gemini-2.0-flash', contents: 'hi' })
      let text = ''
      for await (const chunk of chunks) text += chunk.text ?? ''

      expect(text).toBe('The tide is in.')
    })
  })
})
