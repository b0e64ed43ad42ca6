import { describe, expect, it } from 'vitest'
import type { DialectError } from '../../canonical/errors.ts'
import { readRequest } from './read-request.ts'

const body = (fields: object) =>
  JSON.stringify({ model: 'claude', messages: [{ role: 'user', content: 'hi' }], ...fields })

describe('readRequest', () => {
  it('reads the fields that the gateway uses', () => {
    const text = body({ stream: true, max_tokens: 30, metadata: { user_id: 'session-7' } })

    expect(readRequest(text)).toMatchObject({
      dialect: 'anthropic-messages',
      text,
      model: 'claude',
      stream: true,
      includeUsage: true,
      maxTokens: 30,
      conversation: 'session-7',
    })
  })

  it('accepts a request without a limit and without a conversation', () => {
    expect(readRequest(body({}))).toMatchObject({ stream: false, maxTokens: 0, conversation: undefined })
  })

  const rejected: [string, string, DialectError['code']][] = [
    ['text that is not JSON', '{"model":', 'invalid_json'],
    ['a list', '[]', 'invalid_request'],
    ['a request without a model', '{"messages":[{}]}', 'model_required'],
    ['a request without messages', '{"model":"m","messages":[]}', 'invalid_request'],
    ['messages that are not a list', '{"model":"m","messages":{"role":"user"}}', 'invalid_request'],
    ['a limit that is too large', body({ max_tokens: 2 ** 30 }), 'invalid_request'],
  ]
  it.each(rejected)('rejects %s', (_name, text, code) => {
    expect(() => readRequest(text)).toThrow(expect.objectContaining({ code }))
  })
})
