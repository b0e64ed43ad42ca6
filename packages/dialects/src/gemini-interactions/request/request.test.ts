import { describe, expect, it } from 'vitest'
import type { CanonicalRequest, Message, Part } from '../../canonical/index.ts'
import { decodeRequest } from './decode-request.ts'
import { encodeRequest } from './encode-request.ts'
import { passThroughChanges } from './patch-request.ts'
import { promptParts, readRequest } from './read-request.ts'

const read = (fields: object) => readRequest(JSON.stringify({ model: 'm', input: 'hi', ...fields }))
const decode = (fields: object) => decodeRequest(read(fields))
const messages = (input: unknown) => decode({ input }).messages
const userSays = (...parts: Part[]): Message => ({ role: 'user', parts })
const text = (words: string): Part => ({ type: 'text', text: words })
const withParts = (role: Message['role'], ...parts: Part[]): CanonicalRequest => ({
  model: 'm',
  stream: false,
  tools: [],
  messages: [{ role, parts }],
})
const invalid = expect.objectContaining({ code: 'invalid_request' })
const impossible = expect.objectContaining({ code: 'cannot_express' })

describe('the head of an interaction', () => {
  it('has model, stream, output limit and stored state of the body', () => {
    expect(
      read({
        model: 'models/m',
        stream: true,
        generation_config: { max_output_tokens: 7 },
        previous_interaction_id: 'v1_1',
        background: true,
      }),
    ).toMatchObject({
      model: 'm',
      stream: true,
      maxTokens: 7,
      isBackground: true,
      stored: { previousResponseId: 'v1_1', storesResponse: true },
    })
    expect(read({ store: false })).toMatchObject({ stream: false, stored: { storesResponse: false } })
  })

  it.each([
    ['an agent', { agent: 'deep-research' }],
    ['no input', { input: [] }],
    ['a number as input', { input: 5 }],
    ['too many tokens', { generation_config: { max_output_tokens: 2 ** 40 } }],
  ])('is rejected with %s', (_, fields) => {
    expect(() => read(fields)).toThrow(invalid)
  })

  it('is rejected without a model', () => {
    expect(() => read({ model: '' })).toThrow(expect.objectContaining({ code: 'model_required' }))
  })

  it('counts texts of all steps, tools and media', () => {
    const { texts, otherTokens } = promptParts(
      read({
        system_instruction: 'be brief',
        input: [
          {
            type: 'user_input',
            content: [
              { type: 'text', text: 'one' },
              { type: 'image', data: 'AAAA' },
            ],
          },
          { type: 'thought', summary: [{ type: 'text', text: 'two' }] },
          { type: 'function_call', id: 'c', name: 'tide', arguments: { at: 'Kiel' } },
          { type: 'function_result', call_id: 'c', result: [{ type: 'text', text: 'three' }] },
        ],
        tools: [{ type: 'function', name: 'tide', description: 'four' }],
      }),
    )

    expect(texts.join(' ')).toBe('be brief one two tide {"at":"Kiel"} three tide four')
    expect(otherTokens).toBeGreaterThan(255)
  })
})

describe('decoding', () => {
  it.each([
    ['a text', 'hi'],
    ['a content', { type: 'text', text: 'hi' }],
    ['contents', [{ type: 'text', text: 'hi' }]],
    ['a step', [{ type: 'user_input', content: [{ type: 'text', text: 'hi' }] }]],
    ['a step with a text', [{ type: 'user_input', content: 'hi' }]],
    ['a turn', [{ role: 'user', content: 'hi' }]],
    ['a turn with contents', [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }]],
  ])('reads input that is %s', (_, input) => {
    expect(messages(input)).toEqual([userSays(text('hi'))])
  })

  it('joins the steps of the model and the results of its calls', () => {
    const steps = [
      { type: 'user_input', content: 'Tides?' },
      { type: 'thought', signature: 'c2ln', summary: [{ type: 'text', text: 'Hm.' }] },
      { type: 'model_output', content: [{ type: 'text', text: 'Let me look.' }] },
      { type: 'function_call', id: 'a', name: 'tide', arguments: { n: 1 } },
      { type: 'function_call', id: 'b', name: 'tide', arguments: '{"n": 2}' },
      { type: 'function_result', call_id: 'a', result: 'high' },
      { type: 'function_result', call_id: 'b', result: { level: 3 }, is_error: true },
      { type: 'user_input', content: 'Go on.' },
    ]

    expect(messages(steps)).toEqual([
      userSays(text('Tides?')),
      {
        role: 'assistant',
        parts: [
          { type: 'thinking', text: 'Hm.', signature: { dialect: 'gemini-interactions', value: 'c2ln' } },
          text('Let me look.'),
          { type: 'tool-call', id: 'a', name: 'tide', arguments: '{"n":1}' },
          { type: 'tool-call', id: 'b', name: 'tide', arguments: '{"n": 2}' },
        ],
      },
      userSays(
        { type: 'tool-result', callId: 'a', name: 'tide', content: [{ type: 'text', text: 'high' }] },
        {
          type: 'tool-result',
          callId: 'b',
          name: 'tide',
          content: [{ type: 'text', text: '{"level":3}' }],
          isError: true,
        },
      ),
      userSays(text('Go on.')),
    ])
  })

  it('keeps long numbers of arguments and results exact', () => {
    const body =
      '{"model":"m","input":[{"type":"function_call","id":"a","name":"f","arguments":{"n":1152921504606846977}},{"type":"function_result","call_id":"a","result":{"n":9007199254740993}}]}'

    const decoded = JSON.stringify(decodeRequest(readRequest(body)).messages)

    expect(decoded).toContain('{\\"n\\":1152921504606846977}')
    expect(decoded).toContain('{\\"n\\":9007199254740993}')
  })

  it('reads media by their type, and a file of Google as such', () => {
    const file = 'https://generativelanguage.googleapis.com/v1beta/files/abc'
    const parts = messages([
      { type: 'image', mime_type: 'image/webp', data: 'AAAA', resolution: 'low' },
      { type: 'audio', mime_type: 'audio/wav', data: 'BBBB' },
      { type: 'document', mime_type: 'application/pdf', uri: 'https://a.example/x.pdf' },
      { type: 'document', mime_type: 'text/plain', data: 'aGk=' },
      { type: 'video', uri: file },
    ])[0]!.parts

    expect(parts).toEqual([
      { type: 'image', source: { kind: 'base64', mediaType: 'image/webp', data: 'AAAA' }, detail: 'low' },
      { type: 'audio', source: { kind: 'base64', mediaType: 'audio/wav', data: 'BBBB' } },
      { type: 'document', source: { kind: 'url', url: 'https://a.example/x.pdf', mediaType: 'application/pdf' } },
      { type: 'document', source: { kind: 'text', text: 'hi' } },
      { type: 'document', source: { kind: 'file', id: file } },
    ])
  })

  it('reads options, formats and the choice of tools', () => {
    const tools = ['a', 'b', 'c'].map((name) => ({ type: 'function', name }))
    const decoded = decode({
      system_instruction: [{ type: 'text', text: 'be brief' }],
      tools,
      generation_config: {
        max_output_tokens: 5,
        temperature: 0,
        top_p: 0.5,
        seed: 3,
        stop_sequences: ['x'],
        thinking_level: 'HIGH',
        thinking_summaries: 'auto',
        tool_choice: { allowed_tools: { mode: 'any', tools: ['a', 'b'] } },
      },
      response_format: { type: 'text', mime_type: 'application/json', schema: { type: 'object' } },
    })

    expect(decoded).toMatchObject({
      messages: [{ role: 'system', parts: [text('be brief')] }, userSays(text('hi'))],
      maxTokens: 5,
      temperature: 0,
      topP: 0.5,
      seed: 3,
      stop: ['x'],
      reasoning: { effort: 'high', visible: true },
      output: { type: 'schema', schema: { type: 'object' } },
      toolChoice: 'required',
    })
    expect(decoded.tools.map(({ name }) => name)).toEqual(['a', 'b'])
  })

  it.each([
    ['any', 'required'],
    ['auto', 'auto'],
    ['validated', 'auto'],
    ['none', 'none'],
    [{ allowed_tools: { mode: 'any', tools: ['a'] } }, { name: 'a' }],
    [undefined, undefined],
  ])('reads the tool choice %j', (choice, expected) => {
    const config = { tools: [{ type: 'function', name: 'a' }], generation_config: { tool_choice: choice } }

    expect(decode(config).toolChoice).toEqual(expected)
  })

  it.each([
    ['{"type":"object"}', { response_format: { type: 'object' } }, { type: 'schema', schema: { type: 'object' } }],
    ['JSON', { response_mime_type: 'application/json' }, { type: 'json' }],
    ['a list', { response_format: [{ type: 'text', mime_type: 'application/json' }] }, { type: 'json' }],
    ['a text', { response_format: { type: 'text' } }, undefined],
  ])('reads a response format that is %s', (_, fields, expected) => {
    expect(decode(fields).output).toEqual(expected)
  })

  it.each([
    ['a call without a name', [{ type: 'function_call', id: 'a' }]],
    ['a result without a call', [{ type: 'function_result', result: 'x' }]],
    ['an image without data', [{ type: 'image' }]],
    ['a list in a list', [[{ type: 'text', text: 'hi' }]]],
    ['content that is an object', [{ type: 'user_input', content: { a: 1 } }]],
    ['a text that is a number', [{ type: 'text', text: 5 }]],
  ])('rejects %s', (_, input) => {
    expect(() => messages(input)).toThrow(invalid)
  })

  it.each([
    ['an unknown step', { input: [{ type: 'future_call' }] }],
    ['an unknown content', { input: [{ type: 'user_input', content: [{ type: 'hologram' }] }] }],
    ['a response in audio', { response_modalities: ['audio'] }],
    ['an image as format', { response_format: { type: 'image' } }],
    ['content that Google stores', { cached_content: 'cachedContents/1' }],
    ['an earlier interaction', { previous_interaction_id: 'v1_1' }],
  ])('rejects %s', (_, fields) => {
    expect(() => decode(fields)).toThrow(impossible)
  })
})

describe('encoding', () => {
  it('writes the steps of a conversation', () => {
    const image: Part = {
      type: 'image',
      source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' },
      detail: 'high',
    }
    const request: CanonicalRequest = {
      model: 'm',
      stream: true,
      messages: [
        { role: 'system', parts: [text('be brief')] },
        userSays(text('What is it?'), image),
        {
          role: 'assistant',
          parts: [
            { type: 'thinking', text: 'Hm.', signature: { dialect: 'gemini-interactions', value: 'c2ln' } },
            { type: 'thinking', text: 'Of another.', signature: { dialect: 'anthropic-messages', value: 'c2ln' } },
            text('A boat.'),
            { type: 'tool-call', id: 'a', name: 'tide', arguments: '{"n":1152921504606846977}' },
          ],
        },
        userSays({ type: 'tool-result', callId: 'a', content: [{ type: 'text', text: 'high' }], isError: true }),
      ],
      tools: [{ type: 'function', name: 'tide', description: 'when', parameters: { type: 'object' } }],
      toolChoice: { name: 'tide' },
      maxTokens: 5,
      seed: 2 ** 40,
      reasoning: { budgetTokens: 9000, visible: true },
      output: { type: 'schema', schema: { type: 'object' } },
    }

    const body = encodeRequest(request)

    expect(JSON.stringify(body)).toContain('"arguments":{"n":1152921504606846977}')
    expect(JSON.parse(JSON.stringify(body))).toEqual({
      model: 'm',
      system_instruction: 'be brief',
      input: [
        {
          type: 'user_input',
          content: [
            { type: 'text', text: 'What is it?' },
            { type: 'image', mime_type: 'image/png', data: 'AAAA', resolution: 'high' },
          ],
        },
        { type: 'thought', signature: 'c2ln', summary: [{ type: 'text', text: 'Hm.' }] },
        { type: 'model_output', content: [{ type: 'text', text: 'A boat.' }] },
        { type: 'function_call', id: 'a', name: 'tide', arguments: { n: Number('1152921504606846977') } },
        { type: 'function_result', call_id: 'a', name: 'tide', is_error: true, result: 'high' },
      ],
      tools: [{ type: 'function', name: 'tide', description: 'when', parameters: { type: 'object' } }],
      generation_config: {
        max_output_tokens: 5,
        thinking_level: 'medium',
        thinking_summaries: 'auto',
        tool_choice: { allowed_tools: { mode: 'any', tools: ['tide'] } },
      },
      response_format: { type: 'text', mime_type: 'application/json', schema: { type: 'object' } },
      stream: true,
      store: false,
    })
  })

  it('makes a lone system prompt the input, and rejects an empty conversation', () => {
    expect(encodeRequest(withParts('system', text('hi')))).toMatchObject({
      input: [{ type: 'user_input', content: [{ type: 'text', text: 'hi' }] }],
    })
    expect(() => encodeRequest(withParts('user'))).toThrow(impossible)
  })

  it('rejects a file of another provider and a document as the result of a tool', () => {
    const document: Part = { type: 'document', source: { kind: 'file', id: 'file-1' } }
    const result = { type: 'document', source: { kind: 'base64', mediaType: 'application/pdf', data: 'A' } } as const

    expect(() => encodeRequest(withParts('user', document))).toThrow(impossible)
    expect(() => encodeRequest(withParts('user', { type: 'tool-result', callId: 'a', content: [result] }))).toThrow(
      impossible,
    )
  })
})

describe('a request that is passed through', () => {
  const foreign = { type: 'google_search_call', id: 'search_tg_1', arguments: { queries: [] } }
  const own = { type: 'thought', signature: 'c2ln' }
  const changesOf = (input: unknown, overrides: object = {}) =>
    passThroughChanges(
      { body: { model: 'm', input }, stream: false },
      { model: 'm', stream: false, usage: 'keep', ...overrides },
    )

  it('is not changed without a reason', () => {
    expect(changesOf([own])).toEqual({})
  })

  it('does not have searches of other providers', () => {
    expect(changesOf([own, foreign])).toEqual({ input: [own] })
  })

  it('has no thoughts after a provider rejected a signature', () => {
    expect(changesOf([own, { type: 'model_output' }], { withoutThinking: true })).toEqual({
      input: [{ type: 'model_output' }],
    })
  })

  it('has the model and the prompt of the channel', () => {
    expect(changesOf('hi', { model: 'n', systemPrompt: 'short' })).toEqual({ model: 'n', system_instruction: 'short' })
  })
})
