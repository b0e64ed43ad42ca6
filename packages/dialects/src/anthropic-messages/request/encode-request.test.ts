import { describe, expect, it } from 'vitest'
import type { CanonicalRequest, Message, Part, Signature } from '../../canonical/index.ts'
import { encodeRequest } from './encode-request.ts'

type Wire = Record<string, unknown> & { messages: { role: string; content: Record<string, unknown>[] }[] }

const user: Message = { role: 'user', parts: [{ type: 'text', text: 'hi' }] }
const encode = (fields: Partial<CanonicalRequest> = {}) =>
  encodeRequest({ model: 'claude', stream: false, messages: [user], tools: [], ...fields }) as Wire
const userText = (role: Message['role'], ...parts: Part[]): Message => ({ role, parts })
const text = (value: string): Part => ({ type: 'text', text: value })
const call = (id: string, args = '{}', name = 'tide'): Part => ({ type: 'tool-call', id, name, arguments: args })
const result = (callId: string, value = 'six'): Part => ({
  type: 'tool-result',
  callId,
  content: [{ type: 'text', text: value }],
})
const tool = { type: 'function', name: 'tide', parameters: { type: 'object', properties: {} } } as const
const own: Signature = { dialect: 'anthropic-messages', value: 'EqQB' }
const cannotExpress = expect.objectContaining({ code: 'cannot_express' })

describe('encodeRequest', () => {
  it('writes only the fields that the request has', () => {
    expect(encode()).toEqual({
      model: 'claude',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
      stream: false,
    })
  })

  it('joins system messages from any position and keeps their blocks and cache_control', () => {
    const { system, messages } = encode({
      messages: [
        userText('system', { type: 'text', text: 'be kind', cache: { ttl: '1h' } }, text(' ')),
        user,
        userText('system', text('be brief')),
        userText('user', text('so?')),
      ],
    })

    expect(system).toEqual([
      { type: 'text', text: 'be kind', cache_control: { type: 'ephemeral', ttl: '1h' } },
      { type: 'text', text: 'be brief' },
    ])
    expect(messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'hi' },
          { type: 'text', text: 'so?' },
        ],
      },
    ])
  })

  it('writes media in the format of the protocol', () => {
    const [message] = encode({
      messages: [
        userText(
          'user',
          { type: 'image', source: { kind: 'url', url: 'data:image/jpg;base64,/9j/' }, cache: {} },
          { type: 'image', source: { kind: 'url', url: 'https://example.org/x.png' } },
          { type: 'document', source: { kind: 'base64', mediaType: 'application/pdf', data: 'JVBE' }, filename: 'log' },
          { type: 'document', source: { kind: 'base64', mediaType: 'text/plain; charset=utf-8', data: 'w6l0w6k=' } },
          { type: 'document', source: { kind: 'text', text: 'day one' } },
          { type: 'document', source: { kind: 'file', id: 'file_011' } },
        ),
      ],
    }).messages

    expect(message!.content).toEqual([
      {
        type: 'image',
        source: { type: 'base64', media_type: 'image/jpeg', data: '/9j/' },
        cache_control: { type: 'ephemeral' },
      },
      { type: 'image', source: { type: 'url', url: 'https://example.org/x.png' } },
      { type: 'document', title: 'log', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' } },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'été' } },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'day one' } },
      { type: 'document', source: { type: 'file', file_id: 'file_011' } },
    ])
  })

  const unspeakable: [string, Message][] = [
    ['audio', userText('user', { type: 'audio', source: { kind: 'base64', mediaType: 'audio/wav', data: '' } })],
    ['a file of another provider', userText('user', { type: 'image', source: { kind: 'file', id: 'file-abc' } })],
    [
      'an unsupported document type',
      userText('user', { type: 'document', source: { kind: 'base64', mediaType: 'application/msword', data: '' } }),
    ],
    ['an image of the assistant', userText('assistant', { type: 'image', source: { kind: 'url', url: 'https://x' } })],
    ['an image in a system message', userText('system', { type: 'image', source: { kind: 'url', url: 'https://x' } })],
  ]
  it.each(unspeakable)('cannot express %s', (_name, message) => {
    expect(() => encode({ messages: [user, message] })).toThrow(cannotExpress)
  })

  it('offers tools and leaves out hosted tools of other providers', () => {
    const { tools } = encode({
      tools: [
        { ...tool, description: 'when', cache: {} },
        { type: 'function', name: 'bare' },
        { type: 'text', name: 'patch', format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' } },
        { type: 'hosted', dialect: 'openai-responses', name: 'file_search', value: { type: 'file_search' } },
        { type: 'hosted', dialect: 'anthropic-messages', name: 'bash', value: { type: 'bash_20250124', name: 'bash' } },
      ],
    })

    expect(tools).toEqual([
      { name: 'tide', description: 'when', input_schema: tool.parameters, cache_control: { type: 'ephemeral' } },
      { name: 'bare', input_schema: { type: 'object' } },
      {
        name: 'patch',
        input_schema: {
          type: 'object',
          properties: { input: { type: 'string', description: 'Must match this lark grammar:\nstart: "x"' } },
          required: ['input'],
        },
      },
      { type: 'bash_20250124', name: 'bash' },
    ])
  })

  it('writes the tool choice', () => {
    const choice = (fields: Partial<CanonicalRequest>) => encode({ tools: [tool], ...fields }).tool_choice

    expect(choice({})).toBeUndefined()
    expect(choice({ parallelToolCalls: false })).toEqual({ type: 'auto', disable_parallel_tool_use: true })
    expect(choice({ toolChoice: 'required', parallelToolCalls: true })).toEqual({ type: 'any' })
    expect(choice({ toolChoice: 'none' })).toEqual({ type: 'none' })
    expect(choice({ toolChoice: { name: 'tide' } })).toEqual({ type: 'tool', name: 'tide' })
    expect(choice({ toolChoice: 'auto', tools: [] })).toBeUndefined()
  })

  it('rejects a required tool that is not offered', () => {
    const hosted = { type: 'hosted', dialect: 'openai-responses', name: 'web_search', value: {} } as const

    expect(() => encode({ tools: [hosted], toolChoice: 'required' })).toThrow(cannotExpress)
    expect(() => encode({ tools: [hosted, tool], toolChoice: { name: 'web_search' } })).toThrow(cannotExpress)
  })

  it('declares and forbids the called tools if no tools are offered', () => {
    const { tools, tool_choice } = encode({
      messages: [user, userText('assistant', call('a')), userText('user', result('a'))],
    })

    expect(tools).toEqual([{ name: 'tide', input_schema: { type: 'object' } }])
    expect(tool_choice).toEqual({ type: 'none' })
  })

  it('keeps the last four cache breakpoints in the order the provider reads', () => {
    const cachedText = (value: string): Part => ({ type: 'text', text: value, cache: {} })
    const { tools, system, messages } = encode({
      tools: [{ ...tool, cache: {} }],
      messages: [
        userText('system', cachedText('a')),
        userText('user', cachedText('b')),
        userText('assistant', call('t')),
        userText('user', {
          type: 'tool-result',
          callId: 't',
          cache: {},
          content: [{ type: 'text', text: 'c', cache: {} }],
        }),
        userText('user', cachedText('d')),
      ],
    })

    const mark = { type: 'ephemeral' }
    expect(tools).toEqual([{ name: 'tide', input_schema: tool.parameters }])
    expect(system).toEqual([{ type: 'text', text: 'a' }])
    expect(messages[0]!.content[0]!.cache_control).toEqual(mark)
    expect(messages[2]!.content).toEqual([
      {
        type: 'tool_result',
        tool_use_id: 't',
        cache_control: mark,
        content: [{ type: 'text', text: 'c', cache_control: mark }],
      },
      { type: 'text', text: 'd', cache_control: mark },
    ])
  })

  it('writes an output schema with closed objects', () => {
    const schema = { type: 'object', properties: { n: { type: 'integer', minimum: 1 } }, required: ['n'] }

    expect(encode({ output: { type: 'schema', schema } }).output_config).toEqual({
      format: {
        type: 'json_schema',
        schema: {
          type: 'object',
          properties: { n: { type: 'integer', description: 'minimum: 1' } },
          required: ['n'],
          additionalProperties: false,
        },
      },
    })
  })

  it('asks for JSON in the system prompt if there is no schema', () => {
    const { system } = encode({ output: { type: 'json' }, messages: [userText('system', text('be kind')), user] })

    expect(system).toEqual([
      { type: 'text', text: 'be kind' },
      { type: 'text', text: expect.stringContaining('JSON') as string },
    ])
  })

  it('limits sampling options to what the provider accepts', () => {
    expect(encode({ temperature: 1.6, topP: 0.9, topK: 3, seed: 1, presencePenalty: 1 })).toMatchObject({
      temperature: 1,
      top_k: 3,
    })
    expect(encode({ temperature: 1, topP: 0.9 })).not.toHaveProperty('top_p')
    expect(encode({ topP: 0.9 })).toHaveProperty('top_p', 0.9)
    expect(encode({ stop: ['\n', 'END'], userId: 'u', maxTokens: 5 })).toMatchObject({
      stop_sequences: ['END'],
      metadata: { user_id: 'u' },
      max_tokens: 5,
    })
  })

  it('drops thinking of other providers and sends its own back unchanged', () => {
    const { messages } = encode({
      messages: [
        user,
        userText(
          'assistant',
          { type: 'thinking', text: 'theirs', signature: { dialect: 'openai-chat', value: '' } },
          { type: 'thinking', text: 'nobody’s' },
          { type: 'thinking', text: 'mine', signature: own },
          { type: 'thinking', text: '', redacted: true, signature: own },
          { type: 'native', dialect: 'gemini-generate', value: { x: 1 } },
          { type: 'native', dialect: 'anthropic-messages', value: { type: 'server_tool_use' } },
          { type: 'refusal', text: 'no' },
        ),
      ],
    })

    expect(messages[1]!.content).toEqual([
      { type: 'thinking', thinking: 'mine', signature: 'EqQB' },
      { type: 'redacted_thinking', data: 'EqQB' },
      { type: 'server_tool_use' },
      { type: 'text', text: 'no' },
    ])
  })

  it('keeps numbers in arguments that a double cannot hold', () => {
    const args = '{"at":1152921504606846976,"factor":1.0}'

    expect(JSON.stringify(encode({ messages: [user, userText('assistant', call('a', args))] }))).toContain(
      `"input":${args}`,
    )
  })
})

describe('thinking', () => {
  const thinking = (fields: Partial<CanonicalRequest>) => {
    const { thinking: options, max_tokens } = encode(fields)
    return { budget: (options as { budget_tokens: number } | undefined)?.budget_tokens, max_tokens }
  }

  it('gets a share of the limit by effort', () => {
    expect(thinking({ maxTokens: 20_000, reasoning: { effort: 'low' } })).toEqual({ budget: 4000, max_tokens: 20_000 })
    expect(thinking({ maxTokens: 20_000, reasoning: { effort: 'medium' } }).budget).toBe(10_000)
    expect(thinking({ maxTokens: 20_000, reasoning: { effort: 'high' } }).budget).toBe(16_000)
    expect(thinking({ maxTokens: 20_000, reasoning: { effort: 'max' } }).budget).toBe(16_000)
    expect(thinking({ reasoning: { effort: 'medium' } })).toEqual({ budget: 4096, max_tokens: undefined })
  })

  it('is off if the client disables it or does not ask for it', () => {
    for (const reasoning of [{ effort: 'none' }, { effort: 'minimal' }, { budgetTokens: 0, visible: true }, {}]) {
      expect(thinking({ maxTokens: 20_000, reasoning }).budget).toBeUndefined()
    }
    expect(thinking({ maxTokens: 20_000, reasoning: { visible: true } }).budget).toBe(10_000)
    expect(thinking({ maxTokens: 20_000, reasoning: { budgetTokens: -1 } }).budget).toBe(10_000)
  })

  it('gets at least the minimum budget, and the limit is raised above it', () => {
    expect(thinking({ maxTokens: 500, reasoning: { effort: 'low' } })).toEqual({ budget: 1024, max_tokens: 1524 })
    expect(thinking({ maxTokens: 4000, reasoning: { budgetTokens: 300 } })).toEqual({ budget: 1024, max_tokens: 4000 })
    expect(thinking({ maxTokens: 4000, reasoning: { budgetTokens: 4000 } })).toEqual({ budget: 4000, max_tokens: 8000 })
  })

  it('removes options that the provider rejects together with thinking', () => {
    const reasoning = { budgetTokens: 2000 }
    const body = encode({
      reasoning,
      maxTokens: 9000,
      temperature: 0.2,
      topP: 0.5,
      topK: 9,
      tools: [tool],
      toolChoice: { name: 'tide' },
      parallelToolCalls: false,
    })

    expect(body).toMatchObject({ tool_choice: { type: 'auto', disable_parallel_tool_use: true } })
    expect(body.tool_choice).not.toHaveProperty('name')
    for (const name of ['temperature', 'top_p', 'top_k']) expect(body).not.toHaveProperty(name)
    expect(encode({ reasoning, topP: 0.97 })).toHaveProperty('top_p', 0.97)
    expect(encode({ reasoning, tools: [tool], toolChoice: 'none' })).toHaveProperty('tool_choice', { type: 'none' })
  })

  it('stays off within a turn that did not start with thinking', () => {
    const reasoning = { effort: 'high' }
    const loop = (...thoughts: Part[]) => [
      user,
      userText('assistant', ...thoughts, call('a')),
      userText('user', result('a')),
    ]
    const foreign: Part = { type: 'thinking', text: 'hm', signature: { dialect: 'gemini-generate', value: 'g' } }
    const signed: Part = { type: 'thinking', text: 'hm', signature: own }
    const on = (messages: Message[]) => thinking({ reasoning, messages }).budget !== undefined

    expect(on(loop())).toBe(false)
    expect(on(loop(foreign))).toBe(false)
    expect(on(loop(signed))).toBe(true)
    expect(on([...loop(signed), userText('assistant', call('b')), userText('user', result('b'))])).toBe(true)
    expect(on([...loop(), userText('assistant', text('done')), user])).toBe(true)
    expect(on([user, userText('assistant', text('The answer is'))])).toBe(false)
  })
})
