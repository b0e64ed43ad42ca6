import { describe, expect, it } from 'vitest'
import {
  type ResponseContext,
  type CanonicalResponse,
  type CanonicalEvent,
  type CanonicalRequest,
  eventsOf,
  type Part,
} from '../../canonical/index.ts'
import { createFrameReader } from '../../sse/read-frames.ts'
import { NO_TOKENS } from '@tidegate/contract'
import { collectParts } from '../response/decode-response.ts'
import { createDecoder } from './decode-events.ts'
import { decodeRequest } from '../request/decode-request.ts'
import { encodeResponse } from '../response/encode-response.ts'
import { createEncoder } from './encode-events.ts'
import { readRequest } from '../request/read-request.ts'

const request: CanonicalRequest = { model: 'm', stream: true, messages: [], tools: [] }
const context: ResponseContext = { requestId: 'r1', model: 'm', createdAt: 7, includeUsage: false, request }
const usage = { ...NO_TOKENS, input: 10, cacheRead: 4, output: 3, reasoning: 2 }

function stream(events: readonly CanonicalEvent[], changed: Partial<ResponseContext> = {}): string {
  const encoder = createEncoder({ ...context, ...changed })
  return events.map((event) => encoder.encode(event)).join('') + encoder.end(usage)
}

function framesOf(text: string) {
  const reader = createFrameReader({ decode: (bytes) => new TextDecoder().decode(bytes) })
  return reader.push(new TextEncoder().encode(text)).flatMap(({ event }) => (event ? [event] : []))
}

interface Chunk {
  readonly choices: readonly [{ readonly delta: Record<string, unknown>; readonly finish_reason: string | null }]
}

const chunksOf = (text: string) =>
  framesOf(text)
    .filter(({ data }) => data !== '[DONE]')
    .map(({ data }) => JSON.parse(data) as Chunk)
const deltasOf = (text: string) => chunksOf(text).map(({ choices }) => choices[0].delta)

const thinking: Part = { type: 'thinking', text: 'Hm.', signature: { dialect: 'anthropic-messages', value: 's1' } }
const redacted: Part = {
  type: 'thinking',
  text: '',
  redacted: true,
  signature: { dialect: 'anthropic-messages', value: 's2' },
}
const tide: Part = { type: 'tool-call', id: 'a', name: 'tide', arguments: '{"n": 1.0}' }
const response: CanonicalResponse = {
  parts: [thinking, { type: 'text', text: 'So.' }, redacted, tide],
  finish: { reason: 'tool-calls' },
}

describe('createEncoder', () => {
  it('writes the role, deltas, finish reason, usage and end marker', () => {
    const text = stream(
      [
        { type: 'response-start', id: 'msg_1', model: 'other' },
        { type: 'text-start', block: 0 },
        { type: 'text-delta', block: 0, text: 'Hel' },
        { type: 'text-delta', block: 0, text: 'lo' },
        { type: 'text-end', block: 0 },
        { type: 'finish', reason: 'stop-sequence', stopSequence: 'x' },
        { type: 'usage', usage: NO_TOKENS },
        { type: 'done' },
      ],
      { includeUsage: true },
    )
    const head = { id: 'chatcmpl-r1', object: 'chat.completion.chunk', created: 7, model: 'm' }
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      ...head,
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      usage: null,
    })

    expect(chunksOf(text)).toEqual([
      chunk({ role: 'assistant', content: '' }),
      chunk({ content: 'Hel' }),
      chunk({ content: 'lo' }),
      chunk({}, 'stop'),
      { ...head, choices: [], usage: encodeResponse(response, usage, context).usage },
    ])
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  it('writes usage only on request', () => {
    expect(stream(eventsOf(response))).not.toContain('usage')
  })

  it('starts with the role and ends normally without a finish reason', () => {
    const text = stream([{ type: 'text-delta', block: 0, text: 'Hi' }])

    expect(deltasOf(text)).toEqual([{ role: 'assistant', content: '' }, { content: 'Hi' }, {}])
    expect(chunksOf(text).at(-1)!.choices[0].finish_reason).toBe('stop')
  })

  const reasons = [
    ['stop', 'stop'],
    ['length', 'length'],
    ['tool-calls', 'tool_calls'],
    ['refusal', 'content_filter'],
    ['pause', 'stop'],
    ['other', 'stop'],
  ] as const
  it.each(reasons)('writes %s as %s', (reason, expected) => {
    const text = stream([{ type: 'finish', reason }])

    expect(chunksOf(text).at(-1)!.choices[0].finish_reason).toBe(expected)
  })

  it('numbers overlapping calls and writes empty arguments as an empty object', () => {
    const text = stream([
      { type: 'tool-call-start', block: 1, id: 'a', name: 'tide' },
      { type: 'tool-call-start', block: 2, id: 'b', name: 'wind' },
      { type: 'tool-call-delta', block: 2, text: '{"x"' },
      { type: 'tool-call-end', block: 1 },
      { type: 'tool-call-delta', block: 2, text: ': 1.0}' },
    ])
    const toolCallStart = (index: number, id: string, name: string) => ({
      tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }],
    })
    const piece = (index: number, text: string) => ({ tool_calls: [{ index, function: { arguments: text } }] })

    expect(deltasOf(text).slice(1)).toEqual([
      toolCallStart(0, 'a', 'tide'),
      toolCallStart(1, 'b', 'wind'),
      piece(1, '{"x"'),
      piece(0, '{}'),
      piece(1, ': 1.0}'),
      {},
    ])
    expect(chunksOf(text).at(-1)!.choices[0].finish_reason).toBe('tool_calls')
  })

  it('writes the signatures of all thoughts once, with their index', () => {
    const deltas = deltasOf(stream(eventsOf(response)))

    const details = deltas.filter((delta) => 'reasoning_details' in delta)
    expect(details).toEqual([
      {
        reasoning_details: [
          { type: 'reasoning.text', text: 'Hm.', signature: expect.stringMatching(/^tg1\./), index: 0 },
          { type: 'reasoning.encrypted', data: expect.stringMatching(/^tg1\./), index: 2 },
        ],
      },
    ])
    expect(deltas).toContainEqual({ reasoning_content: 'Hm.' })
  })

  it('writes the signature of a call in the field of Google', () => {
    const signedDelta = (dialect: 'gemini-generate' | 'openai-responses') =>
      deltasOf(
        stream([{ type: 'tool-call-start', block: 0, id: 'a', name: 'f', signature: { dialect, value: 'CpQB' } }]),
      )[1]

    expect(signedDelta('gemini-generate')).toMatchObject({
      tool_calls: [{ extra_content: { google: { thought_signature: 'CpQB' } } }],
    })
    expect(signedDelta('openai-responses')).toMatchObject({
      tool_calls: [{ extra_content: { google: { thought_signature: expect.stringMatching(/^tg1\./) } } }],
    })
  })

  it('writes the input of a text tool as one text', () => {
    const withPatch = { ...request, tools: [{ type: 'text', name: 'patch' } as const] }
    const events: CanonicalEvent[] = [
      { type: 'tool-call-start', block: 0, id: 'a', name: 'patch' },
      { type: 'tool-call-delta', block: 0, text: '{"input":"a ' },
      { type: 'tool-call-delta', block: 0, text: String.raw`\"b\""}` },
      { type: 'tool-call-end', block: 0 },
    ]

    expect(deltasOf(stream(events, { request: withPatch })).slice(1)).toEqual([
      { tool_calls: [{ index: 0, id: 'a', type: 'custom', custom: { name: 'patch', input: '' } }] },
      { tool_calls: [{ index: 0, custom: { input: 'a "b"' } }] },
      {},
    ])
  })

  it('writes the first call for a client that sent functions', () => {
    const legacy = decodeRequest(
      readRequest(
        JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }], functions: [{ name: 'tide' }] }),
      ),
    )
    const both: CanonicalResponse = { parts: [tide, { ...tide, id: 'b' }], finish: { reason: 'tool-calls' } }

    const text = stream(eventsOf(both), { request: legacy })

    expect(deltasOf(text).slice(1)).toEqual([
      { function_call: { name: 'tide', arguments: '' } },
      { function_call: { arguments: '{"n": 1.0}' } },
      {},
    ])
    expect(chunksOf(text).at(-1)!.choices[0].finish_reason).toBe('function_call')
    expect(encodeResponse(both, usage, { ...context, request: legacy })).toMatchObject({
      choices: [
        { finish_reason: 'function_call', message: { function_call: { name: 'tide', arguments: '{"n": 1.0}' } } },
      ],
    })
  })

  it('writes images as markdown and refusals as refusals', () => {
    const text = stream([
      { type: 'image', block: 0, mediaType: 'image/png', data: 'AAAA' },
      { type: 'refusal-delta', block: 1, text: 'no' },
    ])

    expect(deltasOf(text).slice(1)).toEqual([
      { content: '![image](data:image/png;base64,AAAA)' },
      { refusal: 'no' },
      {},
    ])
  })

  it('can be decoded by the same protocol', () => {
    const decode = createDecoder({ newId: () => 'new' })

    const events = framesOf(stream(eventsOf(response), { includeUsage: true })).flatMap((frame) => decode(frame))

    const [thought, contents, call, signed] = collectParts(events)
    expect([thought, contents, call]).toEqual([
      { type: 'thinking', text: 'Hm.', signature: { dialect: 'openai-chat', value: '' } },
      { type: 'text', text: 'So.' },
      tide,
    ])
    // Signatures of a gateway behind this one stay whole, and the text is not repeated.
    expect(signed).toEqual({
      type: 'thinking',
      text: '',
      signature: { dialect: 'openai-chat', value: expect.stringContaining('reasoning.encrypted') },
    })
    expect(events).toContainEqual({ type: 'usage', usage })
    expect(events).toContainEqual({ type: 'finish', reason: 'tool-calls', raw: 'tool_calls' })
  })
})

describe('a message that the client sends back', () => {
  const byField: Record<string, (was: unknown, piece: unknown) => unknown> = {
    content: (was, piece) => ((was as string | undefined) ?? '') + (piece as string),
    reasoning_content: (_was, piece) => piece, // unknown fields: the last delta wins
  }

  /** Combines the deltas of a message like OpenAI's SDK. */
  function accumulate(deltas: readonly Record<string, unknown>[]) {
    const message: Record<string, unknown> = {}
    const calls: { function: { name: string; arguments: string } }[] = []
    for (const { tool_calls, ...delta } of deltas) {
      for (const [name, piece] of Object.entries(delta)) message[name] = byField[name]?.(message[name], piece) ?? piece
      for (const { index, ...call } of (tool_calls ?? []) as { index: number; function: { arguments: string } }[]) {
        if (calls[index]) calls[index].function.arguments += call.function.arguments
        else calls[index] = call as (typeof calls)[number]
      }
    }
    return { ...message, ...(calls.length > 0 && { tool_calls: calls }) }
  }

  const parts: Part[] = [
    thinking,
    { type: 'text', text: 'So.' },
    redacted,
    { ...tide, signature: { dialect: 'gemini-generate', value: 'CpQB' } },
    { type: 'thinking', text: 'More.', signature: { dialect: 'openai-responses', value: 'enc', id: 'rs_9' } },
    { type: 'tool-call', id: 'b', name: 'wind', arguments: '{"a":"\\u6f6e"}' },
  ]
  const decodeMessage = (message: unknown) =>
    decodeRequest(readRequest(JSON.stringify({ model: 'm', messages: [message] }))).messages[0]!.parts

  it('has the same parts in the same order after a stream', () => {
    expect(decodeMessage(accumulate(deltasOf(stream(eventsOf({ parts })))))).toEqual(parts)
  })

  it('has the same parts in the same order after a whole response', () => {
    const encoded = encodeResponse({ parts }, usage, context) as { choices: [{ message: unknown }] }

    expect(decodeMessage(encoded.choices[0].message)).toEqual(parts)
  })
})
