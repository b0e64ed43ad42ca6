import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fakeUpstream, type FakeUpstream } from '../fake-upstream.ts'
import { post } from '../../../test/upstream-client.ts'

let upstream: FakeUpstream
beforeEach(async () => {
  upstream = await fakeUpstream({ key: 'right' })
})
afterEach(() => upstream.close())

const HEADERS = { 'x-api-key': 'right', 'anthropic-version': '2023-06-01' }
const ask = (more: object, headers: Record<string, string> = HEADERS) =>
  post(upstream, '/v1/messages', { model: 'claude-sonnet-4', max_tokens: 4096, messages: [user], ...more }, headers)

const user = { role: 'user', content: 'hello' }
const tools = [{ name: 'tide', input_schema: { type: 'object' } }]
const thinking = { type: 'enabled', budget_tokens: 1024 }
const use = { type: 'tool_use', id: 'toolu_1', name: 'tide', input: {} }
const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'high' }
const assistant = (...content: object[]) => ({ role: 'assistant', content })
const back = (...content: object[]) => ({ role: 'user', content })

describe('a response', () => {
  it('is the same with and without streaming, including argument bytes', async () => {
    const input = '{"b": 1152921504606846977,"a":"\\u00e9"}'
    upstream.always({
      reasoning: 'let me see',
      text: 'High.',
      toolCalls: [{ id: 'toolu_1', name: 'tide', arguments: input }],
    })

    const whole = await ask({})
    const streamed = await ask({ stream: true })

    expect(whole.text).toContain(`"input":${input}`)
    expect(whole.json).toMatchObject({
      stop_reason: 'tool_use',
      content: [{ type: 'thinking', thinking: 'let me see' }, { type: 'text', text: 'High.' }, { type: 'tool_use' }],
    })
    const names = streamed.events.map(({ name }) => name)
    expect(names.slice(0, 3)).toEqual(['message_start', 'ping', 'content_block_start'])
    expect(names.slice(-2)).toEqual(['message_delta', 'message_stop'])
    const pieces = streamed.events.map(({ data }) => data.delta?.partial_json ?? '')
    expect(pieces.join('')).toBe(input)
    const delta = streamed.events.at(-2)!.data
    expect(delta.usage.output_tokens).toBe(whole.json.usage.output_tokens)
  })

  it('counts cached tokens separately from the input', async () => {
    const details = { cached_tokens: 60, cache_write_tokens: 10 }
    upstream.next({ usage: { prompt_tokens: 100, completion_tokens: 5, prompt_tokens_details: details } })

    const { usage } = (await ask({})).json

    expect(usage).toMatchObject({ input_tokens: 30, cache_read_input_tokens: 60, cache_creation_input_tokens: 10 })
    expect(upstream.requests[0]?.sent.counts).toMatchObject({ input: 100, cacheRead: 60, cacheWrite: 10, output: 5 })
  })

  it('reports its stop sequence', async () => {
    upstream.next({ text: 'one END two' })

    const response = await ask({ stop_sequences: ['END'] })

    expect(response.json).toMatchObject({
      stop_reason: 'stop_sequence',
      stop_sequence: 'END',
      content: [{ text: 'one ' }],
    })
  })

  it('has errors of its protocol: by status, with status 200 and in a stream', async () => {
    upstream.next(
      { status: 529 },
      { errorInside: { status: 400, message: 'no' } },
      { textLength: 500, errorEvent: { afterEvents: 6, status: 529 } },
    )

    const [failed, inside, broken] = [await ask({}), await ask({}), await ask({ stream: true })]

    expect(failed).toMatchObject({ status: 529, json: { type: 'error', error: { type: 'overloaded_error' } } })
    expect(inside).toMatchObject({ status: 200, json: { error: { type: 'invalid_request_error', message: 'no' } } })
    expect(broken.events.at(-1)).toMatchObject({ name: 'error', data: { error: { type: 'overloaded_error' } } })
  })
})

it('accepts a tool loop with its signed thinking blocks', async () => {
  upstream.next({ reasoning: 'let me see', toolCalls: [{ id: 'toolu_1', name: 'tide', arguments: '{}' }] })
  const { content } = (await ask({ thinking, tools })).json

  const unchanged = await ask({ thinking, tools, messages: [user, assistant(...content), back(result)] })
  const changed = { ...content[0], thinking: 'something else' }
  const modified = await ask({ thinking, tools, messages: [user, assistant(changed, use), back(result)] })
  const forgotten = await ask({ thinking, tools, messages: [user, assistant(use), back(result)] })

  expect([unchanged.status, modified.status, forgotten.status]).toEqual([200, 400, 400])
})

it('accepts its own redacted thinking only', async () => {
  const toolCalls = [{ id: 'toolu_1', name: 'tide', arguments: '{}' }]
  upstream.next({ reasoning: 'hidden', redacted: true, toolCalls })
  const { content } = (await ask({ thinking, tools })).json

  const own = await ask({ thinking, tools, messages: [user, assistant(...content), back(result)] })
  const foreign = { type: 'redacted_thinking', data: 'abc' }
  const other = await ask({ thinking, tools, messages: [user, assistant(foreign, use), back(result)] })

  expect(content[0]).toEqual({ type: 'redacted_thinking', data: expect.any(String) })
  expect([own.status, other.status]).toEqual([200, 400])
})

it('requires a key and a version', async () => {
  const bearer = await ask({}, { authorization: 'Bearer right', 'anthropic-version': '2023-06-01' })
  const versionless = await ask({}, { 'x-api-key': 'right' })

  expect(bearer).toMatchObject({ status: 401, json: { error: { type: 'authentication_error' } } })
  expect(versionless).toMatchObject({ status: 400, json: { error: { type: 'invalid_request_error' } } })
})

it.each<[string, object]>([
  ['no limit', { max_tokens: undefined }],
  ['no messages', { messages: [] }],
  ['two messages of one role', { messages: [user, user] }],
  ['a conversation the assistant begins', { messages: [assistant({ type: 'text', text: 'x' }), user] }],
  ['an empty message', { messages: [{ role: 'user', content: [] }] }],
  ['an empty text', { messages: [back({ type: 'text', text: '' })] }],
  ['an unknown block', { messages: [back({ type: 'image_url', url: 'x' })] }],
  ['an unknown member', { frequency_penalty: 1 }],
  ['a call without a result', { tools, messages: [user, assistant(use), user] }],
  ['a result without a call', { tools, messages: [back(result)] }],
  [
    'a result after other content',
    { tools, messages: [user, assistant(use), back({ type: 'text', text: 'x' }, result)] },
  ],
  ['tool blocks without tools', { messages: [user, assistant(use), back(result)] }],
  [
    'an id with other signs',
    { tools, messages: [user, assistant({ ...use, id: 'a.b' }), back({ ...result, tool_use_id: 'a.b' })] },
  ],
  ['arguments that are no object', { tools, messages: [user, assistant({ ...use, input: '{}' }), back(result)] }],
  [
    'an unsigned thinking block',
    { messages: [user, assistant({ type: 'thinking', thinking: 'x', signature: 'y' }), user] },
  ],
  ['a budget above the limit', { thinking: { type: 'enabled', budget_tokens: 4096 } }],
  ['a budget too small', { thinking: { type: 'enabled', budget_tokens: 1000 } }],
  ['thinking with a temperature', { thinking, temperature: 0.5 }],
  ['thinking with a forced tool', { thinking, tools, tool_choice: { type: 'any' } }],
  [
    'five cache marks',
    { system: Array.from({ length: 5 }, () => ({ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } })) },
  ],
  [
    'an output schema that is left open',
    { output_config: { format: { type: 'json_schema', schema: { type: 'object', properties: {} } } } },
  ],
  ['trailing space in a prefilled message', { messages: [user, { role: 'assistant', content: 'The tide is ' }] }],
])('rejects %s', async (_, more) => {
  const response = await ask(more)

  expect(response).toMatchObject({ status: 400, json: { type: 'error', error: { type: 'invalid_request_error' } } })
})
