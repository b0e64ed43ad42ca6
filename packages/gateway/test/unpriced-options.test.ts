import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aChannel } from './support/catalog.ts'
import { KEY, startGateway, type TestGateway } from './support/gateway.ts'

let upstream: FakeUpstream
let gateway: TestGateway
beforeEach(async () => {
  upstream = await fakeUpstream()
})
afterEach(async () => {
  await gateway.close()
  await upstream.close()
})

interface Site {
  type?: number
  setting?: Record<string, unknown>
  settings?: object
}

async function start({ type = 1, setting = {}, settings = {} }: Site = {}): Promise<void> {
  const models = ['plain', 'gpt-5.4', 'claude-opus-5-5']
  gateway = await startGateway({
    channels: [aChannel({ type, baseUrl: upstream.url, models, setting })],
    settings: { ModelRates: { plain: { rates: { input: 1, output: 2 } } }, ...settings },
  })
  gateway.credit.balance = 1_000_000_000
}

const post = (path: string, body: object) =>
  gateway.send({
    method: 'POST',
    path,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const question = { messages: [{ role: 'user', content: 'When is high tide?' }] }
const sent = () => upstream.requests.at(-1)!.body as Record<string, unknown>

describe('an option that the model has no price for', () => {
  it.each([
    ['/v1/chat/completions', 1, { service_tier: 'priority', ...question }, 'service_tier'],
    ['/v1/chat/completions', 1, { web_search_options: {}, ...question }, 'web_search_options'],
    ['/v1/messages', 14, { speed: 'fast', max_tokens: 9, ...question }, 'speed'],
    ['/v1/messages', 14, { inference_geo: 'us', max_tokens: 9, ...question }, 'inference_geo'],
  ])('is removed on %s, and named in a header and in the log', async (path, type, body, option) => {
    await start({ type })

    const { status, headers } = await post(path, { model: 'plain', ...body })

    expect(status).toBe(200)
    expect(sent()).not.toHaveProperty(option)
    expect(headers['x-tidegate-stripped']).toBe(option)
    expect(gateway.credit.settled[0]!.log.other).toMatchObject({ stripped: [option] })
  })

  it('is removed from the tools, and client functions stay', async () => {
    await start()
    const own = { type: 'function', name: 'f', parameters: {} }

    await post('/v1/responses', {
      model: 'plain',
      input: 'hi',
      tools: [{ type: 'web_search' }, own],
      tool_choice: { type: 'web_search' },
    })

    expect(sent().tools).toEqual([own])
    expect(sent()).not.toHaveProperty('tool_choice')
  })

  it('does not reach the provider when it is sent twice, or through a channel override', async () => {
    await start()
    const body = `{"model":"plain","service_tier":"priority","service_tier":"default",${JSON.stringify(question).slice(1)}`
    await gateway.send({
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body,
    })

    expect(sent().service_tier).not.toBe('priority')
  })

  it('is removed also with pass-through enabled', async () => {
    await start({ settings: { 'global.pass_through_request_enabled': true } })

    await gateway.chat({ model: 'plain', service_tier: 'priority', ...question })

    expect(sent()).not.toHaveProperty('service_tier')
  })

  it('is rejected before the provider is called where the channel is configured so', async () => {
    await start({ setting: { unpriced_options: 'reject' } })

    const { status, json } = await gateway.chat({ model: 'plain', service_tier: 'priority', ...question })

    expect([status, json.error.code]).toEqual([400, 'unpriced_option'])
    expect(upstream.requests).toHaveLength(0)
    expect(gateway.credit.states()).not.toContain('reserved')
  })
})

describe('an option that has a price', () => {
  it('is forwarded', async () => {
    await start()

    const { headers } = await gateway.chat({ model: 'gpt-5.4', service_tier: 'priority', ...question })

    expect(sent().service_tier).toBe('priority')
    expect(headers).not.toHaveProperty('x-tidegate-stripped')
  })

  it('reserves its possible cost', async () => {
    await start()
    const body = { model: 'gpt-5.4', max_completion_tokens: 1000, ...question }
    await gateway.chat(body)
    await gateway.chat({ ...body, service_tier: 'priority' })

    const [usual, fast] = gateway.credit.entries.map(({ amount }) => amount)

    expect(fast!).toBeGreaterThan(usual! * 1.5)
  })
})

describe('a model without an output rate', () => {
  it('is rejected: output is never billed at the input price by default', async () => {
    await start({ settings: { ModelRates: {}, ModelRatio: { plain: 1 }, CompletionRatio: {} } })

    const { status, code } = await gateway.chat({ model: 'plain', ...question })

    expect([status, code]).toEqual([403, 'model_price_error'])
    expect(upstream.requests).toHaveLength(0)
  })
})
