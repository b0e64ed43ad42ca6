import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type CanonicalResponse, eventsOf, isEmptyResponse } from '../../canonical/index.ts'
import { wrapSignature } from '../../canonical/signature.ts'
import { NO_TOKENS } from '@tidegate/contract'
import { decodeResponse } from './decode-response.ts'
import { encodeResponse } from './encode-response.ts'
import { createEncoder } from '../stream/encode-events.ts'
import { CONTEXT, decodeStream, partsOf } from '../../../test/anthropic-streams.ts'

const fixture = (name: string) => readFileSync(new URL(`../__fixtures__/${name}.json`, import.meta.url), 'utf8')
const claudeSignature = (value: string) => ({ dialect: 'anthropic-messages', value }) as const

describe('decodeResponse', () => {
  it('decodes a whole response with exact arguments', () => {
    expect(decodeResponse(fixture('response-with-thinking-and-calls'))).toEqual({
      id: 'msg_01B',
      model: 'claude-opus-4-5-20251101',
      parts: [
        { type: 'thinking', text: 'Two ports.', signature: claudeSignature('EqQBCgIYAh') },
        { type: 'thinking', text: '', redacted: true, signature: claudeSignature('EmwKAhgB') },
        { type: 'text', text: 'Looking.' },
        {
          type: 'tool-call',
          id: 'toolu_1',
          name: 'tide_at',
          arguments: String.raw`{"zone": "\u00e9t\u00e9", "at": 1152921504606846976, "factor": 1.0, "deep": {"}": "]\"", "list": [1e2, -0]}}`,
        },
        { type: 'tool-call', id: 'toolu_2', name: 'list_ports', arguments: '{}' },
        {
          type: 'native',
          dialect: 'anthropic-messages',
          value: { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
        },
      ],
      finish: { reason: 'tool-calls', raw: 'tool_use' },
      usage: {
        ...NO_TOKENS,
        input: 2095,
        cacheRead: 50,
        cacheWrite5m: 250,
        cacheWrite1h: 150,
        output: 303,
        reasoning: 200,
        terms: { fees: [{ fee: 'webSearch', count: 1 }] },
      },
    })
  })

  it('finds an error with a success status', () => {
    expect(decodeResponse(fixture('error-with-a-good-status'))).toEqual({
      parts: [],
      error: { type: 'rate_limit_error', message: 'Too many tokens this minute' },
      errorStatus: 429,
    })
    expect(decodeResponse('{"error":"plain words"}')?.error).toEqual({ message: 'plain words' })
  })

  it('distinguishes an empty response from none', () => {
    expect(isEmptyResponse(eventsOf(decodeResponse('{"type":"message","content":[],"stop_reason":"end_turn"}')!))).toBe(
      false,
    )
    expect(isEmptyResponse(eventsOf(decodeResponse('{"type":"message","content":[]}')!))).toBe(true)
    expect(decodeResponse('<html>')).toBeUndefined()
    expect(decodeResponse('{"choices":[]}')).toBeUndefined()
  })

  it("treats a provider's signature as its own, even if it looks wrapped", () => {
    const signature = wrapSignature({ dialect: 'gemini-generate', value: 'g' })
    const text = JSON.stringify({ content: [{ type: 'thinking', thinking: 'hm', signature }] })

    expect(decodeResponse(text)?.parts).toEqual([
      { type: 'thinking', text: 'hm', signature: claudeSignature(signature) },
    ])
  })
})

const usage = { ...NO_TOKENS, input: 5, cacheRead: 6, cacheWrite1h: 7, output: 8, reasoning: 9 }
const response: CanonicalResponse = {
  parts: [
    { type: 'thinking', text: 'Two ports.', signature: claudeSignature('EqQB') },
    { type: 'thinking', text: '', redacted: true, signature: claudeSignature('EmwK') },
    { type: 'text', text: 'Looking.' },
    { type: 'tool-call', id: 'a', name: 'tide', arguments: '{"at":1152921504606846976,"f":1.0}' },
    { type: 'tool-call', id: 'b', name: 'ports', arguments: '{}' },
  ],
  finish: { reason: 'tool-calls', raw: 'tool_use' },
}

describe('encodeResponse', () => {
  it('writes a whole message', () => {
    const signature = { dialect: 'gemini-generate', value: 'c2ln' } as const
    const parts: CanonicalResponse['parts'] = [
      { type: 'text', text: '' },
      { type: 'thinking', text: 'hm', signature },
      { type: 'thinking', text: '', signature, redacted: true },
      { type: 'text', text: 'Hi' },
      { type: 'image', source: { kind: 'url', url: 'https://example.org/x.png' } },
      { type: 'tool-call', id: 'a', name: 'tide', arguments: 'broken', signature },
    ]

    expect(encodeResponse({ parts, finish: { reason: 'stop' } }, usage, CONTEXT)).toEqual({
      id: 'msg_r1',
      type: 'message',
      role: 'assistant',
      model: 'claude',
      content: [
        { type: 'thinking', thinking: 'hm', signature: wrapSignature(signature) },
        { type: 'redacted_thinking', data: wrapSignature(signature) },
        { type: 'text', text: 'Hi' },
        { type: 'text', text: '![image](https://example.org/x.png)' },
        { type: 'thinking', thinking: '', signature: `${wrapSignature(signature)}.call` },
        { type: 'tool_use', id: 'a', name: 'tide', input: { input: 'broken' } },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: {
        input_tokens: 5,
        cache_creation_input_tokens: 7,
        cache_read_input_tokens: 6,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 7 },
        output_tokens: 17,
        output_tokens_details: { thinking_tokens: 9 },
      },
    })
  })

  it('can be decoded to the same response', () => {
    const text = JSON.stringify(encodeResponse(response, usage, CONTEXT))

    expect(decodeResponse(text)).toMatchObject({ ...response, usage })
  })

  it('equals the content of a stream', () => {
    const encoder = createEncoder(CONTEXT)
    const stream =
      eventsOf(response)
        .map((event) => encoder.encode(event))
        .join('') + encoder.end(usage)
    const events = decodeStream(stream)

    expect(partsOf(events)).toEqual(response.parts)
    expect(events.findLast(({ type }) => type === 'usage')).toEqual({ type: 'usage', usage })
    expect(events).toContainEqual({ type: 'finish', ...response.finish })
    expect(events.at(-1)).toEqual({ type: 'done' })
  })
})
