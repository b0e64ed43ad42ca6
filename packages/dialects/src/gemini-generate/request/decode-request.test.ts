import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { decodeRequest } from './decode-request.ts'
import { readRequest } from './read-request.ts'

const readRecording = (name: string) => readFileSync(new URL(`../__fixtures__/${name}.json`, import.meta.url), 'utf8')
const decodeText = (text: string) => decodeRequest(readRequest(text, { model: 'm', stream: false }))
const decode = (body: object) => decodeText(JSON.stringify({ contents: [{ parts: [{ text: 'hi' }] }], ...body }))
const messages = (...contents: object[]) => decode({ contents }).messages
const geminiSignature = (value: string, id?: string) => ({ dialect: 'gemini-generate', value, ...(id && { id }) })

describe('decodeRequest', () => {
  it('decodes a whole tool loop', () => {
    expect(decodeText(readRecording('request-of-a-tool-loop'))).toEqual({
      model: 'm',
      stream: false,
      messages: [
        {
          role: 'system',
          parts: [
            { type: 'text', text: 'Be brief.' },
            { type: 'text', text: 'Be kind.' },
          ],
        },
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'When is the tide at Brest and Ōsaka?' },
            { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' } },
          ],
        },
        {
          role: 'assistant',
          parts: [
            { type: 'thinking', text: 'Two calls.', signature: geminiSignature('') },
            {
              type: 'tool-call',
              id: 'call_1_0',
              name: 'tide',
              arguments: '{"at":"Brest"}',
              signature: geminiSignature('Q0FMTA=='),
            },
            { type: 'tool-call', id: 'call_1_1', name: 'tide', arguments: '{"at":"Ōsaka"}' },
          ],
        },
        {
          role: 'user',
          parts: [
            { type: 'tool-result', callId: 'call_1_0', name: 'tide', content: [{ type: 'text', text: '06:00' }] },
            {
              type: 'tool-result',
              callId: 'call_1_1',
              name: 'tide',
              content: [
                { type: 'text', text: '{"hour":7,"minute":30}' },
                { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' } },
              ],
            },
          ],
        },
        {
          role: 'assistant',
          parts: [
            { type: 'text', text: 'Six, and half past seven.' },
            { type: 'thinking', text: '', signature: geminiSignature('U0lHTg==', 'previous') },
          ],
        },
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'And tomorrow?' },
            {
              type: 'document',
              source: { kind: 'url', url: 'https://example.com/almanac.pdf', mediaType: 'application/pdf' },
            },
          ],
        },
      ],
      tools: [
        {
          type: 'function',
          name: 'tide',
          description: 'When the tide is high',
          parameters: {
            type: 'object',
            properties: {
              days: { type: ['integer', 'null'], minimum: 1 },
              at: { type: 'string', description: 'A place' },
            },
            required: ['at'],
          },
        },
        { type: 'hosted', dialect: 'gemini-generate', name: 'web_search', value: { googleSearch: {} }, search: {} },
      ],
      toolChoice: { name: 'tide' },
      maxTokens: 2000,
      stop: ['END'],
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      seed: 7,
      frequencyPenalty: 0.2,
      presencePenalty: 0.1,
      reasoning: { budgetTokens: 1024, visible: true },
      output: { type: 'schema', schema: { type: 'object', properties: { time: { type: 'string' } } } },
      dropped: ['safetySettings', 'labels', 'mediaResolution'],
    })
  })

  it('accepts snake case for every field', () => {
    expect(decodeText(readRecording('request-in-snake-case'))).toMatchObject({
      messages: [
        { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
        {
          role: 'user',
          parts: [
            { type: 'text' },
            { type: 'image', source: { kind: 'base64', mediaType: 'image/png' } },
            { type: 'audio', source: { kind: 'url', url: 'https://example.com/a.mp3', mediaType: 'audio/mp3' } },
          ],
        },
        { role: 'assistant', parts: [{ type: 'tool-call', name: 'tide', signature: geminiSignature('Q0FMTA==') }] },
        {
          role: 'user',
          parts: [{ type: 'tool-result', isError: true, content: [{ type: 'text', text: 'no such place' }] }],
        },
      ],
      tools: [
        {
          type: 'function',
          parameters: {
            type: 'object',
            properties: { at: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3 } },
          },
        },
        { type: 'hosted', name: 'web_search', value: { google_search: {} } },
      ],
      toolChoice: 'none',
      maxTokens: 50,
      stop: ['x'],
      topP: 0.1,
      topK: 3,
      output: { type: 'json' },
      reasoning: { effort: 'none', visible: false },
    })
  })

  it('joins a streamed response that an SDK stored as one content per chunk', () => {
    expect(decodeText(readRecording('request-with-a-streamed-history')).messages).toEqual([
      { role: 'user', parts: [{ type: 'text', text: 'hi' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'thinking', text: 'Let me think.', signature: geminiSignature('') },
          { type: 'text', text: 'Hello' },
          { type: 'tool-call', id: 'call_1_0', name: 'now', arguments: '{}', signature: geminiSignature('Q0FMTA==') },
        ],
      },
      {
        role: 'user',
        parts: [{ type: 'tool-result', callId: 'call_1_0', name: 'now', content: [{ type: 'text', text: '12' }] }],
      },
      { role: 'user', parts: [{ type: 'text', text: 'and?' }] },
      { role: 'user', parts: [{ type: 'text', text: 'well?' }] },
    ])
  })

  it('keeps tool numbers that a double cannot hold', () => {
    const { messages: read } = decodeText(
      '{"contents":[{"role":"model","parts":[{"functionCall":{"name":"f","args":{"id":9223372036854775807,"n":0.5}}}]},' +
        '{"parts":[{"functionResponse":{"name":"f","response":{"next":-12345678901234567890}}}]}]}',
    )

    expect(read).toMatchObject([
      { parts: [{ arguments: '{"id":9223372036854775807,"n":0.5}' }] },
      { parts: [{ content: [{ text: '{"next":-12345678901234567890}' }] }] },
    ])
  })
})

describe('tool results', () => {
  const call = (name: string, id?: string) => ({ functionCall: { name, args: {}, ...(id && { id }) } })
  const result = (name: string, id?: string) => ({ functionResponse: { name, response: {}, ...(id && { id }) } })
  const callIds = (calls: object[], results: object[]) =>
    messages({ role: 'model', parts: calls }, { role: 'user', parts: results })[1]!.parts.map((part) =>
      part.type === 'tool-result' ? part.callId : '',
    )

  it('match calls of the same name in order if they have no id', () => {
    expect(callIds([call('a'), call('b'), call('a')], [result('b'), result('a'), result('a')])).toEqual([
      'call_0_1',
      'call_0_0',
      'call_0_2',
    ])
  })

  it('match the call with their id', () => {
    expect(callIds([call('a', 'x'), call('a', 'y')], [result('a', 'y'), result('a')])).toEqual(['y', 'x'])
  })

  it('match by name if the client sends an unknown id', () => {
    expect(callIds([call('a')], [result('a', 'made-up')])).toEqual(['call_0_0'])
  })

  it('become one message, even from several contents', () => {
    const read = messages(
      { role: 'model', parts: [call('a'), call('b')] },
      { role: 'function', parts: [result('a')] },
      { role: 'function', parts: [result('b')] },
    )

    expect(read.map(({ role, parts }) => [role, parts.length])).toEqual([
      ['assistant', 2],
      ['user', 2],
    ])
  })

  it('are rejected if they match no call', () => {
    expect(() => messages({ parts: [result('a')] })).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        message: expect.stringContaining('a does not match a functionCall'),
      }),
    )
  })

  it('get the same ids each time the conversation is sent', () => {
    const history = [{ parts: [{ text: 'hi' }] }, { role: 'model', parts: [call('a')] }, { parts: [result('a')] }]
    const longer = [...history, { role: 'model', parts: [call('a')] }, { parts: [result('a')] }]

    expect(messages(...longer).slice(0, 3)).toEqual(messages(...history))
    expect(messages(...longer).at(-1)).toMatchObject({ parts: [{ callId: 'call_3_0' }] })
  })
})

describe('parts', () => {
  const partOf = (part: object) => messages({ role: 'user', parts: [part] })[0]?.parts[0]

  it('are distinguished by media type', () => {
    const inline = (mimeType: string, data = 'AAAA') => partOf({ inlineData: { mimeType, data } })

    expect(inline('image/webp')).toMatchObject({ type: 'image' })
    expect(inline('audio/mp3')).toMatchObject({ type: 'audio' })
    expect(inline('application/pdf')).toMatchObject({ type: 'document', source: { kind: 'base64' } })
    expect(inline('video/mp4')).toMatchObject({ type: 'document', source: { mediaType: 'video/mp4' } })
    expect(inline('text/plain', 'SMO2bGxv')).toEqual({ type: 'document', source: { kind: 'text', text: 'Höllo' } })
  })

  it('recognise files that only Google can read', () => {
    const fileUri = 'https://generativelanguage.googleapis.com/v1beta/files/abc'

    expect(partOf({ fileData: { fileUri, mimeType: 'image/png' } })).toEqual({
      type: 'image',
      source: { kind: 'file', id: fileUri },
    })
    expect(partOf({ fileData: { fileUri: 'https://example.com/a.png?x=1' } })).toMatchObject({ type: 'image' })
  })

  it('show executed code and its output as text', () => {
    const read = messages({
      role: 'model',
      parts: [
        { executableCode: { language: 'PYTHON', code: 'print("```")' } },
        { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '```\n' } },
      ],
    })

    expect(read[0]!.parts).toEqual([
      { type: 'text', text: '\n~~~~python\nprint("```")\n~~~~\n\n~~~~output\n```\n~~~~\n' },
    ])
  })

  it('are native if only Google understands them, and rejected if unknown', () => {
    const toolCall = { toolCall: { id: 's', toolType: 'URL_CONTEXT' } }

    expect(messages({ role: 'model', parts: [toolCall] })[0]!.parts).toEqual([
      { type: 'native', dialect: 'gemini-generate', value: toolCall },
    ])
    expect(() => partOf({ hologram: {} })).toThrow(
      expect.objectContaining({ code: 'cannot_express', message: 'a part with hologram' }),
    )
    expect(messages({ parts: [{}] })).toEqual([])
  })
})

describe('tools and tool choice', () => {
  const declare = (...names: string[]) => [{ functionDeclarations: names.map((name) => ({ name })) }]
  const choice = (config: object) => {
    const { tools, toolChoice } = decode({
      tools: declare('a', 'b', 'c'),
      toolConfig: { functionCallingConfig: config },
    })
    return { names: tools.map(({ name }) => name).join(''), toolChoice }
  }

  it('are limited to the allowed functions', () => {
    expect(choice({ mode: 'AUTO' })).toEqual({ names: 'abc', toolChoice: 'auto' })
    expect(choice({ mode: 'ANY' })).toEqual({ names: 'abc', toolChoice: 'required' })
    expect(choice({ mode: 'ANY', allowedFunctionNames: ['a', 'c'] })).toEqual({ names: 'ac', toolChoice: 'required' })
    expect(choice({ mode: 'VALIDATED', allowedFunctionNames: ['b'] })).toEqual({ names: 'b', toolChoice: 'auto' })
    expect(choice({})).toEqual({ names: 'abc', toolChoice: undefined })
  })

  it('keep a JSON schema unchanged', () => {
    const schema = { type: 'object', properties: { x: { $ref: '#/$defs/x' } }, $defs: { x: { type: 'string' } } }
    const tools = [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: schema }] }]

    expect(decode({ tools }).tools).toEqual([{ type: 'function', name: 'f', parameters: schema }])
  })
})

describe('unsupported content', () => {
  const rejected: [string, object][] = [
    ['cachedContent', { cachedContent: 'cachedContents/x' }],
    ['continuationToken', { continuationToken: 'AAAA' }],
    ['candidateCount', { generationConfig: { candidateCount: 2 } }],
    ['a response in image only', { generationConfig: { responseModalities: ['IMAGE'] } }],
    ['text/x.enum', { generationConfig: { responseMimeType: 'text/x.enum' } }],
  ]
  it.each(rejected)('is rejected with a reason: %s', (name, body) => {
    expect(() => decode(body)).toThrow(
      expect.objectContaining({ code: 'cannot_express', message: expect.stringContaining(name) }),
    )
  })

  it('is named if it is only a tuning option', () => {
    const tuned = decode({
      safetySettings: [{ category: 'x' }],
      labels: { a: 'b' },
      generationConfig: {
        mediaResolution: 'LOW',
        responseModalities: ['TEXT', 'IMAGE'],
        candidateCount: 1,
        speechConfig: {},
      },
    })

    const dropped = ['safetySettings', 'labels', 'mediaResolution', 'responseModalities']
    expect(tuned).toEqual({ ...decode({}), model: 'm', dropped })
  })

  it('includes unknown roles', () => {
    expect(() => messages({ role: 'narrator', parts: [{ text: 'so' }] })).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    )
  })
})

describe('thinking', () => {
  const reasoning = (thinkingConfig: object) => decode({ generationConfig: { thinkingConfig } }).reasoning

  it('is set by budget or level, and visible on request', () => {
    expect(reasoning({ thinkingBudget: -1, includeThoughts: true })).toEqual({ visible: true })
    expect(reasoning({ thinkingLevel: 'HIGH' })).toEqual({ effort: 'high', visible: false })
    expect(reasoning({ thinkingBudget: 0 })).toEqual({ effort: 'none', visible: false })
    expect(decode({}).reasoning).toBeUndefined()
  })
})

describe('the output format', () => {
  it('is read from each of its fields', () => {
    const output = (generationConfig: object) => decode({ generationConfig }).output
    const schema = { type: 'object', properties: { a: { type: 'string' } } }

    expect(output({ responseMimeType: 'application/json', responseJsonSchema: schema })).toEqual({
      type: 'schema',
      schema,
    })
    expect(output({ responseFormat: [{ text: { mimeType: 'APPLICATION_JSON', schema } }] })).toEqual({
      type: 'schema',
      schema,
    })
    expect(output({ responseMimeType: 'application/json' })).toEqual({ type: 'json' })
    expect(output({ responseMimeType: 'text/plain' })).toBeUndefined()
  })
})
