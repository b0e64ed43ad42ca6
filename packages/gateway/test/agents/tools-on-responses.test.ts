import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aChannel } from '../support/catalog.ts'
import { KEY, startGateway, type TestGateway } from '../support/gateway.ts'

let upstream: FakeUpstream
let gateway: TestGateway
beforeEach(async () => {
  upstream = await fakeUpstream()
})
afterEach(async () => {
  expect(gateway.credit.mistakes).toEqual([])
  expect(gateway.credit.states()).not.toContain('reserved')
  await gateway.close()
  await upstream.close()
})

async function start(setting: Record<string, unknown> = {}): Promise<void> {
  const models = ['gpt-5.1', 'gpt-6-sol', 'gpt-6.1-sol', 'new-model']
  gateway = await startGateway({
    channels: [aChannel({ type: 1, baseUrl: upstream.url, models, keys: ['a', 'b'], setting })],
    settings: { SelfUseModeEnabled: true },
  })
  gateway.credit.balance = 1_000_000_000
}

const TOOL = { type: 'function', function: { name: 'tide', parameters: { type: 'object', properties: {} } } }
const QUESTION = { messages: [{ role: 'user', content: 'When is high tide?' }] }
const CALL = { id: 'call_1', name: 'tide', arguments: '{"port": "Brest",  "height": 1.0}' }
const paths = () => upstream.requests.map(({ path }) => path)

describe.each([{ stream: false }, { stream: true }])('a chat with tools and %o', (form) => {
  it('is served by Responses where the model accepts tools only there', async () => {
    await start()
    upstream.next({ toolCalls: [CALL], usage: { prompt_tokens: 40, completion_tokens: 9 } })

    const { status, text } = await gateway.chat({ model: 'gpt-6-sol', tools: [TOOL], ...QUESTION, ...form })

    expect(status).toBe(200)
    expect(paths()).toEqual(['/v1/responses'])
    expect(text).toContain('"tool_calls"')
    expect(text).toContain('"finish_reason":"tool_calls"')
    expect(gateway.credit.settled).toMatchObject([{ usage: { input: 40, output: 9, estimated: false } }])
  })

  it.each([
    ['gpt-5.1', {}],
    ['gpt-6-sol', { reasoning_effort: 'none' }],
  ])('stays on Chat Completions for %s with %o', async (model, fields) => {
    await start()

    await gateway.chat({ model, tools: [TOOL], ...QUESTION, ...fields, ...form })

    expect(paths()).toEqual(['/v1/chat/completions'])
  })

  it('stays on the API that the operator chose', async () => {
    await start({ openai_api: 'chat' })
    upstream.next(REJECTION)

    const { status } = await gateway.chat({ model: 'gpt-6.1-sol', tools: [TOOL], ...QUESTION, ...form })

    expect([status, paths()]).toEqual([400, ['/v1/chat/completions']])
  })

  it('is sent again by Responses with the same key if the provider says so', async () => {
    await start()
    upstream.next(REJECTION)

    const { status } = await gateway.chat({ model: 'new-model', tools: [TOOL], ...QUESTION, ...form })

    expect([status, paths()]).toEqual([200, ['/v1/chat/completions', '/v1/responses']])
    expect(new Set(upstream.requests.map(({ headers }) => headers.authorization)).size).toBe(1)
    expect(gateway.credit.settled).toHaveLength(1)
    expect(gateway.credit.settled[0]!.log.attempts ?? []).toMatchObject([{ dialect: 'openai-responses' }])
  })

  it('is rejected as the provider rejects it if Responses rejects it too', async () => {
    await start()
    upstream.next(REJECTION)
    upstream.next(REJECTION)

    const { status } = await gateway.chat({ model: 'new-model', tools: [TOOL], ...QUESTION, ...form })

    expect([status, paths()]).toEqual([400, ['/v1/chat/completions', '/v1/responses']])
    expect(gateway.credit.settled).toEqual([])
  })

  it('is sent again by Responses without tools too, on the path of plain chats', async () => {
    await start()
    upstream.next({
      status: 404,
      body: {
        error: {
          message: 'This model is only supported in v1/responses and not in v1/chat/completions.',
          type: 'invalid_request_error',
          param: 'model',
          code: null,
        },
      },
    })

    const { status } = await gateway.chat({ model: 'new-model', ...QUESTION, ...form })

    expect([status, paths()]).toEqual([200, ['/v1/chat/completions', '/v1/responses']])
  })
})

const REJECTION = {
  status: 400,
  body: {
    error: {
      message:
        "Function tools with reasoning_effort are not supported for new-model in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
      type: 'invalid_request_error',
      param: 'reasoning_effort',
      code: null,
    },
  },
}

it('a search of Claude Code is served by Responses', async () => {
  await start()

  const { status } = await gateway.send({
    method: 'POST',
    path: '/v1/messages',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'gpt-5.1',
      max_tokens: 64,
      ...QUESTION,
      tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 8 }],
    }),
  })

  expect([status, paths()]).toEqual([200, ['/v1/responses']])
  expect(upstream.requests[0]!.body).toMatchObject({ tools: [{ type: 'web_search' }], max_tool_calls: 8 })
})
