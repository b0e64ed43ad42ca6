import { describe, expect, it } from 'vitest'
import { patchMembers } from '../../json/patch-members.ts'
import { openaiCompletions } from '../index.ts'

const { readRequest, promptParts, passThroughChanges, decodeRequest, encodeRequest } = openaiCompletions
const body = (fields: object) => JSON.stringify({ model: 'm', prompt: 'Once', ...fields })
const decode = (fields: object) => decodeRequest(readRequest(body(fields)))

describe('a completion request', () => {
  it('has the fields that the gateway uses', () => {
    expect(readRequest(body({ stream: true, stream_options: { include_usage: true }, max_tokens: 9 }))).toMatchObject({
      dialect: 'openai-completions',
      model: 'm',
      stream: true,
      includeUsage: true,
      maxTokens: 9,
    })
  })

  const rejected: [string, string, string][] = [
    ['no JSON', '{', 'invalid_json'],
    ['no model', '{"prompt":"x"}', 'model_required'],
    ['no prompt', '{"model":"m"}', 'invalid_request'],
    ['an empty prompt', body({ prompt: [] }), 'invalid_request'],
    ['a limit that is too large', body({ max_tokens: 2 ** 30 }), 'invalid_request'],
  ]
  it.each(rejected)('is rejected with %s', (_name, text, code) => {
    expect(() => readRequest(text)).toThrow(expect.objectContaining({ code }))
  })

  const prompts: [unknown, object][] = [
    ['Once', { texts: ['Once'], otherTokens: 0 }],
    [['a', 'b'], { texts: ['a', 'b'], otherTokens: 0 }],
    [[1, 2, 3], { texts: [], otherTokens: 3 }],
    [[[1, 2], [3]], { texts: [], otherTokens: 3 }],
  ]
  it.each(prompts)('counts the prompt %j as texts or tokens', (prompt, expected) => {
    expect(promptParts(readRequest(body({ prompt })))).toEqual(expected)
  })

  it('is forwarded with only model and stream changed', () => {
    const text = '{"model":"a","prompt":[1,2],"logprobs":0,"echo":true,"stream":true,"x":1.0}'
    const overrides = { model: 'b', stream: true, usage: 'ask', systemPrompt: 'be brief' } as const

    expect(patchMembers(text, passThroughChanges(readRequest(text), overrides))).toBe(
      text.replace('"a"', '"b"').replace('}', ',"stream_options":{"include_usage":true}}'),
    )
    expect(passThroughChanges(readRequest(text), { model: 'a', stream: true, usage: 'keep' })).toEqual({})
  })

  it('becomes a user message for other providers', () => {
    const request = decode({ prompt: ['Once'], max_tokens: 5, temperature: 0, stop: 'END', seed: 2, user: 'ada', n: 1 })

    expect(request).toEqual({
      model: 'm',
      stream: false,
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'Once' }] }],
      tools: [],
      maxTokens: 5,
      temperature: 0,
      stop: ['END'],
      seed: 2,
      userId: 'ada',
    })
  })

  const impossible: object[] = [
    { prompt: ['a', 'b'] },
    { prompt: [1, 2] },
    { suffix: 'end' },
    { echo: true },
    { logprobs: 0 },
    { n: 2 },
    { best_of: 3 },
  ]
  it.each(impossible)('cannot be sent to another provider with %j', (fields) => {
    expect(() => decode(fields)).toThrow(expect.objectContaining({ code: 'cannot_express' }))
  })

  it('cannot be encoded from a conversation', () => {
    expect(() => encodeRequest()).toThrow(expect.objectContaining({ code: 'cannot_express' }))
  })
})
