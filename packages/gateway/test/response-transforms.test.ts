import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { aChannel } from './support/catalog.ts'
import { KEY, startGateway, type TestGateway } from './support/gateway.ts'

let upstream: FakeUpstream
let gateway: TestGateway
beforeAll(async () => {
  upstream = await fakeUpstream()
})
afterAll(() => upstream.close())
afterEach(async () => {
  upstream.reset()
  await gateway.close()
})

const start = async (setting: Record<string, unknown>, fields = {}) => {
  gateway = await startGateway({ channels: [aChannel({ baseUrl: upstream.url, setting, ...fields })] })
}
const question = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }

interface Chunk {
  choices: { delta: { content?: string; reasoning_content?: string } }[]
}

function chunksOf(data: readonly string[]): Chunk[] {
  return data.filter((text) => text !== '[DONE]').map((text) => JSON.parse(text) as Chunk)
}

describe('thinking_to_content', () => {
  it('puts reasoning before the text, between tags, in a stream', async () => {
    upstream.next({ reasoning: 'let me see', text: 'done' })
    await start({ thinking_to_content: true })

    const { data } = await gateway.chat({ ...question, stream: true })

    const deltas = chunksOf(data).flatMap(({ choices }) => choices.map(({ delta }) => delta))
    expect(deltas.map(({ content }) => content ?? '').join('')).toBe('<think>\nlet me see\n</think>\n\ndone')
    expect(deltas.some(({ reasoning_content }) => reasoning_content)).toBe(false)
    expect(data.at(-1)).toBe('[DONE]')
  })

  it('does the same with a whole response', async () => {
    upstream.next({ reasoning: 'let me see', text: 'done' })
    await start({ thinking_to_content: true })

    const { json } = await gateway.chat(question)

    expect(json.choices[0].message.content).toBe('<think>\nlet me see\n</think>\n\ndone')
  })
})

describe('force_format', () => {
  it("encodes a provider's chunks again, without the provider's own fields", async () => {
    upstream.next({ text: 'plain' })
    await start({ force_format: true })

    const { data } = await gateway.chat({ ...question, stream: true })

    expect(
      chunksOf(data)
        .map(({ choices }) => choices[0]?.delta.content ?? '')
        .join(''),
    ).toBe('plain')
    expect(data.join('')).not.toContain('fp_fake')
  })
})

describe('a channel that cannot stream', () => {
  it('serves a stream of another protocol with its whole response, and sends a waiting comment', async () => {
    upstream.next({ text: 'in one piece', headersAfterMs: 20 })
    await start({ stream_support: 'NON_STREAM_ONLY' })

    const { text, status } = await gateway.send({
      method: 'POST',
      path: '/v1/messages',
      headers: { 'x-api-key': KEY },
      body: JSON.stringify({ ...question, max_tokens: 50, stream: true }),
    })

    expect(status).toBe(200)
    expect(text).toMatch(/^: WAITING FOR UPSTREAM\n\n/)
    expect(text).toContain('in one piece')
    expect(text).toContain('event: message_stop')
    expect(upstream.requests.at(-1)!.body).not.toMatchObject({ stream: true })
  })
})

describe('pass-through', () => {
  it('sends the exact bytes to providers with the same protocol, and converts for the others', async () => {
    const body = `{ "messages" : [{"role":"user","content":"hi"}],\n"model":"gpt-4o", "n": 1.0 }`
    gateway = await startGateway({
      channels: [aChannel({ baseUrl: upstream.url, paramOverride: { temperature: 0 } })],
      settings: { 'global.pass_through_request_enabled': true },
    })

    await gateway.send({
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${KEY}` },
      body,
    })

    expect(upstream.requests.at(-1)!.rawBody.toString()).toBe(body)
  })
})

describe('a repeated model name', () => {
  it.each([
    ['plainly', '{"model":"gpt-4o-mini","messages":[{"role":"user","content":"hi"}],"model":"gpt-4o"}'],
    [
      'with an escaped name',
      '{"\\u006dodel":"gpt-4o-mini","messages":[{"role":"user","content":"hi"}],"model":"gpt-4o"}',
    ],
  ])('%s reaches the provider once, as the billed model', async (_how, body) => {
    await start({})

    await gateway.send({
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${KEY}` },
      body,
    })

    const sent = upstream.requests.at(-1)!.rawBody.toString()
    expect(sent.match(/odel"/g)).toHaveLength(1)
    expect(JSON.parse(sent)).toMatchObject({ model: 'gpt-4o' })
  })
})
