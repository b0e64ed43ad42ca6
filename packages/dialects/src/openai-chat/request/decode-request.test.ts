import { describe, expect, it } from 'vitest'
import { type CanonicalRequest, writeSignature } from '../../canonical/index.ts'
import { decodeRequest } from './decode-request.ts'
import { readRequest } from './read-request.ts'

const user = { role: 'user', content: 'hi' }
const decode = (fields: object): CanonicalRequest =>
  decodeRequest(readRequest(JSON.stringify({ model: 'm', messages: [user], ...fields })))
const messagesOf = (...messages: object[]) => decode({ messages }).messages
const partsOf = (message: object) => messagesOf(message)[0]!.parts

describe('decodeRequest', () => {
  it('decodes every option that other protocols have', () => {
    const request = decode({
      stream: true,
      max_tokens: 10,
      max_completion_tokens: 20,
      temperature: 0,
      top_p: 0.5,
      top_k: 7,
      seed: 3,
      stop: 'END',
      frequency_penalty: 0.1,
      presence_penalty: -1,
      reasoning_effort: 'low',
      user: 'ada',
      prompt_cache_key: 'k',
      parallel_tool_calls: false,
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' }, strict: true } },
    })

    expect(request).toEqual({
      model: 'm',
      stream: true,
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
      tools: [],
      parallelToolCalls: false,
      maxTokens: 20,
      temperature: 0,
      topP: 0.5,
      topK: 7,
      stop: ['END'],
      seed: 3,
      frequencyPenalty: 0.1,
      presencePenalty: -1,
      reasoning: { effort: 'low' },
      output: { type: 'schema', name: 'n', schema: { type: 'object' }, strict: true },
      userId: 'ada',
      promptCacheKey: 'k',
    })
  })

  const reasonings: [object, CanonicalRequest['reasoning']][] = [
    [{ reasoning: { max_tokens: 2000, exclude: true } }, { budgetTokens: 2000, visible: false }],
    [{ reasoning: { effort: 'high' } }, { effort: 'high' }],
    [{ thinking: { type: 'enabled', budget_tokens: 4096 } }, { budgetTokens: 4096 }],
    [{ thinking: { type: 'disabled' } }, { effort: 'none' }],
    [{ reasoning_effort: null }, undefined],
  ]
  it.each(reasonings)('decodes the reasoning options %j', (fields, expected) => {
    expect(decode(fields).reasoning).toEqual(expected)
  })

  it('decodes the short forms of output format and stop', () => {
    expect(decode({ response_format: { type: 'json_object' } }).output).toEqual({ type: 'json' })
    expect(decode({ response_format: { type: 'text' }, stop: null })).toMatchObject({
      output: undefined,
      stop: undefined,
    })
    expect(decode({ stop: ['a', 'b'] }).stop).toEqual(['a', 'b'])
  })

  const impossible: [string, object, string][] = [
    ['several choices', { n: 2 }, 'cannot_express'],
    ['audio output', { modalities: ['text', 'audio'] }, 'cannot_express'],
    ['unknown parts', { messages: [{ role: 'user', content: [{ type: 'video_url' }] }] }, 'cannot_express'],
    ['audio that a provider stores', { messages: [{ role: 'assistant', audio: { id: 'a' } }] }, 'cannot_express'],
    ['an unknown output format', { response_format: { type: 'grammar' } }, 'cannot_express'],
    ['an unknown role', { messages: [{ role: 'narrator', content: 'x' }] }, 'invalid_request'],
    ['a message that is not an object', { messages: ['hi'] }, 'invalid_request'],
    ['a tool result without a call id', { messages: [{ role: 'tool', content: 'x' }] }, 'invalid_request'],
    ['a tool without a name', { tools: [{ type: 'function', function: {} }] }, 'invalid_request'],
  ]
  it.each(impossible)('rejects %s', (_name, fields, code) => {
    expect(() => decode(fields)).toThrow(expect.objectContaining({ code }))
  })
})

describe('messages', () => {
  it('keep system messages in place', () => {
    const messages = messagesOf({ role: 'system', content: 'a' }, user, { role: 'developer', content: 'b' })

    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'system'])
  })

  it('contain texts, images, audio and files', () => {
    const content = [
      { type: 'text', text: 'look', cache_control: { type: 'ephemeral', ttl: '1h' } },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'high' } },
      {
        type: 'image_url',
        image_url: { url: 'https://a.example/b.jpg' },
        prompt_cache_breakpoint: { mode: 'explicit' },
      },
      { type: 'input_audio', input_audio: { data: 'BBBB', format: 'mp3' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,CCCC' } },
      { type: 'file', file: { file_id: 'file-1' } },
      { type: 'text', text: '' },
    ]

    expect(partsOf({ role: 'user', content })).toEqual([
      { type: 'text', text: 'look', cache: { ttl: '1h' } },
      { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' }, detail: 'high' },
      { type: 'image', source: { kind: 'url', url: 'https://a.example/b.jpg' }, cache: {} },
      { type: 'audio', source: { kind: 'base64', mediaType: 'audio/mp3', data: 'BBBB' } },
      { type: 'document', source: { kind: 'base64', mediaType: 'application/pdf', data: 'CCCC' }, filename: 'a.pdf' },
      { type: 'document', source: { kind: 'file', id: 'file-1' } },
    ])
  })

  it('apply cache_control of a message to its last part', () => {
    const cached = {
      role: 'system',
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
      cache_control: {},
    }

    expect(partsOf(cached)).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b', cache: {} },
    ])
  })

  it('join the results of one turn, with their names and images', () => {
    const call = (id: string, name: string, text: string) => ({
      id,
      type: 'function',
      function: { name, arguments: text },
    })
    const messages = messagesOf(
      user,
      { role: 'assistant', content: null, tool_calls: [call('a', 'tide', '{"n": 1.0}'), call('b', 'look', '{}')] },
      { role: 'tool', tool_call_id: 'a', content: 'six' },
      {
        role: 'tool',
        tool_call_id: 'b',
        content: [
          { type: 'text', text: 'here' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
    )

    expect(messages.slice(1)).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'tool-call', id: 'a', name: 'tide', arguments: '{"n": 1.0}' },
          { type: 'tool-call', id: 'b', name: 'look', arguments: '{}' },
        ],
      },
      {
        role: 'user',
        parts: [
          { type: 'tool-result', callId: 'a', name: 'tide', content: [{ type: 'text', text: 'six' }] },
          {
            type: 'tool-result',
            callId: 'b',
            name: 'look',
            content: [
              { type: 'text', text: 'here' },
              { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' } },
            ],
          },
        ],
      },
    ])
  })

  it('match legacy function messages to their calls by name', () => {
    const messages = messagesOf(
      { role: 'assistant', content: null, function_call: { name: 'tide', arguments: '{"at":1}' } },
      { role: 'function', name: 'tide', content: 'six' },
      { role: 'assistant', content: null, function_call: { name: 'tide', arguments: '{"at":2}' } },
      { role: 'function', name: 'tide', content: 'seven' },
    )

    expect(messages.map(({ parts }) => parts[0])).toEqual([
      { type: 'tool-call', id: 'call_0', name: 'tide', arguments: '{"at":1}' },
      { type: 'tool-result', callId: 'call_0', name: 'tide', content: [{ type: 'text', text: 'six' }] },
      { type: 'tool-call', id: 'call_2', name: 'tide', arguments: '{"at":2}' },
      { type: 'tool-result', callId: 'call_2', name: 'tide', content: [{ type: 'text', text: 'seven' }] },
    ])
  })

  it('decode the call of a text tool as a function with one string', () => {
    const calls = [{ id: 'c', type: 'custom', custom: { name: 'patch', input: 'a "b"' } }]

    expect(partsOf({ role: 'assistant', tool_calls: calls })).toEqual([
      { type: 'tool-call', id: 'c', name: 'patch', arguments: String.raw`{"input":"a \"b\""}` },
    ])
  })

  it('keep refusals, as a part or as a field', () => {
    const refusal = { type: 'refusal', text: 'no' }

    expect(partsOf({ role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] })).toEqual([refusal])
    expect(partsOf({ role: 'assistant', content: null, refusal: 'no' })).toEqual([refusal])
  })

  it('restore images that were written into earlier responses', () => {
    const content =
      'Here ![image](data:image/png;base64,AAAA) it is, ![image](https://a.example/x.png) and ![image](data:'

    expect(partsOf({ role: 'assistant', content })).toEqual([
      { type: 'text', text: 'Here ' },
      { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' } },
      { type: 'text', text: ' it is, ![image](https://a.example/x.png) and ![image](data:' },
    ])
  })
})

describe('reasoning of earlier responses', () => {
  const anthropic = { dialect: 'anthropic-messages', value: 'sig+/=' } as const
  const responses = { dialect: 'openai-responses', value: 'enc', id: 'rs_1' } as const
  const signatureText = (signature: typeof anthropic | typeof responses) => writeSignature(signature, 'openai-chat')

  it('keeps the signatures of other providers and its position', () => {
    const message = {
      role: 'assistant',
      content: 'So:',
      reasoning_content: 'ab',
      reasoning_details: [
        { type: 'reasoning.text', text: 'a', signature: signatureText(anthropic), index: 0 },
        { type: 'reasoning.encrypted', data: signatureText(responses), id: 'rs_1', index: 2 },
      ],
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
    }

    expect(partsOf(message)).toEqual([
      { type: 'thinking', text: 'a', signature: anthropic },
      { type: 'text', text: 'So:' },
      { type: 'thinking', text: '', redacted: true, signature: responses },
      { type: 'tool-call', id: 'c', name: 'f', arguments: '{}' },
    ])
  })

  it('belongs to this protocol by default', () => {
    expect(partsOf({ role: 'assistant', content: 'a', reasoning_content: 'hm' })).toEqual([
      { type: 'thinking', text: 'hm', signature: { dialect: 'openai-chat', value: '' } },
      { type: 'text', text: 'a' },
    ])
  })

  it('may sign a call: plain for a Gemini model, wrapped for any other', () => {
    const signedCall = (thought_signature: string) => ({
      role: 'assistant',
      tool_calls: [
        {
          id: 'c',
          type: 'function',
          function: { name: 'f', arguments: '{}' },
          extra_content: { google: { thought_signature } },
        },
      ],
    })

    expect(partsOf(signedCall('CpQB'))).toMatchObject([{ signature: { dialect: 'gemini-generate', value: 'CpQB' } }])
    expect(partsOf(signedCall(signatureText(responses)))).toMatchObject([{ signature: responses }])
  })
})

describe('tools', () => {
  const tide = { type: 'function', function: { name: 'tide', description: 'when', parameters: { type: 'object' } } }
  const functionTool = (name: string) => ({ type: 'function', function: { name } })

  it('are functions, text tools and hosted tools', () => {
    const { tools } = decode({
      tools: [
        { ...tide, cache_control: { type: 'ephemeral' } },
        { type: 'function', function: { name: 'strict', strict: true } },
        {
          type: 'custom',
          custom: { name: 'patch', format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "x"' } } },
        },
        { type: 'web_search', max_keyword: 3 },
      ],
      functions: [{ name: 'old', parameters: {} }],
    })

    expect(tools).toEqual([
      { type: 'function', name: 'tide', description: 'when', parameters: { type: 'object' }, cache: {} },
      { type: 'function', name: 'strict', strict: true },
      { type: 'text', name: 'patch', format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' } },
      { type: 'hosted', dialect: 'openai-chat', name: 'web_search', value: { type: 'web_search', max_keyword: 3 } },
      { type: 'function', name: 'old', parameters: {} },
    ])
  })

  const choices: [unknown, CanonicalRequest['toolChoice']][] = [
    ['auto', 'auto'],
    ['none', 'none'],
    ['required', 'required'],
    [functionTool('tide'), { name: 'tide' }],
    [{ type: 'custom', custom: { name: 'patch' } }, { name: 'patch' }],
    [{ type: 'web_search' }, { name: 'web_search' }],
    [undefined, undefined],
  ]
  it.each(choices)('may be chosen by %j', (tool_choice, expected) => {
    expect(decode({ tools: [tide], tool_choice }).toolChoice).toEqual(expected)
  })

  it('are limited to the allowed tools', () => {
    const allowed = { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [functionTool('tide')] } }

    const request = decode({ tools: [tide, functionTool('wind')], tool_choice: allowed })

    expect(request.tools.map(({ name }) => name)).toEqual(['tide'])
    expect(request.toolChoice).toBe('required')
  })

  it('are called one at a time by clients that send functions', () => {
    expect(decode({ functions: [{ name: 'old' }], function_call: { name: 'old' } })).toMatchObject({
      toolChoice: { name: 'old' },
      parallelToolCalls: false,
    })
  })
})
