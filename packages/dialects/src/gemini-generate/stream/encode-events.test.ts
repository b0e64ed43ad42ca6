import { describe, expect, it } from 'vitest'
import type { ResponseContext, CanonicalResponse, CanonicalEvent, Part, Signature } from '../../canonical/index.ts'
import { eventsOf } from '../../canonical/index.ts'
import { asList, asJsonObject, type JsonObject } from '../../json/json-object.ts'
import { NO_TOKENS } from '@tidegate/contract'
import { decodeContents } from '../request/decode-content.ts'
import { createDecoder } from './decode-events.ts'
import { encodeResponse } from '../response/encode-response.ts'
import { createEncoder } from './encode-events.ts'

const usage = { ...NO_TOKENS, input: 10, cacheRead: 4, output: 5, reasoning: 2 }
const context = (visible?: boolean): ResponseContext => ({
  requestId: 'req1',
  model: 'some-model',
  createdAt: 1,
  includeUsage: true,
  request: {
    model: 'some-model',
    stream: true,
    messages: [],
    tools: [],
    ...(visible !== undefined && { reasoning: { visible } }),
  },
})
const claude = (value: string): Signature => ({ dialect: 'anthropic-messages', value })
const geminiSignature = (value: string, id?: string): Signature => ({
  dialect: 'gemini-generate',
  value,
  ...(id && { id }),
})

function frames(events: readonly CanonicalEvent[], visible?: boolean): string[] {
  const encoder = createEncoder(context(visible))
  return [...events.map((event) => encoder.encode(event)), encoder.end(usage)].filter((text) => text !== '')
}
const responses = (texts: readonly string[]) =>
  texts
    .join('')
    .trimEnd()
    .split('\n\n')
    .map((frame) => JSON.parse(frame.slice('data: '.length)) as JsonObject)
const contentOf = (response: JsonObject) => asJsonObject(asJsonObject(asList(response.candidates)[0])?.content)
const partsOf = (all: readonly JsonObject[]) =>
  all.flatMap((response) => asList(contentOf(response)?.parts) as JsonObject[])
const streamParts = (parts: readonly Part[], visible?: boolean) => responses(frames(eventsOf({ parts }), visible))
const whole = (parts: readonly Part[], visible?: boolean, more: Partial<CanonicalResponse> = {}) =>
  encodeResponse({ parts, ...more }, usage, context(visible))

describe('createEncoder', () => {
  it('sends each delta at once, and the finish with usage', () => {
    const events: CanonicalEvent[] = [
      { type: 'response-start' },
      { type: 'text-start', block: 0 },
      { type: 'text-delta', block: 0, text: 'Hel"' },
      { type: 'text-delta', block: 0, text: 'lo' },
      { type: 'text-end', block: 0 },
      { type: 'finish', reason: 'length' },
    ]

    expect(frames(events)[0]).toBe(
      'data: {"candidates":[{"content":{"role":"model","parts":[{"text":"Hel\\""}]},"index":0}],"modelVersion":"some-model","responseId":"req1"}\n\n',
    )
    expect(responses(frames(events)).at(-1)).toEqual({
      candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'MAX_TOKENS', index: 0 }],
      usageMetadata: {
        promptTokenCount: 14,
        cachedContentTokenCount: 4,
        candidatesTokenCount: 5,
        thoughtsTokenCount: 2,
        totalTokenCount: 21,
      },
      modelVersion: 'some-model',
      responseId: 'req1',
    })
  })

  it('sends no response without parts, which SDKs would drop', () => {
    const all = streamParts([{ type: 'thinking', text: 'hm', signature: claude('s') }])

    expect(all.every((response) => asList(contentOf(response)?.parts).length > 0)).toBe(true)
    expect(all.every((response) => contentOf(response)?.role === 'model')).toBe(true)
  })

  it('ends normally without a finish reason', () => {
    expect(asList(responses(frames([]))[0]?.candidates)[0]).toMatchObject({ finishReason: 'STOP' })
  })

  it('sends a call as one part with unchanged arguments', () => {
    const text = frames(
      eventsOf({
        parts: [
          { type: 'tool-call', id: 't1', name: 'find', arguments: '{\n "id": 9223372036854775807,\r\n "p": 1.0}' },
        ],
      }),
    )[0]

    expect(text).toContain('{"functionCall":{"id":"t1","name":"find","args":{  "id": 9223372036854775807,  "p": 1.0}}}')
    expect(text?.trimEnd()).not.toContain('\n')
  })

  it('keeps calls in start order, however their deltas arrive', () => {
    const all = responses(
      frames([
        { type: 'tool-call-start', block: 0, id: 'a', name: 'f' },
        { type: 'tool-call-start', block: 1, id: 'b', name: 'g' },
        { type: 'tool-call-delta', block: 1, text: '{"n":' },
        { type: 'tool-call-delta', block: 0, text: '' },
        { type: 'tool-call-delta', block: 1, text: '2}' },
        { type: 'tool-call-end', block: 1 },
        { type: 'text-delta', block: 2, text: 'meanwhile' },
        { type: 'finish', reason: 'tool-calls' },
      ]),
    )

    expect(partsOf(all)).toEqual([
      { text: 'meanwhile' },
      { functionCall: { id: 'a', name: 'f', args: {} } },
      { functionCall: { id: 'b', name: 'g', args: { n: 2 } } },
      { text: '' },
    ])
  })

  it('reports a truncated call as malformed', () => {
    const all = (reason: 'length' | 'tool-calls') =>
      responses(
        frames([
          { type: 'tool-call-start', block: 0, id: 'a', name: 'f' },
          { type: 'tool-call-delta', block: 0, text: '{"path":"/tm' },
          { type: 'finish', reason },
        ]),
      )

    expect(asList(all('tool-calls')[0]?.candidates)[0]).toMatchObject({
      finishReason: 'MALFORMED_FUNCTION_CALL',
      finishMessage: 'Malformed function call: f {"path":"/tm',
    })
    expect(asList(all('length')[0]?.candidates)[0]).toMatchObject({ finishReason: 'MAX_TOKENS' })
  })

  it('shows thoughts only on request', () => {
    const parts: Part[] = [
      { type: 'thinking', text: 'hm', signature: geminiSignature('') },
      { type: 'text', text: 'yes' },
    ]

    expect(partsOf(streamParts(parts, true))).toEqual([{ text: 'hm', thought: true }, { text: 'yes' }, { text: '' }])
    expect(partsOf(streamParts(parts, false))).toEqual([{ text: 'yes' }, { text: '' }])
    expect(partsOf(streamParts(parts))).toEqual([{ text: 'yes' }, { text: '' }])
  })

  it('writes images and refusals as parts', () => {
    const parts: Part[] = [
      { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' } },
      { type: 'refusal', text: 'I will not.' },
    ]

    expect(partsOf(streamParts(parts)).slice(0, 2)).toEqual([
      { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
      { text: 'I will not.' },
    ])
  })
})

describe('signatures of other providers', () => {
  const parts: Part[] = [
    { type: 'thinking', text: 'Let me think, 潮.', signature: claude('sig+/=') },
    { type: 'thinking', text: '', signature: { ...claude('hidden'), id: 'i' }, redacted: true },
    {
      type: 'tool-call',
      id: 't1',
      name: 'f',
      arguments: '{"a":1}',
      signature: { dialect: 'openai-responses', value: 'c' },
    },
    { type: 'thinking', text: 'More.', signature: claude('second') },
    { type: 'text', text: 'So it is.' },
    { type: 'thinking', text: 'After.', signature: claude('third') },
  ]
  const contents = {
    'a client that keeps every response': (all: readonly JsonObject[]) => all.map(contentOf),
    'a client that drops thoughts': (all: readonly JsonObject[]) => [
      { role: 'model', parts: partsOf(all).filter(({ thought }) => thought !== true) },
    ],
    'a client that converts to base64url': (all: readonly JsonObject[]) => [
      {
        role: 'model',
        parts: partsOf(all).map((part) => ({
          ...part,
          ...(typeof part.thoughtSignature === 'string' && {
            thoughtSignature: Buffer.from(part.thoughtSignature, 'base64').toString('base64url'),
          }),
        })),
      },
    ],
  }

  for (const [client, resend] of Object.entries(contents)) {
    it.each([true, false])(`come back unchanged from ${client}, visible thoughts: %s`, (visible) => {
      expect(decodeContents(resend(streamParts(parts, visible)))).toEqual([{ role: 'assistant', parts }])
      expect(decodeContents(resend([whole(parts, visible)]))).toEqual([{ role: 'assistant', parts }])
    })
  }

  it('are valid base64', () => {
    const signatures = partsOf(streamParts(parts)).flatMap(({ thoughtSignature }) => thoughtSignature ?? []) as string[]

    expect(signatures).toHaveLength(3)
    for (const text of signatures) expect(Buffer.from(text, 'base64').toString('base64')).toBe(text)
  })

  it('are ignored if a client changed them', () => {
    const broken = ['dGcxLg==', 'dGcxL!', 'dGcxLmFiYw=='].map((thoughtSignature) => ({ text: 'hi', thoughtSignature }))

    expect(() => decodeContents([{ role: 'model', parts: broken }])).not.toThrow()
  })
})

describe('encodeResponse', () => {
  it('equals the content of a stream', () => {
    const parts: Part[] = [
      { type: 'thinking', text: 'hm', signature: geminiSignature('VEg=') },
      { type: 'text', text: 'yes' },
      {
        type: 'tool-call',
        id: 't',
        name: 'f',
        arguments: '{"id":12345678901234567890}',
        signature: geminiSignature('Q0E='),
      },
    ]
    const canonical = whole(parts, true, { finish: { reason: 'tool-calls', raw: 'tool_use' } })

    expect(JSON.stringify(canonical)).toContain('"args":{"id":12345678901234567890}')
    expect(canonical).toMatchObject({
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              { text: 'hm', thought: true, thoughtSignature: 'VEg=' },
              { text: 'yes' },
              { functionCall: { id: 't', name: 'f' }, thoughtSignature: 'Q0E=' },
            ],
          },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      modelVersion: 'some-model',
      responseId: 'req1',
    })
    expect(canonical.usageMetadata).toEqual(responses(frames([])).at(-1)?.usageMetadata)
  })

  it('puts a signature back on its part, and always has a part', () => {
    const parts: Part[] = [
      { type: 'text', text: 'yes' },
      { type: 'thinking', text: '', signature: geminiSignature('U0k=', 'previous') },
    ]

    expect(partsOf([whole(parts)])).toEqual([{ text: 'yes', thoughtSignature: 'U0k=' }])
    expect(partsOf([whole([])])).toEqual([{ text: '' }])
  })

  const endings: [CanonicalResponse['finish'], string][] = [
    [undefined, 'STOP'],
    [{ reason: 'stop-sequence', stopSequence: 'x' }, 'STOP'],
    [{ reason: 'refusal', raw: 'content_filter' }, 'SAFETY'],
    [{ reason: 'refusal', raw: 'RECITATION' }, 'RECITATION'],
    [{ reason: 'other', raw: 'UNEXPECTED_TOOL_CALL' }, 'UNEXPECTED_TOOL_CALL'],
    [{ reason: 'other', raw: 'weird' }, 'OTHER'],
    [{ reason: 'pause', raw: 'pause_turn' }, 'STOP'],
  ]
  it.each(endings)('writes %o as %s', (finish, word) => {
    expect(asList(whole([], undefined, { finish }).candidates)[0]).toMatchObject({ finishReason: word })
  })
})

describe('a response streamed to a client and decoded again', () => {
  it('has the same parts', () => {
    const parts: Part[] = [
      { type: 'thinking', text: 'hm', signature: geminiSignature('VEg=') },
      { type: 'text', text: 'yes' },
      { type: 'thinking', text: '', signature: geminiSignature('U0k=') },
      { type: 'tool-call', id: 't', name: 'f', arguments: '{"a": 1.0}', signature: geminiSignature('Q0E=') },
      { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' } },
    ]
    const decode = createDecoder({ newId: () => 'x' })

    const events = frames(eventsOf({ parts, finish: { reason: 'tool-calls', raw: 'STOP' } }), true).flatMap((frame) =>
      decode({ data: frame.slice('data: '.length) }),
    )

    const expected = eventsOf({
      id: 'req1',
      model: 'some-model',
      parts,
      finish: { reason: 'tool-calls', raw: 'STOP' },
      usage,
    })
    const hasText = (event: CanonicalEvent) => !(event.type === 'thinking-delta' && event.text === '')
    expect(events).toEqual(expected.filter(hasText))
  })
})
