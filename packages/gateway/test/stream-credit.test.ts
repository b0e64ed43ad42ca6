import { ApiError } from '@tidegate/contract'
import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aChannel } from './support/catalog.ts'
import { startGateway, type TestGateway } from './support/gateway.ts'

let upstream: FakeUpstream
let gateway: TestGateway
beforeEach(async () => {
  upstream = await fakeUpstream()
  gateway = await startGateway({
    channels: [aChannel({ baseUrl: upstream.url, models: ['tide-1'] })],
    settings: {
      ModelRatio: { 'tide-1': 1.25 },
      CompletionRatio: { 'tide-1': 4 },
      'billing.assumed_output_tokens': 100,
    },
  })
})
afterEach(async () => {
  expect(gateway.credit.mistakes).toEqual([])
  expect(gateway.credit.states()).not.toContain('reserved')
  await gateway.close()
  await upstream.close()
})

/** Reserves the price of 500 input tokens at 1.25 each; an output token costs four times as much. */
const chat = { model: 'tide-1', stream: true, messages: [{ role: 'user', content: 'hi' }] }
const errorOf = (data: string[]) => JSON.parse(data.at(-1)!).error as { code: string }
const away = () => Promise.reject(new ApiError('settlement_unavailable'))

describe('a stream of a model with an unknown maximum', () => {
  it('is billed in full while there is credit', async () => {
    upstream.next({ text: 'the tide comes in '.repeat(100) })

    const { data } = await gateway.chat(chat)

    expect(data.at(-1)).toBe('[DONE]')
    expect(gateway.credit.entries[0]!.amount).toBeGreaterThanOrEqual(gateway.credit.settled[0]!.receipt.quota)
  })

  it('ends with an error when the credit runs out, and the provider is disconnected at once', async () => {
    gateway.credit.balance = 760
    upstream.next({ text: 'the tide comes in '.repeat(1000), betweenEventsMs: 1 })

    const { data } = await gateway.chat(chat)

    expect(errorOf(data)).toMatchObject({ code: 'insufficient_quota' })
    const { sent } = await upstream.aborted(1)
    const { usage, receipt } = gateway.credit.settled[0]!
    expect(sent.events).toBeLessThan(300)
    expect(usage.output).toBeGreaterThan(100) // 760 pays for 149 at 5 each
    expect(receipt.quota).toBeLessThanOrEqual(760 + 5 * 5)
    expect(gateway.credit.balance).toBeGreaterThanOrEqual(0)
  })

  it('sends only what is covered of a large chunk, and bills no more than that', async () => {
    gateway.credit.balance = 760
    upstream.next({ text: 'the tide comes in '.repeat(1000), usage: 'missing' })

    const { data } = await gateway.chat(chat)

    expect(errorOf(data)).toMatchObject({ code: 'insufficient_quota' })
    const sentChunks = data.slice(0, -1).filter((chunk) => JSON.parse(chunk).choices[0].delta.content).length
    const { output } = gateway.credit.settled[0]!.usage
    expect(sentChunks).toBeGreaterThan(100)
    expect(output - sentChunks).toBeGreaterThanOrEqual(0)
    expect(output - sentChunks).toBeLessThanOrEqual(5)
  })

  it('ends with an error when credit is unavailable, and is billed for what was reserved', async () => {
    gateway.credit.beforeExtend = away
    upstream.next({ text: 'the tide comes in '.repeat(1000), betweenEventsMs: 1 })

    const { data } = await gateway.chat(chat)

    expect(errorOf(data)).toMatchObject({ code: 'settlement_unavailable' })
    await upstream.aborted(1)
    expect(gateway.credit.states()).toEqual(['settled'])
  })

  it('is not free when credit is unavailable at its end', async () => {
    gateway.credit.beforeExtend = away
    upstream.next({ text: 'Hi', usage: { prompt_tokens: 10, completion_tokens: 4000 } })

    const { data } = await gateway.chat(chat)

    expect(data.at(-1)).toBe('[DONE]')
    expect(gateway.credit.states()).toEqual(['settled'])
  })

  it('is counted before it is ended: long words are estimated too high', async () => {
    const text = ' international'.repeat(140).trim() // 140 tokens that are estimated at 490
    gateway.credit.balance = 760
    upstream.next({ text, usage: { prompt_tokens: 10, completion_tokens: 140 } })

    const { data } = await gateway.chat(chat)

    expect(data.at(-1)).toBe('[DONE]')
    expect(gateway.credit.settled[0]!.usage.output).toBe(140)
  })
})

it('a whole response that costs more than the account holds is delivered, and the account is emptied', async () => {
  gateway.credit.balance = 760
  upstream.next({ usage: { prompt_tokens: 10, completion_tokens: 4000 } })

  const { status, json } = await gateway.chat({ ...chat, stream: false })

  expect(status).toBe(200)
  expect(json.usage.completion_tokens).toBe(4000)
  expect(gateway.credit.balance).toBe(0)
})
