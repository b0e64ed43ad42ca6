import { describe, expect, it } from 'vitest'
import type { DialectError } from '../../canonical/errors.ts'
import { wrapSignature } from '../../canonical/signature.ts'
import { openaiResponses } from '../index.ts'

const { readRequest, promptParts, passThroughChanges } = openaiResponses
const body = (fields: object) => JSON.stringify({ model: 'gpt-5', input: 'hi', ...fields })

describe('readRequest', () => {
  it('reads the fields that the gateway uses', () => {
    const head = readRequest(
      body({ stream: true, max_output_tokens: 30, prompt_cache_key: 'c1', conversation: 'conv' }),
    )

    expect(head).toMatchObject({
      dialect: 'openai-responses',
      model: 'gpt-5',
      stream: true,
      includeUsage: true,
      maxTokens: 30,
      conversation: 'c1',
    })
  })

  it.each([
    [{}, { storesResponse: true }],
    [{ store: null, previous_response_id: null, conversation: null }, { storesResponse: true }],
    [
      { store: false, previous_response_id: 'resp_1' },
      { storesResponse: false, previousResponseId: 'resp_1' },
    ],
    [{ conversation: 'conv_1' }, { storesResponse: true, conversationId: 'conv_1' }],
    [{ conversation: { id: 'conv_1' } }, { storesResponse: true, conversationId: 'conv_1' }],
    [{ previous_response_id: 7, conversation: [] }, { storesResponse: true }],
  ])('reads the stored state that %o continues', (fields, stored) => {
    expect(readRequest(body(fields)).stored).toEqual(stored)
  })

  const rejected: [string, string, DialectError['code']][] = [
    ['text that is not JSON', '{"model":', 'invalid_json'],
    ['a list', '[]', 'invalid_request'],
    ['a request without a model', '{"input":"hi"}', 'model_required'],
    ['a request without input', '{"model":"m"}', 'invalid_request'],
    ['an empty text', body({ input: '' }), 'invalid_request'],
    ['an empty list', body({ input: [] }), 'invalid_request'],
    ['a limit that is too large', body({ max_output_tokens: 2 ** 30 }), 'invalid_request'],
  ]
  it.each(rejected)('rejects %s', (_name, text, code) => {
    expect(() => readRequest(text)).toThrow(expect.objectContaining({ code }))
  })
})

describe('promptParts', () => {
  it('collects every text that a model or a filter reads and estimates the rest', () => {
    const head = readRequest(
      body({
        instructions: 'be kind',
        input: [
          {
            role: 'user',
            content: [
              { type: 'input_text', text: 'look' },
              { type: 'input_image', image_url: 'x', detail: 'low' },
            ],
          },
          { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'gAAAA' },
          { type: 'function_call', call_id: 'c', name: 'tide', arguments: '{}' },
          { type: 'custom_tool_call', call_id: 'd', name: 'patch', input: '***' },
          { type: 'function_call_output', call_id: 'c', output: 'low' },
          {
            type: 'custom_tool_call_output',
            call_id: 'd',
            output: [
              { type: 'input_text', text: 'ok' },
              { type: 'input_file', file_id: 'f' },
            ],
          },
          { type: 'shell_call_output', call_id: 's', output: [{ stdout: 'out', stderr: 'err' }] },
          { type: 'image_generation_call', id: 'ig', result: 'AAAA' },
        ],
        tools: [
          { type: 'function', name: 'tide', description: 'when', parameters: { type: 'object' } },
          { type: 'namespace', name: 'docs', description: 'all', tools: [{ type: 'function', name: 'find' }] },
        ],
        text: { format: { type: 'json_schema', schema: { type: 'string' } } },
      }),
    )

    const { texts, otherTokens } = promptParts(head)

    expect(texts).toEqual(
      [
        ['be kind', 'user', 'look', 'hm', 'tide', '{}', 'patch', '***', 'low', 'ok', 'out', 'err'],
        ['tide', 'when', '{"type":"object"}', 'docs', 'all', 'find', '{"type":"string"}'],
      ].flat(),
    )
    expect(otherTokens).toBe(3 + 8 * 3 + 85 + 5000 + 3 * 8)
  })

  it('counts a plain text', () => {
    expect(promptParts(readRequest(body({})))).toEqual({ texts: ['hi'], otherTokens: 6 })
  })
})

describe('passThroughChanges', () => {
  const overrides = { model: 'gpt-5', stream: false, usage: 'ask' } as const
  const changes = (fields: object, expected: object = {}) =>
    passThroughChanges(readRequest(body(fields)), { ...overrides, ...expected })

  it('changes nothing if nothing differs', () => {
    const ownThought = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' }

    expect(changes({ input: [ownThought, { role: 'user', content: 'hi' }], stream_options: null })).toEqual({})
  })

  it('changes the model and the stream flag only if they differ', () => {
    expect(changes({}, { model: 'other' })).toEqual({ model: 'other' })
    expect(changes({ stream: true, stream_options: { include_obfuscation: false } })).toEqual({
      stream: false,
      stream_options: undefined,
    })
  })

  it('puts the system prompt of a channel before the instructions', () => {
    expect(changes({ instructions: 'be kind' }, { systemPrompt: 'be brief' })).toEqual({
      instructions: 'be brief\n\nbe kind',
    })
    expect(changes({ instructions: null }, { systemPrompt: 'be brief' })).toEqual({ instructions: 'be brief' })
  })

  it('removes reasoning of other protocols and restores its own', () => {
    const foreign = wrapSignature({ dialect: 'anthropic-messages', value: 's' })
    const own = wrapSignature({ dialect: 'openai-responses', value: 'gAAAA', id: 'rs_true' })
    const user = { role: 'user', content: 'hi' }
    const thought = { type: 'reasoning', id: 'rs_1', summary: [] }

    const { input } = changes({
      input: [
        user,
        { ...thought, encrypted_content: foreign },
        { ...thought, encrypted_content: `tgr1.${foreign}` },
        { ...thought, encrypted_content: `tgc1.call_1.${foreign}` },
        { ...thought, encrypted_content: own },
      ],
    })

    expect(input).toEqual([user, { ...thought, id: 'rs_true', encrypted_content: 'gAAAA' }])
  })
})
