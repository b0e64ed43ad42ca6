import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aChannel } from '../support/catalog.ts'
import { KEY, startGateway, type TestGateway } from '../support/gateway.ts'

const OPENAI = 1
const ANTHROPIC = 14
const DEEPSEEK = 43

let upstream: FakeUpstream
let gateway: TestGateway
beforeEach(async () => {
  upstream = await fakeUpstream()
})
afterEach(async () => {
  await gateway.close()
  await upstream.close()
})

async function start(...types: number[]): Promise<void> {
  const models = ['m', 'gpt-6-sol', 'o3', 'claude-opus-5-5']
  gateway = await startGateway({
    channels: types.map((type, at) => aChannel({ id: at + 1, type, baseUrl: upstream.url, models, priority: -at })),
    settings: { SelfUseModeEnabled: true },
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
const detailsOfLog = () => gateway.credit.settled[0]!.log.other

describe.each([{ stream: false }, { stream: true }])('a converted request with %o', (form) => {
  it('names what the provider cannot receive in a header and in the log', async () => {
    await start(ANTHROPIC)

    const { status, headers } = await gateway.chat({ model: 'm', seed: 4, logprobs: true, ...question, ...form })

    expect(status).toBe(200)
    expect(headers['x-tidegate-dropped']).toBe('logprobs, seed')
    expect(detailsOfLog()).toMatchObject({ dropped: ['logprobs', 'seed'] })
  })

  it('names an option that the model does not accept, also in the same protocol', async () => {
    await start(OPENAI)

    const { headers } = await gateway.chat({ model: 'o3', temperature: 0.5, max_tokens: 50, ...question, ...form })

    expect(headers['x-tidegate-dropped']).toBe('temperature')
    expect(upstream.requests.at(-1)!.body).not.toHaveProperty('temperature')
  })

  it('loses nothing if it is plain', async () => {
    await start(ANTHROPIC)

    const { headers } = await gateway.chat({ model: 'm', ...question, ...form })

    expect(headers).not.toHaveProperty('x-tidegate-dropped')
    expect(detailsOfLog()).not.toHaveProperty('dropped')
  })
})

it('keeps names that clients choose out of the header', async () => {
  await start(ANTHROPIC)
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`option_${at}`, 1]))

  const { status, headers } = await gateway.chat({ model: 'm', 'x\r\ny: z': 1, ...many, ...question })

  expect(status).toBe(200)
  expect(headers['x-tidegate-dropped']).toMatch(/^other, option_0, .*, option_28, other$/)
})

const WITH_LOGPROBS = {
  id: 'c',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'At noon.' },
      logprobs: { content: [{ token: 'At' }] },
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 5, completion_tokens: 3 },
}
const withoutMessage = ({ choices, ...rest }: typeof WITH_LOGPROBS) => ({
  ...rest,
  choices: choices.map(({ message, ...choice }) => ({ ...choice, delta: message })),
})

describe('a converted response', () => {
  it('names what the client cannot receive in a header and in the log', async () => {
    await start(DEEPSEEK)
    upstream.next({ body: WITH_LOGPROBS })

    const { status, headers } = await post('/v1/messages', { model: 'm', max_tokens: 50, top_k: 3, ...question })

    expect(status).toBe(200)
    expect(headers['x-tidegate-dropped']).toBe('top_k, response: logprobs')
    expect(detailsOfLog()).toMatchObject({ dropped: ['top_k'], dropped_response: ['logprobs'] })
  })

  it('names it in the log if it is streamed', async () => {
    await start(DEEPSEEK)
    upstream.next({
      headers: { 'content-type': 'text/event-stream' },
      body: `data: ${JSON.stringify(withoutMessage(WITH_LOGPROBS))}\n\ndata: [DONE]\n\n`,
    })

    const { status, text } = await post('/v1/messages', { model: 'm', max_tokens: 50, stream: true, ...question })

    expect([status, text]).toEqual([200, expect.stringContaining('At noon.')])
    expect(detailsOfLog()).toMatchObject({ dropped_response: ['logprobs'] })
  })

  it('loses nothing in the protocol of the provider', async () => {
    await start(DEEPSEEK)
    upstream.next({ body: WITH_LOGPROBS })

    const { headers, json } = await gateway.chat({ model: 'm', logprobs: true, ...question })

    expect(json.choices[0].logprobs).toEqual({ content: [{ token: 'At' }] })
    expect(headers).not.toHaveProperty('x-tidegate-dropped')
    expect(detailsOfLog()).not.toHaveProperty('dropped_response')
  })
})

const SEARCH = { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 8 }] }

describe('a web search of Claude Code', () => {
  it('goes to a channel whose provider can search', async () => {
    await start(DEEPSEEK, ANTHROPIC)

    const { status } = await post('/v1/messages', { model: 'm', max_tokens: 50, ...question, ...SEARCH })

    expect(status).toBe(200)
    expect(upstream.requests.map(({ path }) => path)).toEqual(['/v1/messages'])
  })

  it('is rejected if no channel can search', async () => {
    await start(DEEPSEEK)

    const { status, json } = await post('/v1/messages', { model: 'm', max_tokens: 50, ...question, ...SEARCH })

    expect([status, json.error.type]).toEqual([400, 'invalid_request_error'])
    expect(upstream.requests).toHaveLength(0)
  })
})
