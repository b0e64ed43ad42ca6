import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { CanonicalRequest, Message, Part, Signature, Tool } from '../../canonical/index.ts'
import { asList, asJsonObject, type JsonObject } from '../../json/json-object.ts'
import { decodeRequest } from './decode-request.ts'
import { encodeRequest } from './encode-request.ts'
import { readRequest } from './read-request.ts'

const userMessage = (text: string): Part => ({ type: 'text', text })
const user = (...parts: Part[]): Message => ({ role: 'user', parts })
const assistant = (...parts: Part[]): Message => ({ role: 'assistant', parts })
const system = (text: string): Message => ({ role: 'system', parts: [userMessage(text)] })
const request = (more: Partial<CanonicalRequest> = {}): CanonicalRequest => ({
  model: 'gemini-2.5-flash',
  stream: false,
  messages: [user(userMessage('hi'))],
  tools: [],
  ...more,
})
const contents = (messages: Message[], model = 'gemini-2.5-flash') =>
  encodeRequest(request({ messages, model })).contents
const config = (more: Partial<CanonicalRequest>) => asJsonObject(encodeRequest(request(more)).generationConfig)
const call = (id: string, name = 'f', args = '{}', signature?: Signature): Part => ({
  type: 'tool-call',
  id,
  name,
  arguments: args,
  ...(signature && { signature }),
})
const result = (callId: string, text: string, more: object = {}): Part => ({
  type: 'tool-result',
  callId,
  content: [{ type: 'text', text }],
  ...more,
})
const geminiSignature = (value: string): Signature => ({ dialect: 'gemini-generate', value })
const png = { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' } } as const

describe('encodeRequest', () => {
  it('encodes a decoded request to the same body', () => {
    const text = readFileSync(new URL('../__fixtures__/request-of-a-tool-loop.json', import.meta.url), 'utf8')
    const once = decodeRequest(readRequest(text, { model: 'gemini-3-flash' }))

    const again = decodeRequest(readRequest(JSON.stringify(encodeRequest(once)), { model: 'gemini-3-flash' }))

    expect(again).toEqual({ ...once, dropped: undefined })
  })

  it('has no model and stream fields, which are in the URL', () => {
    expect(encodeRequest(request())).toEqual({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }] })
  })
})

describe('contents', () => {
  it('move leading system messages to the system instruction and keep later ones in place', () => {
    const encoded = encodeRequest(
      request({
        messages: [
          system('one'),
          system('two'),
          user(userMessage('hi')),
          assistant(userMessage('yes')),
          system('three'),
        ],
      }),
    )

    expect(encoded).toEqual({
      systemInstruction: { parts: [{ text: 'one' }, { text: 'two' }] },
      contents: [
        { role: 'user', parts: [{ text: 'hi' }] },
        { role: 'model', parts: [{ text: 'yes' }] },
        { role: 'user', parts: [{ text: 'three' }] },
      ],
    })
  })

  it('use the system prompt if there is nothing else', () => {
    expect(encodeRequest(request({ messages: [system('go')] }))).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'go' }] }],
    })
    expect(() => encodeRequest(request({ messages: [user(userMessage(''))] }))).toThrow(
      expect.objectContaining({ code: 'cannot_express' }),
    )
  })

  it('alternate: consecutive messages of one role are one content', () => {
    expect(
      contents([
        user(userMessage('a')),
        user(userMessage('b')),
        assistant(userMessage('c')),
        assistant(userMessage('')),
        user(userMessage('d')),
      ]),
    ).toEqual([
      { role: 'user', parts: [{ text: 'a' }, { text: 'b' }] },
      { role: 'model', parts: [{ text: 'c' }] },
      { role: 'user', parts: [{ text: 'd' }] },
    ])
  })

  it('contain media inline or by URI, and reject files of other providers', () => {
    const parts: Part[] = [
      png,
      { type: 'image', source: { kind: 'url', url: 'https://example.com/a.webp?v=2' } },
      { type: 'image', source: { kind: 'url', url: 'https://example.com/picture' } },
      { type: 'image', source: { kind: 'url', url: 'data:image/gif;base64,R0lG' } },
      { type: 'audio', source: { kind: 'base64', mediaType: 'audio/wav', data: 'UklG' } },
      { type: 'document', source: { kind: 'text', text: 'words' } },
      { type: 'document', source: { kind: 'base64', mediaType: 'application/pdf', data: 'JVBE' }, filename: 'a.pdf' },
    ]

    expect(contents([user(...parts)])).toEqual([
      {
        role: 'user',
        parts: [
          { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
          { fileData: { mimeType: 'image/webp', fileUri: 'https://example.com/a.webp?v=2' } },
          { fileData: { mimeType: 'image/jpeg', fileUri: 'https://example.com/picture' } },
          { inlineData: { mimeType: 'image/gif', data: 'R0lG' } },
          { inlineData: { mimeType: 'audio/wav', data: 'UklG' } },
          { text: 'words' },
          { text: 'a.pdf' },
          { inlineData: { mimeType: 'application/pdf', data: 'JVBE' } },
        ],
      },
    ])
    expect(() => contents([user({ type: 'image', source: { kind: 'file', id: 'file-1' } })])).toThrow(
      expect.objectContaining({ code: 'cannot_express', message: expect.stringContaining('file-1') }),
    )
  })

  it('reject too many images in a message', () => {
    const many = (count: number) => [user(...Array.from({ length: count }, () => png))]

    expect(asList(asJsonObject(asList(contents(many(16)))[0])?.parts)).toHaveLength(16)
    expect(() => contents(many(17))).toThrow(
      expect.objectContaining({ code: 'cannot_express', message: expect.stringContaining('17 images') }),
    )
  })

  it('leave out thoughts and native parts of other providers', () => {
    expect(
      contents([
        assistant(
          { type: 'thinking', text: 'hm', signature: { dialect: 'anthropic-messages', value: 's' } },
          { type: 'thinking', text: 'unsigned' },
          { type: 'native', dialect: 'openai-responses', value: {} },
          { type: 'thinking', text: 'mine', signature: geminiSignature('') },
          { type: 'thinking', text: 'signed', signature: geminiSignature('U0k=') },
          { type: 'thinking', text: '', signature: geminiSignature('RU0=') },
          userMessage('yes'),
          { type: 'thinking', text: '', signature: { ...geminiSignature('TEE='), id: 'previous' } },
          { type: 'native', dialect: 'gemini-generate', value: { toolCall: { id: 's' } } },
        ),
      ]),
    ).toEqual([
      {
        role: 'model',
        parts: [
          { text: 'mine', thought: true },
          { text: 'signed', thought: true, thoughtSignature: 'U0k=' },
          { text: '', thoughtSignature: 'RU0=' },
          { text: 'yes', thoughtSignature: 'TEE=' },
          { toolCall: { id: 's' } },
        ],
      },
    ])
  })
})

describe('calls and results', () => {
  it('have ids, names and objects', () => {
    expect(
      contents([
        assistant(call('1', 'tide', '{"at":"Brest"}'), call('2', 'say', 'plain words'), call('3', 'now', '')),
        user(
          result('1', '{"hour":6}'),
          result('2', 'done'),
          result('3', 'no clock', { isError: true }),
          userMessage('go on'),
        ),
      ]),
    ).toEqual([
      {
        role: 'model',
        parts: [
          { functionCall: { id: '1', name: 'tide', args: { at: 'Brest' } } },
          { functionCall: { id: '2', name: 'say', args: { input: 'plain words' } } },
          { functionCall: { id: '3', name: 'now', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: '1', name: 'tide', response: { hour: 6 } } },
          { functionResponse: { id: '2', name: 'say', response: { result: 'done' } } },
          { functionResponse: { id: '3', name: 'now', response: { error: 'no clock' } } },
          { text: 'go on' },
        ],
      },
    ])
  })

  it('keep numbers that a double cannot hold', () => {
    const written = JSON.stringify(
      contents([
        assistant(call('1', 'f', '{"id":9223372036854775807}')),
        user(result('1', '{"id":12345678901234567890}')),
      ]),
    )

    expect(written).toContain('"args":{"id":9223372036854775807}')
    expect(written).toContain('"response":{"id":12345678901234567890}')
  })

  it('put tool results before any other part', () => {
    const [, toolResult] = contents([assistant(call('1')), system('hurry'), user(result('1', 'x'))]) as JsonObject[]

    expect(asList(toolResult?.parts).map((part) => Object.keys(asJsonObject(part)!)[0])).toEqual([
      'functionResponse',
      'text',
    ])
  })

  it('put images inside a result from the third generation on, and after it before', () => {
    const messages = [assistant(call('1')), user(result('1', '', { content: [png] }))]
    const inlineData = { mimeType: 'image/png', data: 'AAAA' }
    const response = { id: '1', name: 'f', response: { result: '' } }
    const toolResult = (model: string) => (contents(messages, model) as JsonObject[])[1]?.parts

    expect(toolResult('gemini-3-pro-preview')).toEqual([{ functionResponse: { ...response, parts: [{ inlineData }] } }])
    expect(toolResult('gemini-2.5-pro')).toEqual([{ functionResponse: response }, { inlineData }])
  })

  it('are rejected if a result matches no call', () => {
    expect(() => contents([user(result('9', 'x'))])).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  })

  it('carry the signature of Google, or the placeholder where one is required', () => {
    const foreign: Signature = { dialect: 'anthropic-messages', value: 's' }
    const messages = [
      assistant(call('1', 'f', '{}', geminiSignature('U0k=')), call('2')),
      user(result('1', 'x'), result('2', 'y')),
      assistant(call('3', 'f', '{}', foreign), call('4')),
    ]
    const signatures = (model: string) =>
      (contents(messages, model) as JsonObject[]).flatMap(({ role, parts }) =>
        role === 'model' ? asList(parts).map((part) => asJsonObject(part)?.thoughtSignature) : [],
      )

    expect(signatures('gemini-3.1-pro-preview')).toEqual([
      'U0k=',
      undefined,
      'skip_thought_signature_validator',
      undefined,
    ])
    expect(signatures('gemini-2.5-pro')).toEqual(['U0k=', undefined, undefined, undefined])
  })
})

describe('tools', () => {
  const parameters = { type: 'object', properties: { at: { type: 'string' } }, additionalProperties: false }
  const tide: Tool = { type: 'function', name: 'tide', description: 'when', parameters }
  const files: Tool = { type: 'hosted', dialect: 'openai-responses', name: 'file_search', value: {} }
  const encodeTools = (tools: Tool[], toolChoice?: CanonicalRequest['toolChoice']) => {
    const { contents: _userMessage, ...rest } = encodeRequest(request({ tools, toolChoice }))
    return rest
  }
  const written = {
    name: 'tide',
    description: 'when',
    parameters: { type: 'OBJECT', properties: { at: { type: 'STRING' } } },
  }

  it('are declared together with schemas that Google accepts', () => {
    expect(
      encodeTools([tide, { type: 'function', name: 'now', parameters: { type: 'object', properties: {} } }]),
    ).toEqual({
      tools: [{ functionDeclarations: [written, { name: 'now' }] }],
    })
  })

  it('are enabled by name if Google hosts them, and left out if others host them', () => {
    const builtIn = ['googleSearch', 'codeExecution'].map((name): Tool => ({ type: 'function', name }))
    const maps: Tool = {
      type: 'hosted',
      dialect: 'gemini-generate',
      name: 'googleMaps',
      value: { googleMaps: { a: 1 } },
    }

    expect(encodeTools([...builtIn, tide, files, maps])).toEqual({
      tools: [
        { functionDeclarations: [written] },
        { googleSearch: {} },
        { codeExecution: {} },
        { googleMaps: { a: 1 } },
      ],
    })
    expect(() => encodeTools([files])).toThrow(expect.objectContaining({ code: 'cannot_express' }))
  })

  it('become functions with one string if their input is plain text', () => {
    const format = { type: 'grammar', syntax: 'lark', definition: 'start: "x"' }

    expect(encodeTools([{ type: 'text', name: 'patch', description: 'edit', format }])).toEqual({
      tools: [
        {
          functionDeclarations: [
            {
              name: 'patch',
              description: 'edit\n\nThe input must match this lark grammar:\nstart: "x"',
              parameters: { type: 'OBJECT', properties: { input: { type: 'STRING' } }, required: ['input'] },
            },
          ],
        },
      ],
    })
  })

  const choices: [CanonicalRequest['toolChoice'], object | undefined][] = [
    [undefined, undefined],
    ['auto', undefined],
    ['none', { mode: 'NONE' }],
    ['required', { mode: 'ANY' }],
    [{ name: 'tide' }, { mode: 'ANY', allowedFunctionNames: ['tide'] }],
  ]
  it.each(choices)('use the tool choice %o', (choice, calling) => {
    expect(asJsonObject(encodeTools([tide], choice).toolConfig)?.functionCallingConfig).toEqual(calling)
  })

  it('cannot be forced if Google does not have them', () => {
    const rejected = expect.objectContaining({ code: 'cannot_express' })

    expect(() => encodeTools([tide, files], { name: 'file_search' })).toThrow(rejected)
    expect(() => encodeTools([{ type: 'function', name: 'googleSearch' }], { name: 'googleSearch' })).toThrow(rejected)
    expect(() => encodeTools([files], 'required')).toThrow(rejected)
    expect(encodeTools([files], 'none')).toEqual({})
  })
})

describe('options', () => {
  it('are written with the names of Google', () => {
    const settings = { maxTokens: 9, temperature: 0, topP: 0.5, topK: 3, seed: 1, stop: ['x'], presencePenalty: 0.2 }

    expect(config(settings)).toEqual({
      maxOutputTokens: 9,
      temperature: 0,
      topP: 0.5,
      topK: 3,
      seed: 1,
      stopSequences: ['x'],
      presencePenalty: 0.2,
    })
  })

  it('are left out if Google would reject them', () => {
    expect(config({ seed: 2 ** 40, presencePenalty: 0, frequencyPenalty: 0, stop: [], temperature: 1 })).toEqual({
      temperature: 1,
    })
  })

  it('ask for JSON, with a schema if there is one', () => {
    const schema = { type: 'object', title: 'T', properties: { a: { type: 'string' } }, additionalProperties: false }

    expect(config({ output: { type: 'json' } })).toEqual({ responseMimeType: 'application/json' })
    expect(config({ output: { type: 'schema', schema } })).toEqual({
      responseMimeType: 'application/json',
      responseSchema: { type: 'OBJECT', properties: { a: { type: 'STRING' } } },
    })
  })
})

describe('thinking', () => {
  const thinking = (model: string, reasoning: CanonicalRequest['reasoning'], maxTokens?: number) =>
    config({ model, reasoning, maxTokens })?.thinkingConfig

  it('gets a share of the output limit within the range of the model', () => {
    const flash = 'gemini-2.5-flash'

    expect(thinking(flash, { effort: 'low' }, 10_000)).toEqual({ thinkingBudget: 2000 })
    expect(thinking(flash, { effort: 'medium' }, 10_000)).toEqual({ thinkingBudget: 5000 })
    expect(thinking(flash, { effort: 'high' }, 10_000)).toEqual({ thinkingBudget: 8000 })
    expect(thinking(flash, { effort: 'none' }, 10_000)).toEqual({ thinkingBudget: 0 })
    expect(thinking(flash, { effort: 'low' })).toEqual({ thinkingBudget: 13_107 })
    expect(thinking(flash, { effort: 'high' })).toEqual({ thinkingBudget: 24_576 })
    expect(thinking('gemini-2.5-pro', { effort: 'none' })).toEqual({ thinkingBudget: 128 })
    expect(thinking('gemini-2.5-flash-lite', { budgetTokens: 100 })).toEqual({ thinkingBudget: 512 })
    expect(thinking(flash, { effort: 'whatever' })).toBeUndefined()
  })

  it('is visible on request', () => {
    expect(thinking('gemini-2.5-pro', { budgetTokens: 4000, visible: true })).toEqual({
      thinkingBudget: 4000,
      includeThoughts: true,
    })
    expect(thinking('gemini-2.5-pro', { visible: true })).toEqual({ includeThoughts: true })
    expect(thinking('gemini-2.5-flash', { effort: 'none', visible: true })).toEqual({ thinkingBudget: 0 })
  })

  it('has levels from the third generation on', () => {
    expect(thinking('gemini-3.5-flash', { effort: 'medium' })).toEqual({ thinkingLevel: 'MEDIUM' })
    expect(thinking('gemini-3.5-flash', { effort: 'none' })).toEqual({ thinkingLevel: 'MINIMAL' })
    expect(thinking('gemini-3.1-pro-preview', { effort: 'none' })).toEqual({ thinkingLevel: 'LOW' })
    expect(thinking('gemini-3-pro-preview', { effort: 'medium', visible: true })).toEqual({
      thinkingLevel: 'HIGH',
      includeThoughts: true,
    })
  })

  it('is not sent to models that do not support it', () => {
    expect(thinking('gemini-2.0-flash', { effort: 'high', visible: true })).toBeUndefined()
    expect(thinking('gemini-1.5-pro', { budgetTokens: 100 })).toBeUndefined()
  })
})
