import type { GatewayEvent } from '@tidegate/gateway'
import { describe, expect, it } from 'vitest'
import { createRequestCounter } from './request-metrics.ts'

const call = (outcome: 'served' | 'refused' | 'failed', status = 200): GatewayEvent => ({
  kind: 'request',
  outcome,
  status,
  milliseconds: 5,
})
const conversation = (firstTokenMs: number): GatewayEvent => ({
  kind: 'model-request',
  requestId: 'r',
  startedAt: 0,
  milliseconds: 1,
  model: 'm',
  dialect: 'openai-chat',
  stream: true,
  outcome: 'served',
  attempts: [],
  firstTokenMs,
  inputTokens: 10,
  outputTokens: 5,
  timing: {},
})

describe('createRequestCounter', () => {
  it('counts requests, failures that the caller did not cause, tokens and first tokens', () => {
    const counter = createRequestCounter(() => 1_000_000)

    for (const event of [call('served'), call('failed', 502), call('refused', 429), call('failed', 503)]) {
      counter.observe(event)
    }
    counter.observe(conversation(60))
    counter.observe(conversation(999_999))

    const read = counter.read(7)
    expect(read).toMatchObject({ calls: 4, failed: 2, tokens: 30, openRequests: 7 })
    expect(read.firstTokens[1]).toBe(1)
    expect(read.firstTokens.at(-1)).toBe(1)
  })

  it('drops counts older than the window, and reports its length', () => {
    let now = 1_000_000
    const counter = createRequestCounter(() => now)
    counter.observe(call('served'))

    now += 9_000
    counter.observe(call('served'))
    expect(counter.read(0)).toMatchObject({ calls: 2, seconds: 11 })

    now += 5_000
    expect(counter.read(0).calls).toBe(1)
    now += 60_000
    expect(counter.read(0)).toMatchObject({ calls: 0, tokens: 0 })
  })
})
