import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Signature } from '../../canonical/index.ts'
import { openaiResponses } from '../index.ts'
import { encodeCallSignature, encodeThoughtSignature } from '../signatures.ts'

const decode = (fields: object) =>
  openaiResponses.decodeRequest(openaiResponses.readRequest(JSON.stringify({ model: 'm', input: 'hi', ...fields })))
const messagesOf = (input: unknown) => decode({ input }).messages
const user = (text: string) => ({ role: 'user', content: text })

describe('decodeRequest', () => {
  it('decodes a request of Codex', () => {
    const text = readFileSync(new URL('../__fixtures__/codex-request.json', import.meta.url), 'utf8')

    const request = openaiResponses.decodeRequest(openaiResponses.readRequest(text))

    expect(request).toMatchObject({
      model: 'gpt-5-codex',
      stream: true,
      toolChoice: 'auto',
      parallelToolCalls: true,
      reasoning: { effort: 'medium', visible: true },
      promptCacheKey: '0199-conversation',
    })
    expect(request.messages).toEqual([
      { role: 'system', parts: [{ type: 'text', text: 'You are Codex.' }] },
      { role: 'system', parts: [{ type: 'text', text: '<permissions>none</permissions>' }] },
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'Fix the tide.' },
          { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' } },
        ],
      },
      {
        role: 'assistant',
        parts: [
          { type: 'thinking', text: '**Looking**', signature: { dialect: 'openai-responses', value: 'gAAAA-1' } },
          { type: 'text', text: 'Looking.' },
          { type: 'tool-call', id: 'call_1', name: 'exec_command', arguments: '{"cmd": "ls"}' },
          { type: 'tool-call', id: 'call_2', name: 'apply_patch', arguments: '{"input":"*** Begin Patch\\n"}' },
        ],
      },
      {
        role: 'user',
        parts: [
          {
            type: 'tool-result',
            callId: 'call_1',
            name: 'exec_command',
            content: [{ type: 'text', text: 'tide.ts' }],
          },
          {
            type: 'tool-result',
            callId: 'call_2',
            name: 'apply_patch',
            content: [
              { type: 'text', text: 'Done' },
              { type: 'image', source: { kind: 'url', url: 'https://tides.example/a.png' }, detail: 'high' },
            ],
          },
        ],
      },
      { role: 'assistant', parts: [expect.objectContaining({ type: 'native', dialect: 'openai-responses' })] },
      { role: 'user', parts: [expect.objectContaining({ type: 'native', dialect: 'openai-responses' })] },
      { role: 'user', parts: [{ type: 'text', text: 'Go on.' }] },
    ])
    expect(request.tools.map(({ type, name }) => [type, name])).toEqual([
      ['hosted', 'namespace'],
      ['function', 'exec_command'],
      ['text', 'apply_patch'],
      ['hosted', 'namespace'],
      ['function', 'mcp__docs__search'],
      ['hosted', 'web_search'],
      ['hosted', 'local_shell'],
    ])
  })

  it('decodes a plain text and the common options', () => {
    const request = decode({
      max_output_tokens: 99,
      temperature: 0,
      top_p: 0.5,
      user: 'old',
      safety_identifier: 'new',
      parallel_tool_calls: false,
      text: { format: { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true } },
    })

    expect(request).toEqual({
      model: 'm',
      stream: false,
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
      tools: [],
      maxTokens: 99,
      temperature: 0,
      topP: 0.5,
      userId: 'new',
      parallelToolCalls: false,
      output: { type: 'schema', name: 'n', schema: { type: 'object' }, strict: true },
    })
    expect(decode({ text: { format: { type: 'json_object' } } }).output).toEqual({ type: 'json' })
    expect(decode({ text: { format: { type: 'text' } } }).output).toBeUndefined()
  })

  it('decodes images, files, audio and cache breakpoints', () => {
    const breakpoint = { prompt_cache_breakpoint: { mode: 'explicit' } }
    const content = [
      { type: 'input_text', text: 'see', ...breakpoint },
      { type: 'input_image', file_id: 'file_1', detail: 'auto' },
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB', ...breakpoint },
      { type: 'input_file', filename: 'b.PDF', file_data: 'CCCC' },
      { type: 'input_file', file_url: 'https://tides.example/c.pdf' },
      { type: 'input_file', file_id: 'file_2' },
      { type: 'input_audio', input_audio: { data: 'DDDD', format: 'mp3' } },
    ]

    expect(messagesOf([{ role: 'user', content }])[0]!.parts).toEqual([
      { type: 'text', text: 'see', cache: {} },
      { type: 'image', source: { kind: 'file', id: 'file_1' } },
      {
        type: 'document',
        filename: 'a.pdf',
        source: { kind: 'base64', mediaType: 'application/pdf', data: 'BBBB' },
        cache: {},
      },
      { type: 'document', filename: 'b.PDF', source: { kind: 'base64', mediaType: 'application/pdf', data: 'CCCC' } },
      { type: 'document', source: { kind: 'url', url: 'https://tides.example/c.pdf' } },
      { type: 'document', source: { kind: 'file', id: 'file_2' } },
      { type: 'audio', source: { kind: 'base64', mediaType: 'audio/mp3', data: 'DDDD' } },
    ])
  })

  it('separates turns of different roles, and a message from the results before it', () => {
    const messages = messagesOf([
      user('a'),
      user('b'),
      { role: 'assistant', content: 'c' },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'd' }] },
      { type: 'function_call', call_id: 'x', name: 'f', arguments: '' },
      { type: 'function_call_output', call_id: 'x', output: '' },
      user('e'),
      { type: 'function_call', call_id: 'y', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'y', output: 'r' },
    ])

    expect(messages.map(({ role, parts }) => [role, parts.map(({ type }) => type)])).toEqual([
      ['user', ['text']],
      ['user', ['text']],
      ['assistant', ['text', 'refusal', 'tool-call']],
      ['user', ['tool-result']],
      ['user', ['text']],
      ['assistant', ['tool-call']],
      ['user', ['tool-result']],
    ])
  })

  it('accepts arguments and results that are JSON instead of text', () => {
    const [call, result] = messagesOf([
      { type: 'function_call', call_id: 'x', name: 'f', arguments: { at: 1 } },
      { type: 'function_call_output', call_id: 'x', output: { ok: true } },
    ])

    expect(call!.parts).toMatchObject([{ arguments: '{"at":1}' }])
    expect(result!.parts).toMatchObject([{ content: [{ type: 'text', text: '{"ok":true}' }] }])
  })

  it('gives each call its own signature', () => {
    const gemini = (value: string): Signature => ({ dialect: 'gemini-generate', value })
    const reasoningItem = (encrypted_content: string | undefined, text = '') => ({
      type: 'reasoning',
      id: 'rs',
      summary: text === '' ? [] : [{ type: 'summary_text', text }],
      encrypted_content,
    })
    const call = (call_id: string) => ({ type: 'function_call', call_id, name: 'f', arguments: '{}' })

    const [message] = messagesOf([
      reasoningItem(encodeThoughtSignature(gemini('thought'), { itemId: 'rs' })),
      call('unsigned'),
      reasoningItem(encodeCallSignature('signed', gemini('call'))),
      reasoningItem(encodeCallSignature('gone', gemini('nobody'))),
      call('other'),
      call('signed'),
      reasoningItem(
        encodeThoughtSignature({ dialect: 'anthropic-messages', value: 'r' }, { itemId: 'rs', redacted: true }),
      ),
      reasoningItem(undefined, 'only words'),
      reasoningItem(undefined),
    ])

    expect(message!.parts).toEqual([
      { type: 'thinking', text: '', signature: gemini('thought') },
      { type: 'tool-call', id: 'unsigned', name: 'f', arguments: '{}' },
      { type: 'tool-call', id: 'other', name: 'f', arguments: '{}' },
      { type: 'tool-call', id: 'signed', name: 'f', arguments: '{}', signature: gemini('call') },
      { type: 'thinking', text: '', signature: { dialect: 'anthropic-messages', value: 'r' }, redacted: true },
      { type: 'thinking', text: 'only words', signature: { dialect: 'openai-responses', value: '', id: 'rs' } },
    ])
  })

  it('decodes a generated image, and later options and tools of a conversation', () => {
    const tools = [{ type: 'function', name: 'f', description: 'new' }]
    const request = decode({
      tools: [
        { type: 'function', name: 'f', description: 'old' },
        { type: 'function', name: 'g' },
      ],
      reasoning: { effort: 'low' },
      input: [
        user('a'),
        { type: 'image_generation_call', id: 'ig', result: 'AAAA', output_format: 'jpeg' },
        { type: 'additional_tools', role: 'developer', tools },
        { type: 'configuration_update', reasoning: { effort: 'high' } },
      ],
    })

    expect(request.messages[1]!.parts).toEqual([
      { type: 'image', source: { kind: 'base64', mediaType: 'image/jpeg', data: 'AAAA' } },
    ])
    expect(request.reasoning).toEqual({ effort: 'high' })
    expect(request.tools).toEqual([
      { type: 'function', name: 'g' },
      { type: 'function', name: 'f', description: 'new' },
    ])
  })

  it('decodes every form of tool_choice that others have', () => {
    const tools = [
      { type: 'function', name: 'f' },
      { type: 'custom', name: 'c' },
      { type: 'web_search' },
      { type: 'namespace', name: 'ns', tools: [{ type: 'function', name: 'n' }] },
    ]
    const choice = (tool_choice: unknown) => decode({ tools, tool_choice })
    const names = (request: ReturnType<typeof decode>) => request.tools.map(({ name }) => name)

    expect(choice('required').toolChoice).toBe('required')
    expect(choice(undefined).toolChoice).toBeUndefined()
    expect(choice({ type: 'function', name: 'f' }).toolChoice).toEqual({ name: 'f' })
    expect(choice({ type: 'function', name: 'n', namespace: 'ns' }).toolChoice).toEqual({ name: 'ns__n' })
    expect(choice({ type: 'custom', name: 'c' }).toolChoice).toEqual({ name: 'c' })

    const allowed = choice({
      type: 'allowed_tools',
      mode: 'required',
      tools: [{ type: 'custom', name: 'c' }, { type: 'web_search' }],
    })
    expect(allowed.toolChoice).toBe('required')
    expect(names(allowed)).toEqual(['c', 'web_search', 'namespace'])
  })

  const unspeakable: [string, object][] = [
    ['previous_response_id', { previous_response_id: 'resp_1' }],
    ['conversation', { conversation: { id: 'conv_1' } }],
    ['prompt', { prompt: { id: 'pmpt_1' } }],
    ['item_reference', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
    ['compaction', { input: [{ type: 'compaction', encrypted_content: 'x' }] }],
    ['compaction_trigger', { input: [{ type: 'compaction_trigger' }] }],
    ['"tomorrow"', { input: [{ type: 'tomorrow' }] }],
    ['"input_video"', { input: [{ role: 'user', content: [{ type: 'input_video' }] }] }],
    ['"file_search"', { tool_choice: { type: 'file_search' } }],
  ]
  it.each(unspeakable)('explains why only OpenAI can handle %s', (named, fields) => {
    expect(() => decode(fields)).toThrow(
      expect.objectContaining({ code: 'cannot_express', message: expect.stringContaining(named) as string }),
    )
  })

  const malformed: [string, object][] = [
    ['an item that is not an object', { input: ['hi'] }],
    ['a message without a role', { input: [{ content: 'hi' }] }],
    ['a call without an id', { input: [{ type: 'function_call', name: 'f', arguments: '{}' }] }],
    ['an image without a source', { input: [{ role: 'user', content: [{ type: 'input_image' }] }] }],
    ['a tool without a name', { tools: [{ type: 'function' }] }],
    ['instructions that are not text', { instructions: [] }],
  ]
  it.each(malformed)('rejects %s', (_name, fields) => {
    expect(() => decode(fields)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  })

  it('treats null as missing', () => {
    expect(() =>
      decode({ previous_response_id: null, conversation: null, prompt: null, background: false, instructions: null }),
    ).not.toThrow()
  })
})
