import { describe, expect, it } from 'vitest'
import type { ResponseContext, CanonicalResponse } from '../../canonical/index.ts'
import { NO_TOKENS } from '@tidegate/contract'
import { decodeResponse } from './decode-response.ts'
import { encodeResponse } from './encode-response.ts'

const context: ResponseContext = {
  requestId: 'r1',
  model: 'm',
  createdAt: 7,
  includeUsage: false,
  request: { model: 'm', stream: false, messages: [], tools: [{ type: 'text', name: 'note' }] },
}
const usage = { ...NO_TOKENS, input: 5, output: 2 }
const encode = (response: CanonicalResponse) => encodeResponse(response, usage, context)

describe('encodeResponse', () => {
  it('writes a whole response with every field that clients expect', () => {
    const encoded = encode({
      id: 'msg_1',
      model: 'other',
      parts: [
        { type: 'text', text: 'Here: ' },
        { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' } },
        { type: 'tool-call', id: 'a', name: 'tide', arguments: '' },
        { type: 'tool-call', id: 'b', name: 'note', arguments: '{"input":"hi"}' },
        { type: 'native', dialect: 'anthropic-messages', value: {} },
      ],
      finish: { reason: 'tool-calls', raw: 'tool_use' },
    })

    expect(encoded).toEqual({
      id: 'chatcmpl-r1',
      object: 'chat.completion',
      created: 7,
      model: 'm',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'Here: ![image](data:image/png;base64,AAAA)',
            refusal: null,
            tool_calls: [
              { id: 'a', type: 'function', function: { name: 'tide', arguments: '{}' } },
              { id: 'b', type: 'custom', custom: { name: 'note', input: 'hi' } },
            ],
          },
          logprobs: null,
          finish_reason: 'tool_calls',
        },
      ],
      usage: {
        prompt_tokens: 5,
        completion_tokens: 2,
        total_tokens: 7,
        prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
      },
    })
  })

  it('writes null content if there is no text', () => {
    expect(encode({ parts: [{ type: 'refusal', text: 'no' }], finish: { reason: 'refusal' } })).toMatchObject({
      choices: [{ message: { content: null, refusal: 'no' }, finish_reason: 'content_filter' }],
    })
  })

  it('can be decoded to the same response', () => {
    const response: CanonicalResponse = {
      parts: [
        { type: 'text', text: 'So.' },
        { type: 'tool-call', id: 'a', name: 'tide', arguments: '{"n": 1.0}' },
      ],
      finish: { reason: 'tool-calls' },
    }

    const read = decodeResponse(JSON.stringify(encode(response)), { newId: () => 'new' })

    expect(read).toMatchObject({ parts: response.parts, finish: response.finish, usage })
  })
})
