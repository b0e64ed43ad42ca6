import { describe, expect, it } from 'vitest'
import { DialectError } from '../dialect-error.ts'
import { promptParts } from './prompt-parts.ts'
import { patchRequest, readRequest } from './request.ts'

const body = (fields: object) =>
  JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], ...fields })
const plain = { model: 'gpt-4o', stream: false, usage: 'keep' } as const

describe('readRequest', () => {
  it('reads what the gateway acts on', () => {
    const request = readRequest(
      body({ stream: true, stream_options: { include_usage: true }, max_tokens: 10, max_completion_tokens: 30 }),
    )

    expect(request).toMatchObject({ model: 'gpt-4o', stream: true, includeUsage: true, maxTokens: 30 })
  })

  const refused: [string, string, DialectError['code']][] = [
    ['text that is no JSON', '{"model":', 'invalid_json'],
    ['a list', '[]', 'invalid_request'],
    ['a request without a model', '{"messages":[{}]}', 'model_required'],
    ['a request without messages', '{"model":"m","messages":[]}', 'invalid_request'],
    ['an absurd maximum', body({ max_tokens: 2 ** 30 }), 'invalid_request'],
  ]
  it.each(refused)('refuses %s', (_name, text, code) => {
    expect(() => readRequest(text)).toThrow(expect.objectContaining({ code }))
  })
})

describe('patchRequest', () => {
  it('changes the model alone and keeps unknown fields, zeros, nulls and number spelling', () => {
    const text =
      '{"model":"a","messages":[{"role":"user","content":"hi"}],"temperature":0,"stop":null,"x_new":{"n":1.50}}'

    expect(patchRequest(readRequest(text), { ...plain, model: 'b' })).toBe(text.replace('"a"', '"b"'))
  })

  it('asks for counts beside what the client put into stream_options', () => {
    const request = readRequest(body({ stream: true, stream_options: { include_obfuscation: false } }))

    const patched = JSON.parse(patchRequest(request, { ...plain, stream: true, usage: 'ask' })) as object

    expect(patched).toMatchObject({ stream_options: { include_obfuscation: false, include_usage: true } })
  })

  it('leaves stream_options out for vendors that do not know them, and out of calls that do not stream', () => {
    const request = readRequest(body({ stream: true, stream_options: { include_usage: true } }))

    expect(patchRequest(request, { ...plain, stream: true, usage: 'omit' })).not.toContain('stream_options')
    expect(JSON.parse(patchRequest(request, { ...plain, usage: 'ask' }))).toEqual(JSON.parse(body({ stream: false })))
  })

  it('lets the operator overwrite members and remove them with null', () => {
    const request = readRequest(body({ temperature: 2, user: 'someone' }))

    const patched = JSON.parse(patchRequest(request, { ...plain, override: { temperature: 0, user: null } })) as object

    expect(patched).toEqual(JSON.parse(body({ temperature: 0 })))
  })

  it('puts the system prompt of a channel before that of the client', () => {
    const withSystem = readRequest(
      body({
        messages: [
          { role: 'system', content: 'be kind' },
          { role: 'user', content: 'hi' },
        ],
      }),
    )

    expect(JSON.parse(patchRequest(withSystem, { ...plain, systemPrompt: 'be brief' }))).toMatchObject({
      messages: [{ role: 'system', content: 'be brief\n\nbe kind' }, { role: 'user' }],
    })
    expect(JSON.parse(patchRequest(readRequest(body({})), { ...plain, systemPrompt: 'be brief' }))).toMatchObject({
      messages: [{ role: 'system', content: 'be brief' }, { role: 'user' }],
    })
  })
})

describe('promptParts', () => {
  it('gathers every text of the prompt and sets a price on the rest', () => {
    const request = readRequest(
      body({
        messages: [
          {
            role: 'user',
            name: 'ada',
            content: [
              { type: 'text', text: 'look' },
              { type: 'image_url', image_url: { url: 'x', detail: 'low' } },
            ],
          },
          { role: 'assistant', tool_calls: [{ function: { name: 'tide', arguments: '{}' } }] },
        ],
        tools: [{ type: 'function', function: { name: 'tide', description: 'when', parameters: { type: 'object' } } }],
      }),
    )

    expect(promptParts(request)).toEqual({
      texts: ['user', 'ada', 'look', 'assistant', 'tide', '{}', 'tide', 'when', '{"type":"object"}'],
      otherTokens: 3 + 3 + 1 + 85 + 3 + 8,
    })
  })
})
