import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { wrapSignature } from '../../canonical/signature.ts'
import { writeCallSignature } from '../signatures.ts'
import { decodeRequest } from './decode-request.ts'
import { readRequest } from './read-request.ts'

const decode = (fields: object) =>
  decodeRequest(readRequest(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }], ...fields })))
const decodeParts = (content: unknown[], role = 'user') => decode({ messages: [{ role, content }] }).messages[0]!.parts

describe('decodeRequest', () => {
  it('decodes a tool loop with cache_control, thinking, exact arguments and image results', () => {
    const text = readFileSync(new URL('../__fixtures__/request-in-a-tool-loop.json', import.meta.url), 'utf8')

    expect(decodeRequest(readRequest(text))).toEqual({
      model: 'claude-sonnet-4-5',
      stream: true,
      maxTokens: 32000,
      temperature: 1,
      parallelToolCalls: false,
      toolChoice: 'auto',
      reasoning: { budgetTokens: 31999, visible: true },
      userId: 'user_7_session_9',
      tools: [
        {
          type: 'function',
          name: 'tide_at',
          description: 'When the tide turns',
          strict: true,
          parameters: { type: 'object', properties: { at: { type: 'integer' } }, required: ['at'] },
        },
        { type: 'function', name: 'chart', parameters: { type: 'object' }, cache: {} },
        {
          type: 'hosted',
          dialect: 'anthropic-messages',
          name: 'web_search',
          value: { type: 'web_search_20250305', name: 'web_search', max_uses: 5 },
          search: { maxUses: 5 },
        },
      ],
      messages: [
        {
          role: 'system',
          parts: [
            { type: 'text', text: 'You are a pilot.' },
            { type: 'text', text: 'Know the harbour.', cache: { ttl: '1h' } },
          ],
        },
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'When may we leave?' },
            { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'iVBORw==' } },
          ],
        },
        {
          role: 'assistant',
          parts: [
            {
              type: 'thinking',
              text: 'Look it up.',
              signature: { dialect: 'anthropic-messages', value: 'EqQBCgIYAh' },
            },
            {
              type: 'thinking',
              text: '',
              redacted: true,
              signature: { dialect: 'anthropic-messages', value: 'EmwKAhgB' },
            },
            { type: 'text', text: 'One moment.' },
            {
              type: 'tool-call',
              id: 'toolu_1',
              name: 'tide_at',
              arguments: String.raw`{"at": 1152921504606846976, "b": 1.0, "a": "\u00e9"}`,
            },
            { type: 'tool-call', id: 'toolu_2', name: 'chart', arguments: '{}' },
          ],
        },
        {
          role: 'user',
          parts: [
            { type: 'tool-result', callId: 'toolu_1', name: 'tide_at', content: [{ type: 'text', text: 'at six' }] },
            {
              type: 'tool-result',
              callId: 'toolu_2',
              name: 'chart',
              isError: true,
              cache: {},
              content: [
                { type: 'text', text: 'torn' },
                { type: 'image', source: { kind: 'url', url: 'https://example.org/torn.jpg' } },
                { type: 'document', filename: 'legend', source: { kind: 'text', text: 'N is up' } },
              ],
            },
            { type: 'text', text: 'Hurry.', cache: { ttl: '5m' } },
          ],
        },
      ],
    })
  })

  it('keeps system messages between the turns in place', () => {
    const { messages } = decode({
      system: 'be kind',
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'system', content: 'be brief' },
        { role: 'user', content: 'so?' },
      ],
    })

    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'system', 'user'])
  })

  it('decodes every kind of document', () => {
    const document = (source: object, more = {}) => ({ type: 'document', source, ...more })

    expect(
      decodeParts([
        document({ type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' }, { title: 'log' }),
        document({ type: 'url', url: 'https://example.org/log.pdf' }),
        document({ type: 'file', file_id: 'file_1' }),
        document({ type: 'content', content: 'plain' }, { context: 'of last year' }),
        document({
          type: 'content',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        }),
        document(
          {
            type: 'content',
            content: [
              { type: 'text', text: 'c' },
              { type: 'image', source: { type: 'file', file_id: 'file_2' } },
            ],
          },
          { title: 'sketch' },
        ),
      ]),
    ).toEqual([
      {
        type: 'document',
        filename: 'log',
        source: { kind: 'base64', mediaType: 'application/pdf', data: 'JVBERi0=' },
      },
      {
        type: 'document',
        source: { kind: 'url', url: 'https://example.org/log.pdf', mediaType: 'application/pdf' },
      },
      { type: 'document', source: { kind: 'file', id: 'file_1' } },
      { type: 'text', text: 'of last year' },
      { type: 'document', source: { kind: 'text', text: 'plain' } },
      { type: 'document', source: { kind: 'text', text: 'a\n\nb' } },
      { type: 'text', text: 'sketch' },
      { type: 'text', text: 'c' },
      { type: 'image', source: { kind: 'file', id: 'file_2' } },
    ])
  })

  it('keeps blocks that only this protocol has as native parts', () => {
    const blocks = [
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
      { type: 'container_upload', file_id: 'file_1' },
      { type: 'mcp_tool_use', id: 'm', name: 'n', server_name: 'o', input: {} },
    ]

    expect(decodeParts(blocks, 'assistant')).toEqual(
      blocks.map((value) => ({ type: 'native', dialect: 'anthropic-messages', value })),
    )
  })

  it('keeps every item of a tool result', () => {
    const content = [
      { type: 'search_result', source: 'https://x', title: 'Tides', content: [{ type: 'text', text: 'at six' }] },
      { type: 'tool_reference', tool_name: 'chart' },
    ]

    expect(
      decodeParts([
        { type: 'tool_result', tool_use_id: 't', content },
        { type: 'tool_result', tool_use_id: 'u' },
      ]),
    ).toEqual([
      {
        type: 'tool-result',
        callId: 't',
        content: [
          { type: 'text', text: 'Tides\nhttps://x\nat six' },
          { type: 'text', text: '{"type":"tool_reference","tool_name":"chart"}' },
        ],
      },
      { type: 'tool-result', callId: 'u', content: [] },
    ])
  })

  it('reads the signature of a call only from the marked thinking block before it', () => {
    const signature = { dialect: 'gemini-generate', value: 'c2ln' } as const
    const hidden = { dialect: 'openai-responses', value: 'enc', id: 'rs_1' } as const
    const call = { type: 'tool_use', id: 't', name: 'tide', input: {} }

    const parts = decodeParts(
      [
        { type: 'thinking', thinking: '', signature: wrapSignature(hidden) },
        writeCallSignature(signature),
        call,
        { type: 'thinking', thinking: '', signature: wrapSignature(hidden) },
        { ...call, id: 'u' },
        writeCallSignature(signature),
        { type: 'text', text: 'no call' },
      ],
      'assistant',
    )

    expect(parts).toEqual([
      { type: 'thinking', text: '', signature: hidden },
      { type: 'tool-call', id: 't', name: 'tide', arguments: '{}', signature },
      { type: 'thinking', text: '', signature: hidden },
      { type: 'tool-call', id: 'u', name: 'tide', arguments: '{}' },
      { type: 'text', text: 'no call' },
    ])
  })

  it('marks thinking without a signature as its own', () => {
    expect(decodeParts([{ type: 'thinking', thinking: 'hm' }], 'assistant')).toEqual([
      { type: 'thinking', text: 'hm', signature: { dialect: 'anthropic-messages', value: '' } },
    ])
  })

  const thinking: [string, object, object | undefined][] = [
    ['none', {}, undefined],
    ['a budget', { thinking: { type: 'enabled', budget_tokens: 2000 } }, { budgetTokens: 2000, visible: true }],
    [
      'hidden thinking',
      { thinking: { type: 'enabled', budget_tokens: 2000, display: 'omitted' } },
      { budgetTokens: 2000, visible: false },
    ],
    ['no thinking', { thinking: { type: 'disabled' }, output_config: { effort: 'high' } }, { effort: 'none' }],
    ['adaptive thinking', { thinking: { type: 'adaptive' } }, { visible: true }],
    [
      'adaptive thinking with an effort',
      { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'xhigh' } },
      { effort: 'xhigh', visible: true },
    ],
    ['an effort only', { output_config: { effort: 'low' } }, { effort: 'low' }],
  ]
  it.each(thinking)('decodes the reasoning option %s', (_name, fields, reasoning) => {
    expect(decode(fields).reasoning).toEqual(reasoning)
  })

  it('decodes tool choice, limits, sampling and output format', () => {
    const schema = { type: 'object', properties: {} }
    const choice = (tool_choice: object) => decode({ tool_choice }).toolChoice

    expect(choice({ type: 'any' })).toBe('required')
    expect(choice({ type: 'none' })).toBe('none')
    expect(choice({ type: 'tool', name: 'f' })).toEqual({ name: 'f' })
    expect(
      decode({
        temperature: 0,
        top_p: 0.9,
        top_k: 5,
        stop_sequences: ['END'],
        output_config: { format: { type: 'json_schema', schema } },
      }),
    ).toMatchObject({ temperature: 0, topP: 0.9, topK: 5, stop: ['END'], output: { type: 'schema', schema } })
    expect(decode({ output_format: { type: 'json_schema', schema } }).output).toEqual({ type: 'schema', schema })
  })

  it('applies cache_control of the request to its last part', () => {
    const { messages } = decode({ cache_control: { type: 'ephemeral', ttl: '1h' } })

    expect(messages[0]!.parts).toEqual([{ type: 'text', text: 'hi', cache: { ttl: '1h' } }])
  })

  it('rejects invalid requests', () => {
    const invalid = expect.objectContaining({ code: 'invalid_request' })

    expect(() => decode({ messages: [{ role: 'robot', content: 'hi' }] })).toThrow(invalid)
    expect(() => decode({ messages: [{ role: 'user', content: 7 }] })).toThrow(invalid)
    expect(() => decode({ messages: [{ role: 'user', content: ['hi'] }] })).toThrow(invalid)
    expect(() => decodeParts([{ type: 'image', source: { type: 'dream' } }])).toThrow(invalid)
    expect(() => decode({ tools: [{ description: 'nameless' }] })).toThrow(invalid)
    expect(() => decode({ tool_choice: { type: 'maybe' } })).toThrow(invalid)
  })
})
