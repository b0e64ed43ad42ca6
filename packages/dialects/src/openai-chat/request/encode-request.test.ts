import { describe, expect, it } from 'vitest'
import type { CanonicalRequest, Message, Part, Tool } from '../../canonical/index.ts'
import { decodeRequest } from './decode-request.ts'
import { encodeRequest } from './encode-request.ts'
import { readRequest } from './read-request.ts'

const user: Message = { role: 'user', parts: [{ type: 'text', text: 'hi' }] }
const base: CanonicalRequest = { model: 'm', stream: false, messages: [user], tools: [] }
const messagesOf = (...messages: Message[]) => encodeRequest({ ...base, messages }).messages
const image: Part & { type: 'image' } = {
  type: 'image',
  source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' },
}
const imagePart = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
const call = (id: string): Part => ({ type: 'tool-call', id, name: 'look', arguments: '{"n": 1.0}' })
const toolCall = (id: string) => ({ id, type: 'function', function: { name: 'look', arguments: '{"n": 1.0}' } })

describe('encodeRequest', () => {
  it('keeps the meaning of a decoded request', () => {
    const body = {
      model: 'm',
      messages: [
        { role: 'system', content: 'be kind' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look' },
            { type: 'image_url', image_url: { url: 'https://a.example/b.png', detail: 'low' } },
            { type: 'input_audio', input_audio: { data: 'BBBB', format: 'wav' } },
            { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,CCCC' } },
            { type: 'file', file: { file_id: 'file-1' } },
          ],
        },
        {
          role: 'assistant',
          content: 'Hm.',
          reasoning_content: 'thinking',
          tool_calls: [
            { id: 'a', type: 'function', function: { name: 'tide', arguments: '{"n": 1152921504606846976}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'a', content: 'six' },
      ],
      stream: true,
      tools: [
        {
          type: 'function',
          function: { name: 'tide', description: 'when', parameters: { type: 'object' }, strict: false },
        },
      ],
      tool_choice: { type: 'function', function: { name: 'tide' } },
      parallel_tool_calls: true,
      max_tokens: 9,
      temperature: 0,
      top_p: 1,
      stop: ['x'],
      seed: 1,
      frequency_penalty: 0,
      presence_penalty: 0,
      reasoning_effort: 'minimal',
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' }, strict: true } },
      user: 'ada',
      prompt_cache_key: 'k',
    }

    expect(encodeRequest(decodeRequest(readRequest(JSON.stringify(body))))).toEqual(body)
  })

  it('leaves out options that providers of this protocol do not know', () => {
    const encoded = encodeRequest({
      ...base,
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi', cache: { ttl: '1h' } }] }],
      topK: 5,
      reasoning: { budgetTokens: 4096, visible: true },
      userId: 'u'.repeat(65),
      tools: [{ type: 'hosted', dialect: 'anthropic-messages', name: 'web_search', value: {} }],
      toolChoice: 'none',
      parallelToolCalls: true,
    })

    expect(encoded).toEqual({ model: 'm', messages: [{ role: 'user', content: 'hi' }] })
  })

  it('joins texts and writes a list only with other content', () => {
    const two: Part[] = [
      { type: 'text', text: 'a' },
      { type: 'text', text: '' },
      { type: 'document', source: { kind: 'text', text: 'b' }, filename: 'b.txt' },
    ]

    expect(messagesOf({ role: 'system', parts: two }, { role: 'user', parts: [...two, image] })).toEqual([
      { role: 'system', content: 'a\n\nb.txt:\nb' },
      { role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'text', text: 'b.txt:\nb' }, imagePart] },
    ])
  })

  it('sends media of tools after all results of the turn and names the call', () => {
    const result = (callId: string, ...content: (Part & { type: 'text' | 'image' })[]): Part => ({
      type: 'tool-result',
      callId,
      content,
    })
    const messages = messagesOf(
      user,
      { role: 'assistant', parts: [call('a'), call('b')] },
      { role: 'user', parts: [result('a', image)] },
      { role: 'user', parts: [result('b', { type: 'text', text: 'fine' }), { type: 'text', text: 'and?' }] },
    )

    expect(messages).toEqual([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: null, tool_calls: [toolCall('a'), toolCall('b')] },
      { role: 'tool', tool_call_id: 'a', content: 'The result is shown in the next user message.' },
      { role: 'tool', tool_call_id: 'b', content: 'fine' },
      {
        role: 'user',
        content: [{ type: 'text', text: 'Shown by the tool call a:' }, imagePart, { type: 'text', text: 'and?' }],
      },
    ])
  })

  it('sends images of the assistant in the next user message, also at the end', () => {
    const messages = messagesOf(user, { role: 'assistant', parts: [{ type: 'text', text: 'Here.' }, image] })

    expect(messages).toEqual([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Here.' },
      { role: 'user', content: [{ type: 'text', text: 'Shown by the assistant in the message above:' }, imagePart] },
    ])
  })

  it('reports a failed tool without a message', () => {
    const failed: Part = { type: 'tool-result', callId: 'a', content: [], isError: true }

    expect(messagesOf({ role: 'user', parts: [failed] })).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'The tool failed without a message.' },
    ])
  })

  it('shortens long ids in the same way in the call and its result', () => {
    const long = `toolu_${'x'.repeat(60)}`
    const messages = messagesOf(
      { role: 'assistant', parts: [call(long), call('b')] },
      { role: 'user', parts: [{ type: 'tool-result', callId: long, content: [{ type: 'text', text: 'six' }] }] },
    )

    expect(messages).toEqual([
      { role: 'assistant', content: null, tool_calls: [toolCall('call_renamed_0'), toolCall('b')] },
      { role: 'tool', tool_call_id: 'call_renamed_0', content: 'six' },
    ])
  })

  it('sends reasoning back only to this protocol, in the field it came in', () => {
    const details = [{ type: 'reasoning.text', text: 'c', signature: 's', index: 0 }]
    const thinkingPart = (text: string, dialect: 'openai-chat' | 'anthropic-messages', value: string): Part => ({
      type: 'thinking',
      text,
      signature: { dialect, value },
    })
    const encodedContent: Part = { type: 'text', text: 'ok' }
    const assistant = (...parts: Part[]) => messagesOf({ role: 'assistant', parts })

    expect(assistant(thinkingPart('a', 'openai-chat', ''), encodedContent)).toEqual([
      { role: 'assistant', content: 'ok', reasoning_content: 'a' },
    ])
    expect(assistant(thinkingPart('b', 'openai-chat', 'reasoning'), encodedContent)).toEqual([
      { role: 'assistant', content: 'ok', reasoning: 'b' },
    ])
    expect(assistant(thinkingPart('c', 'openai-chat', JSON.stringify(details)), encodedContent)).toEqual([
      { role: 'assistant', content: 'ok', reasoning_details: details },
    ])
    expect(
      assistant(thinkingPart('d', 'anthropic-messages', 'sig'), { type: 'thinking', text: 'e' }, encodedContent),
    ).toEqual([{ role: 'assistant', content: 'ok' }])
    expect(assistant(thinkingPart('f', 'openai-chat', '[broken'), encodedContent)).toEqual([
      { role: 'assistant', content: 'ok' },
    ])
    expect(assistant(thinkingPart('g', 'anthropic-messages', 'sig'))).toEqual([])
  })

  it('sends the signature of a call back only to this protocol', () => {
    const signedMessage = (dialect: 'openai-chat' | 'gemini-generate'): Message => ({
      role: 'assistant',
      parts: [{ type: 'tool-call', id: 'a', name: 'look', arguments: '', signature: { dialect, value: 'CpQB' } }],
    })
    const plain = { id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } }

    expect(messagesOf(signedMessage('openai-chat'))).toMatchObject([
      { tool_calls: [{ ...plain, extra_content: { google: { thought_signature: 'CpQB' } } }] },
    ])
    expect(messagesOf(signedMessage('gemini-generate'))).toEqual([
      { role: 'assistant', content: null, tool_calls: [plain] },
    ])
  })

  it('offers a text tool as a function with one string', () => {
    const patch: Tool = {
      type: 'text',
      name: 'apply_patch',
      description: 'Edits files.',
      format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
    }

    expect(encodeRequest({ ...base, tools: [patch], toolChoice: { name: 'apply_patch' } })).toMatchObject({
      tools: [
        {
          type: 'function',
          function: {
            name: 'apply_patch',
            description: 'Edits files.\n\nThe input follows this grammar:\nstart: "x"',
            parameters: { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] },
          },
        },
      ],
      tool_choice: { type: 'function', function: { name: 'apply_patch' } },
    })
  })

  const hosted: Tool = { type: 'hosted', dialect: 'openai-responses', name: 'web_search', value: {} }
  const impossible: [string, Partial<CanonicalRequest>][] = [
    ['a forced tool of another provider', { tools: [hosted], toolChoice: { name: 'web_search' } }],
    ['no tool but one that only another provider hosts', { tools: [hosted] }],
    ['a required tool that only another provider hosts', { tools: [hosted], toolChoice: 'required' }],
    [
      'an image that another provider stores',
      { messages: [{ role: 'user', parts: [{ type: 'image', source: { kind: 'file', id: 'f' } }] }] },
    ],
    [
      'a document by URL',
      {
        messages: [{ role: 'user', parts: [{ type: 'document', source: { kind: 'url', url: 'https://a.example' } }] }],
      },
    ],
    [
      'audio of the assistant',
      {
        messages: [
          {
            role: 'assistant',
            parts: [{ type: 'audio', source: { kind: 'base64', mediaType: 'audio/wav', data: 'A' } }],
          },
        ],
      },
    ],
  ]
  it.each(impossible)('rejects %s', (_name, fields) => {
    expect(() => encodeRequest({ ...base, ...fields })).toThrow(expect.objectContaining({ code: 'cannot_express' }))
  })
})
