import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { CanonicalRequest, Message, Part, Tool } from '../../canonical/index.ts'
import { openaiResponses } from '../index.ts'

const { encodeRequest, decodeRequest, readRequest } = openaiResponses
const plain: CanonicalRequest = {
  model: 'm',
  stream: false,
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
  tools: [],
}
const encode = (fields: Partial<CanonicalRequest>) => encodeRequest({ ...plain, ...fields })
const inputOf = (...messages: Message[]) => encode({ messages }).input
const from = (role: Message['role'], ...parts: Part[]): Message => ({ role, parts })
const text = (value: string): Part => ({ type: 'text', text: value })

describe('encodeRequest', () => {
  it('encodes a simple request that stores nothing', () => {
    expect(encode({})).toEqual({
      model: 'm',
      input: [{ type: 'message', role: 'user', content: 'hi' }],
      store: false,
    })
  })

  it('writes leading system messages as instructions and later ones as developer messages', () => {
    const request = encode({
      messages: [
        from('system', text('one'), text('two')),
        from('system', text('three')),
        from('user', text('hi')),
        from('system', text('later')),
      ],
    })

    expect(request.instructions).toBe('one\n\ntwo\n\nthree')
    expect(request.input).toEqual([
      { type: 'message', role: 'user', content: 'hi' },
      { type: 'message', role: 'developer', content: 'later' },
    ])
  })

  it('never writes an empty input', () => {
    expect(encode({ messages: [from('system', text('alone'))] })).toMatchObject({
      input: [{ type: 'message', role: 'developer', content: 'alone' }],
    })
  })

  it('writes reasoning, text, calls and results as items in order', () => {
    const items = inputOf(
      from(
        'assistant',
        { type: 'thinking', text: 'hm', signature: { dialect: 'openai-responses', value: 'gAAAA', id: 'rs_1' } },
        { type: 'thinking', text: '', signature: { dialect: 'openai-responses', value: 'gBBBB' } },
        { type: 'thinking', text: 'raw', signature: { dialect: 'openai-responses', value: '', id: 'rs_3' } },
        { type: 'thinking', text: 'foreign', signature: { dialect: 'anthropic-messages', value: 's' } },
        { type: 'thinking', text: 'unsigned' },
        text('a'),
        { type: 'refusal', text: 'b' },
        { type: 'native', dialect: 'gemini-generate', value: {} },
        { type: 'native', dialect: 'openai-responses', value: { type: 'web_search_call', id: 'ws' } },
        { type: 'tool-call', id: 'c1', name: 'f', arguments: '{"x": 1.0}' },
        text('c'),
      ),
      from(
        'user',
        { type: 'tool-result', callId: 'c1', content: [{ type: 'text', text: 'r' }] },
        { type: 'tool-result', callId: 'c2', content: [] },
        {
          type: 'tool-result',
          callId: 'c3',
          content: [
            { type: 'text', text: 'see' },
            { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AA' } },
          ],
        },
        text('next'),
      ),
    )

    expect(items).toEqual([
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'hm' }],
        encrypted_content: 'gAAAA',
      },
      { type: 'reasoning', summary: [], encrypted_content: 'gBBBB' },
      { type: 'reasoning', id: 'rs_3', summary: [], content: [{ type: 'reasoning_text', text: 'raw' }] },
      {
        type: 'message',
        role: 'assistant',
        content: [
          { type: 'output_text', text: 'a' },
          { type: 'refusal', refusal: 'b' },
        ],
      },
      { type: 'web_search_call', id: 'ws' },
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"x": 1.0}' },
      { type: 'message', role: 'assistant', content: 'c' },
      { type: 'function_call_output', call_id: 'c1', output: 'r' },
      { type: 'function_call_output', call_id: 'c2', output: '' },
      {
        type: 'function_call_output',
        call_id: 'c3',
        output: [
          { type: 'input_text', text: 'see' },
          { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,AA' },
        ],
      },
      { type: 'message', role: 'user', content: 'next' },
    ])
  })

  it('writes images and documents of every source', () => {
    const items = inputOf(
      from(
        'user',
        { type: 'image', source: { kind: 'url', url: 'https://tides.example/a' }, detail: 'low' },
        { type: 'image', source: { kind: 'file', id: 'f1' } },
        { type: 'document', source: { kind: 'base64', mediaType: 'application/pdf', data: 'AA' } },
        { type: 'document', source: { kind: 'url', url: 'https://tides.example/b' } },
        { type: 'document', source: { kind: 'file', id: 'f2' } },
        { type: 'document', source: { kind: 'text', text: 'words' }, filename: 'a.txt' },
      ),
    )

    expect(items).toEqual([
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_image', detail: 'low', image_url: 'https://tides.example/a' },
          { type: 'input_image', detail: 'auto', file_id: 'f1' },
          { type: 'input_file', filename: 'document.pdf', file_data: 'data:application/pdf;base64,AA' },
          { type: 'input_file', file_url: 'https://tides.example/b' },
          { type: 'input_file', file_id: 'f2' },
          { type: 'input_text', text: 'a.txt\n\nwords' },
        ],
      },
    ])
  })

  it('offers tools and writes calls of text tools as custom calls', () => {
    const tools: Tool[] = [
      { type: 'function', name: 'f', description: 'd', parameters: { type: 'object' }, strict: true },
      { type: 'function', name: 'g' },
      { type: 'text', name: 'patch', format: { type: 'text' } },
      { type: 'hosted', dialect: 'anthropic-messages', name: 'web_search', value: {} },
    ]
    const request = encode({
      tools,
      toolChoice: { name: 'patch' },
      parallelToolCalls: false,
      messages: [
        from('assistant', { type: 'tool-call', id: 'c', name: 'patch', arguments: '{"input":"*** x"}' }),
        from('user', { type: 'tool-result', callId: 'c', content: [{ type: 'text', text: 'ok' }] }),
      ],
    })

    expect(request.tools).toEqual([
      { type: 'function', name: 'f', description: 'd', parameters: { type: 'object' }, strict: true },
      { type: 'function', name: 'g', parameters: { type: 'object', properties: {} }, strict: false },
      { type: 'custom', name: 'patch', format: { type: 'text' } },
    ])
    expect(request).toMatchObject({ tool_choice: { type: 'custom', name: 'patch' }, parallel_tool_calls: false })
    expect(request.input).toEqual([
      { type: 'custom_tool_call', call_id: 'c', name: 'patch', input: '*** x' },
      { type: 'custom_tool_call_output', call_id: 'c', output: 'ok' },
    ])
  })

  it('requests encrypted reasoning only if there is reasoning', () => {
    const encrypted: Part = { type: 'thinking', text: '', signature: { dialect: 'openai-responses', value: 'g' } }

    expect(encode({ reasoning: { effort: 'high', visible: true } })).toMatchObject({
      reasoning: { effort: 'high', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
    })
    expect(encode({ messages: [from('assistant', encrypted), ...plain.messages] }).include).toBeDefined()
    expect(encode({ reasoning: { effort: 'none' } }).include).toBeUndefined()
    expect(encode({ reasoning: { budgetTokens: 0 } })).toEqual(encode({}))
    expect(encode({}).include).toBeUndefined()
  })

  it('maps a token budget to an effort', () => {
    const efforts = [1024, 8000, 32_000].map(
      (budgetTokens) => (encode({ reasoning: { budgetTokens } }).reasoning as { effort: string }).effort,
    )

    expect(efforts).toEqual(['low', 'medium', 'high'])
  })

  it('writes the format and options, and drops values that the provider would reject', () => {
    const request = encode({
      stream: true,
      maxTokens: 1,
      temperature: 0,
      topP: 1,
      topK: 5,
      stop: ['x'],
      seed: 1,
      output: { type: 'schema', schema: { type: 'object' }, strict: true },
      userId: 'u'.repeat(65),
      promptCacheKey: 'k',
    })

    expect(request).toEqual({
      model: 'm',
      input: [{ type: 'message', role: 'user', content: 'hi' }],
      max_output_tokens: 16,
      temperature: 0,
      top_p: 1,
      text: { format: { type: 'json_schema', name: 'answer', schema: { type: 'object' }, strict: true } },
      prompt_cache_key: 'k',
      stream: true,
      store: false,
    })
  })

  const hosted: Tool = { type: 'hosted', dialect: 'gemini-generate', name: 'googleSearch', value: {} }
  const unsupported: [string, Partial<CanonicalRequest>][] = [
    [
      'audio',
      { messages: [from('user', { type: 'audio', source: { kind: 'base64', mediaType: 'audio/wav', data: '' } })] },
    ],
    ['image', { messages: [from('assistant', { type: 'image', source: { kind: 'file', id: 'f' } })] }],
    ['googleSearch', { tools: [hosted], toolChoice: { name: 'googleSearch' } }],
    ['the tool googleSearch', { tools: [hosted] }],
  ]
  it.each(unsupported)('cannot express %s', (named, fields) => {
    expect(() => encode(fields)).toThrow(
      expect.objectContaining({ code: 'cannot_express', message: expect.stringContaining(named) as string }),
    )
  })

  it('keeps the meaning of a request of Codex through the canonical form', () => {
    const body = readFileSync(new URL('../__fixtures__/codex-request.json', import.meta.url), 'utf8')
    const original = JSON.parse(body) as { tools: unknown }
    const decoded = decodeRequest(readRequest(body))

    const encoded = encodeRequest(decoded)

    expect(encoded.tools).toEqual(original.tools)
    expect(encoded).toMatchObject({
      instructions: 'You are Codex.\n\n<permissions>none</permissions>',
      input: [
        { role: 'user' },
        { type: 'reasoning', encrypted_content: 'gAAAA-1' },
        { type: 'message', role: 'assistant', content: 'Looking.' },
        { type: 'function_call', name: 'exec_command', namespace: 'functions', arguments: '{"cmd": "ls"}' },
        { type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin Patch\n' },
        { type: 'function_call_output', output: 'tide.ts' },
        { type: 'custom_tool_call_output', call_id: 'call_2' },
        { type: 'local_shell_call' },
        { type: 'local_shell_call_output' },
        { role: 'user', content: 'Go on.' },
      ],
      reasoning: { effort: 'medium', summary: 'auto' },
    })
    const again = decodeRequest(readRequest(JSON.stringify(encoded)))
    expect({ ...again, messages: again.messages.slice(1) }).toEqual({
      ...decoded,
      messages: decoded.messages.slice(2),
      dropped: undefined,
    })
  })
})
