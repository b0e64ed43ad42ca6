import { describe, expect, it } from 'vitest'
import type { DialectError } from '../../canonical/errors.ts'
import { readRequest } from './read-request.ts'

const body = (fields: object) =>
  JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], ...fields })

describe('readRequest', () => {
  it('reads the fields that the gateway uses', () => {
    const text = body({
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 10,
      max_completion_tokens: 30,
      prompt_cache_key: 'talk-7',
      user: 'ada',
    })

    expect(readRequest(text)).toEqual({
      dialect: 'openai-chat',
      text,
      body: JSON.parse(text) as unknown,
      model: 'gpt-4o',
      stream: true,
      includeUsage: true,
      maxTokens: 30,
      conversation: 'talk-7',
    })
  })

  it('has no conversation if the client sends none', () => {
    expect(readRequest(body({ user: 'ada' })).conversation).toBeUndefined()
  })

  const rejected: [string, string, DialectError['code']][] = [
    ['text that is not JSON', '{"model":', 'invalid_json'],
    ['a list', '[]', 'invalid_request'],
    ['a request without a model', '{"messages":[{}]}', 'model_required'],
    ['a request without messages', '{"model":"m","messages":[]}', 'invalid_request'],
    ['a limit that is too large', body({ max_tokens: 2 ** 30 }), 'invalid_request'],
  ]
  it.each(rejected)('rejects %s', (_name, text, code) => {
    expect(() => readRequest(text)).toThrow(expect.objectContaining({ code }))
  })
})
