import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fakeUpstream, type FakeUpstream } from '../fake-upstream.ts'
import { post } from '../../../test/upstream-client.ts'

let upstream: FakeUpstream
beforeEach(async () => {
  upstream = await fakeUpstream()
})
afterEach(() => upstream.close())

const ask = (input: unknown, more: object = {}) => post(upstream, '/v1/responses', { model: 'gpt-5', input, ...more })
const message = { role: 'user', content: [{ type: 'input_text', text: 'hello' }] }
const call = { type: 'function_call', call_id: 'call_1', name: 'tide', arguments: '{}' }
const output = { type: 'function_call_output', call_id: 'call_1', output: 'high' }
const sealed = { store: false, include: ['reasoning.encrypted_content'], reasoning: { summary: 'auto' } }

describe('a response', () => {
  it('ends its stream with the whole response object', async () => {
    const script = {
      reasoning: 'let me see',
      text: 'High.',
      toolCalls: [{ id: 'c', name: 'tide', arguments: '{"n":1}' }],
    }
    upstream.always(script)

    const whole = await ask('hello', { reasoning: { summary: 'auto' } })
    const streamed = await ask('hello', { stream: true, reasoning: { summary: 'auto' } })

    const last = streamed.events.at(-1)!
    const types = (items: { type: string }[]) => items.map(({ type }) => type)
    expect(last.name).toBe('response.completed')
    expect(types(last.data.response.output)).toEqual(['reasoning', 'message', 'function_call'])
    expect(types(whole.json.output)).toEqual(types(last.data.response.output))
    expect(last.data.response.usage).toEqual(whole.json.usage)
    expect(streamed.events.map(({ data }) => data.sequence_number)).toEqual(streamed.events.map((_, index) => index))
    const deltas = streamed.events
      .filter(({ name }) => name === 'response.output_text.delta')
      .map(({ data }) => data.delta)
    expect(deltas.join('')).toBe('High.')
  })

  it('shows and encrypts reasoning only on request', async () => {
    upstream.always({ reasoning: 'let me see' })

    const silent = (await ask('hello')).json.output[0]
    const open = (await ask('hello', sealed)).json.output[0]

    expect(silent).toMatchObject({ type: 'reasoning', summary: [] })
    expect(silent.encrypted_content).toBeUndefined()
    expect(open).toMatchObject({ summary: [{ text: 'let me see' }], encrypted_content: expect.any(String) })
  })

  it('calls a custom tool with plain text input', async () => {
    upstream.always({ toolCalls: [{ id: 'call_1', name: 'patch', arguments: '*** Begin' }] })

    const { events } = await ask('hello', { tools: [{ type: 'custom', name: 'patch' }], stream: true })

    const done = events.find(({ name }) => name === 'response.custom_tool_call_input.done')
    expect(done?.data.input).toBe('*** Begin')
    expect(events.at(-1)?.data.response.output).toMatchObject([
      { type: 'custom_tool_call', call_id: 'call_1', name: 'patch', input: '*** Begin' },
    ])
  })

  it('is incomplete after the output limit or the content filter', async () => {
    upstream.next({ text: 'one two three' }, { refusal: 'no', finish: 'refusal' })

    const short = await ask('hello', { max_output_tokens: 2, stream: true })
    const refusing = await ask('hello')

    expect(short.events.at(-1)).toMatchObject({
      name: 'response.incomplete',
      data: { response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } } },
    })
    expect(refusing.json).toMatchObject({
      incomplete_details: { reason: 'content_filter' },
      output: [{ content: [{ type: 'refusal', refusal: 'no' }] }],
    })
  })

  it('ends with an error event of its protocol', async () => {
    upstream.next({ textLength: 500, errorEvent: { afterEvents: 8, status: 429, message: 'slow down' } })

    const { events } = await ask('hello', { stream: true })

    expect(events).toHaveLength(9)
    expect(events.at(-1)).toMatchObject({ name: 'error', data: { type: 'error', message: 'slow down' } })
  })
})

it('accepts its own encrypted reasoning', async () => {
  upstream.next({ reasoning: 'let me see', toolCalls: [{ id: 'call_1', name: 'tide', arguments: '{}' }] })
  const { output: made } = (await ask('hello', sealed)).json

  const response = await ask([message, ...made, output], sealed)

  expect(response.status).toBe(200)
})

it.each<[string, unknown, object?]>([
  ['no input', undefined],
  ['an output without a call', [message, output]],
  ['a call without an output', [message, call]],
  ['an unknown item', [{ type: 'tool_result' }]],
  ['an unknown part', [{ role: 'user', content: [{ type: 'text', text: 'x' }] }]],
  ['an unknown member', 'hello', { max_tokens: 5 }],
  ['a tool in the format of chat completions', 'hello', { tools: [{ type: 'function', function: { name: 'tide' } }] }],
  [
    'reasoning without encrypted content when nothing is stored',
    [message, { type: 'reasoning', id: 'rs_1', summary: [] }, call, output],
    { store: false },
  ],
  [
    'reasoning with unknown encrypted content',
    [message, { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' }, call, output],
    sealed,
  ],
  ['a schema without a name', 'hello', { text: { format: { type: 'json_schema', schema: {} } } }],
])('rejects %s', async (_, input, more) => {
  const response = await ask(input, more)

  expect(response).toMatchObject({ status: 400, json: { error: { type: 'invalid_request_error' } } })
})
