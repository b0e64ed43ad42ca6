import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fakeUpstream, type FakeUpstream } from '../fake-upstream.ts'
import { post } from '../../../test/upstream-client.ts'

let upstream: FakeUpstream
beforeEach(async () => {
  upstream = await fakeUpstream()
})
afterEach(() => upstream.close())

const user = { role: 'user', content: 'hello' }
const call = { id: 'call_1', type: 'function', function: { name: 'tide', arguments: '{}' } }
const result = { role: 'tool', tool_call_id: 'call_1', content: 'high' }
const chat = (messages: unknown[], more: object = {}) =>
  post(upstream, '/v1/chat/completions', { model: 'gpt-4o', messages, ...more })

it('accepts a conversation with tools, images and files', async () => {
  const parts = [
    { type: 'text', text: 'look' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } },
  ]
  const response = await chat([
    { role: 'user', content: parts },
    { role: 'assistant', content: null, tool_calls: [call] },
    result,
  ])

  expect(response.json.choices[0].message.content).toBe('You said: look')
})

it('calls a custom tool with plain text input, with and without streaming', async () => {
  upstream.always({ toolCalls: [{ id: 'call_1', name: 'patch', arguments: '*** Begin' }] })
  const tools = [{ type: 'custom', custom: { name: 'patch' } }]

  const whole = await chat([user], { tools })
  const streamed = await chat([user], { tools, stream: true })

  const expected = { id: 'call_1', type: 'custom', custom: { name: 'patch', input: '*** Begin' } }
  expect(whole.json.choices[0].message.tool_calls).toEqual([expected])
  const pieces = streamed.events.map(({ data }) => data.choices?.[0]?.delta.tool_calls?.[0].custom?.input ?? '')
  expect(pieces.join('')).toBe('*** Begin')
})

it('stops before a stop sequence, and reports a refusal', async () => {
  upstream.next({ text: 'one two three' }, { refusal: 'I will not.', finish: 'refusal' })

  const stopped = await chat([user], { stop: [' two'] })
  const refusing = await chat([user])

  expect(stopped.json.choices[0]).toMatchObject({ message: { content: 'one' }, finish_reason: 'stop' })
  expect(refusing.json.choices[0]).toMatchObject({
    message: { content: null, refusal: 'I will not.' },
    finish_reason: 'content_filter',
  })
})

it.each<[string, unknown[], object?]>([
  ['no messages', []],
  ['an unknown role', [{ role: 'robot', content: 'x' }]],
  ['a tool message without a call', [user, result]],
  ['a call without a result', [user, { role: 'assistant', content: null, tool_calls: [call] }, user]],
  ['a call without a result at the end', [user, { role: 'assistant', content: null, tool_calls: [call] }]],
  ['an unknown member of a message', [{ ...user, reasoning_content: 'hm' }]],
  [
    'a member of a part it does not know',
    [{ role: 'user', content: [{ type: 'text', text: 'x', cache_control: {} }] }],
  ],
  [
    'an image in a tool message',
    [
      user,
      { role: 'assistant', content: null, tool_calls: [call] },
      { ...result, content: [{ type: 'image_url', image_url: { url: 'https://a/b' } }] },
    ],
  ],
  [
    'a schema without a good name',
    [user],
    { response_format: { type: 'json_schema', json_schema: { name: 'a b', schema: {} } } },
  ],
  [
    'a strict schema that is left open',
    [user],
    {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'a', strict: true, schema: { type: 'object', properties: {} } },
      },
    },
  ],
  [
    'arguments that are no text',
    [user, { role: 'assistant', tool_calls: [{ ...call, function: { name: 'tide', arguments: {} } }] }, result],
  ],
])('rejects %s', async (_, messages, more) => {
  const response = await chat(messages, more)

  expect(response).toMatchObject({ status: 400, json: { error: { type: 'invalid_request_error' } } })
  expect(upstream.requests[0]?.sent.rejection).toBe(response.json.error.message)
})

describe('a compatible provider', () => {
  it('accepts unknown members', async () => {
    const lenient = await fakeUpstream({ strict: false })
    const messages = [user, { role: 'assistant', content: 'a', reasoning_content: 'hm' }, user]

    const response = await post(lenient, '/v1/chat/completions', { model: 'deepseek-reasoner', messages })

    expect(response.status).toBe(200)
    await lenient.close()
  })
})
