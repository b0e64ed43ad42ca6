import { describe, expect, it } from 'vitest'
import { writeSignature } from '../../canonical/index.ts'
import { patchMembers } from '../../json/patch-members.ts'
import { passThroughChanges } from './patch-request.ts'
import { readRequest } from './read-request.ts'

const body = (fields: object) =>
  JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], ...fields })
const plain = { model: 'gpt-4o', stream: false, usage: 'keep' } as const
const streamed = { ...plain, stream: true, usage: 'ask' } as const

describe('passThroughChanges', () => {
  it('changes nothing if nothing differs', () => {
    expect(passThroughChanges(readRequest(body({ temperature: 0 })), plain)).toEqual({})
    expect(
      passThroughChanges(readRequest(body({ stream: true, stream_options: { include_usage: true } })), streamed),
    ).toEqual({})
  })

  it('changes only the model and keeps unknown fields, zeros, nulls and number formats', () => {
    const text =
      '{"model":"a","messages":[{"role":"user","content":"hi"}],"temperature":0,"stop":null,"x_new":{"n":1.50}}'

    const patched = patchMembers(text, passThroughChanges(readRequest(text), { ...plain, model: 'b' }))

    expect(patched).toBe(text.replace('"a"', '"b"'))
  })

  it('requests usage and keeps other stream_options', () => {
    const request = readRequest(body({ stream: true, stream_options: { include_obfuscation: false } }))

    expect(passThroughChanges(request, streamed)).toEqual({
      stream_options: { include_obfuscation: false, include_usage: true },
    })
  })

  it('removes stream_options for providers that reject them and for requests that do not stream', () => {
    const request = readRequest(body({ stream: true, stream_options: { include_usage: true } }))

    expect(passThroughChanges(request, { ...streamed, usage: 'omit' })).toStrictEqual({ stream_options: undefined })
    expect(passThroughChanges(request, { ...plain, usage: 'ask' })).toStrictEqual({
      stream: false,
      stream_options: undefined,
    })
  })

  const instructed: [string, object[], object][] = [
    ['a system message', [{ role: 'system', content: 'be kind' }], { role: 'system', content: 'be brief\n\nbe kind' }],
    ['a developer message', [{ role: 'developer', content: 'go' }], { role: 'developer', content: 'be brief\n\ngo' }],
    [
      'a system message of parts',
      [{ role: 'system', content: [{ type: 'text', text: 'be kind', cache_control: { type: 'ephemeral' } }] }],
      {
        role: 'system',
        content: [
          { type: 'text', text: 'be brief' },
          { type: 'text', text: 'be kind', cache_control: { type: 'ephemeral' } },
        ],
      },
    ],
    ['a conversation without a system message', [], { role: 'system', content: 'be brief' }],
  ]
  it.each(instructed)('puts the system prompt of a channel before %s', (_name, options, expected) => {
    const user = { role: 'user', content: 'hi' }
    const request = readRequest(body({ messages: [...options, user] }))

    expect(passThroughChanges(request, { ...plain, systemPrompt: 'be brief' })).toEqual({ messages: [expected, user] })
  })

  it('removes signatures of other protocols and keeps its own', () => {
    const foreign = writeSignature({ dialect: 'anthropic-messages', value: 'sig' }, 'openai-chat')
    const own = { type: 'reasoning.text', text: 'b', signature: 'own', index: 1 }
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }
    const google = { extra_content: { google: { thought_signature: 'CpQB' } } }
    const messages = [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: 'a',
        reasoning_details: [{ type: 'reasoning.text', text: 'a', signature: foreign, index: 0 }, own],
        tool_calls: [
          { ...call, extra_content: { google: { thought_signature: foreign } } },
          { ...call, ...google },
        ],
      },
      {
        role: 'assistant',
        content: 'b',
        reasoning_details: [{ type: 'reasoning.encrypted', data: foreign, index: 0 }],
      },
    ]

    expect(passThroughChanges(readRequest(body({ messages })), plain)).toEqual({
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'a', reasoning_details: [own], tool_calls: [call, { ...call, ...google }] },
        { role: 'assistant', content: 'b' },
      ],
    })
  })
})
