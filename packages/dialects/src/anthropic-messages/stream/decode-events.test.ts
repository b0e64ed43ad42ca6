import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isContent, isEmptyResponse, readGeneratedText } from '../../canonical/index.ts'
import { NO_TOKENS } from '@tidegate/contract'
import { createDecoder } from './decode-events.ts'
import { decodeStream, partsOf } from '../../../test/anthropic-streams.ts'

const readRecording = (name: string) =>
  decodeStream(readFileSync(new URL(`../__fixtures__/${name}.sse`, import.meta.url), 'utf8'))
const claudeSignature = (value: string) => ({ dialect: 'anthropic-messages', value })

describe('createDecoder', () => {
  it('decodes text, and usage from the start and the end of a stream', () => {
    const input = { ...NO_TOKENS, input: 25, cacheRead: 1000, cacheWrite5m: 100, cacheWrite1h: 200 }

    expect(readRecording('text-with-pings-and-cached-input')).toEqual([
      { type: 'response-start', id: 'msg_01A', model: 'claude-sonnet-4-5-20250929' },
      { type: 'usage', usage: { ...input, output: 1 } },
      { type: 'text-start', block: 0 },
      { type: 'text-delta', block: 0, text: 'Hello' },
      { type: 'text-delta', block: 0, text: ' 潮 🌊' },
      { type: 'text-end', block: 0 },
      { type: 'finish', reason: 'stop', raw: 'end_turn' },
      { type: 'usage', usage: { ...input, output: 15 } },
      { type: 'done' },
    ])
  })

  it('decodes thinking with its signature, and arguments unchanged', () => {
    const events = readRecording('thinking-then-a-tool-call')

    expect(partsOf(events)).toEqual([
      { type: 'thinking', text: 'The tide turns at six.', signature: claudeSignature('EqQBCgIYAhIM1gbcDa9GJwZA2b3h') },
      { type: 'text', text: 'I will look.' },
      {
        type: 'tool-call',
        id: 'toolu_01T1',
        name: 'tide_at',
        arguments: '{"port": "Brest", "at": 1152921504606846976}',
      },
    ])
    expect(events.slice(-4)).toEqual([
      { type: 'tool-call-end', block: 2 },
      { type: 'finish', reason: 'tool-calls', raw: 'tool_use' },
      { type: 'usage', usage: { ...NO_TOKENS, input: 12, output: 49, reasoning: 40 } },
      { type: 'done' },
    ])
  })

  it('keeps arguments that arrive at once and writes an empty object for none', () => {
    expect(partsOf(readRecording('tool-calls-without-pieces'))).toMatchObject([
      { id: 'toolu_01W', arguments: '{"port": "Brest", "at": 1152921504606846976, "factor": 1.0}' },
      { id: 'toolu_01E', arguments: '{}' },
    ])
  })

  it('decodes redacted thinking', () => {
    expect(partsOf(readRecording('redacted-thinking'))).toEqual([
      { type: 'thinking', text: '', redacted: true, signature: claudeSignature('EmwKAhgBEgy3va3pzix') },
      { type: 'text', text: 'Done.' },
    ])
  })

  it('decodes a search and its citations and numbers the other blocks consecutively', () => {
    const events = readRecording('web-search-with-citations')

    expect(partsOf(events)).toEqual([
      { type: 'text', text: 'Let me search.' },
      { type: 'text', text: 'High at six.' },
    ])
    expect(events.filter(({ type }) => type === 'native').map((event) => readGeneratedText(event))).toEqual([
      'web_search',
      '{"query":"tide brest"}',
      '',
    ])
    expect(events.flatMap((event) => ('block' in event ? event.block : []))).toEqual([0, 0, 0, 1, 1, 1, 1])
    expect(events.at(-2)).toEqual({
      type: 'usage',
      usage: {
        ...NO_TOKENS,
        input: 2500,
        cacheRead: 7,
        output: 60,
        terms: { fees: [{ fee: 'webSearch', count: 1 }] },
      },
    })
  })

  it('decodes the stop reason', () => {
    const finish = (name: string) => readRecording(name).find(({ type }) => type === 'finish')

    expect(finish('refusal')).toEqual({ type: 'finish', reason: 'refusal', raw: 'refusal' })
    expect(finish('stopped-by-length')).toEqual({ type: 'finish', reason: 'length', raw: 'max_tokens' })
    expect(finish('stopped-by-a-sequence')).toEqual({
      type: 'finish',
      reason: 'stop-sequence',
      raw: 'stop_sequence',
      stopSequence: 'three',
    })
  })

  const reasons = [
    ['pause_turn', 'pause'],
    ['model_context_window_exceeded', 'length'],
    ['constructor', 'other'],
  ]
  it.each(reasons)('decodes %s as %s', (stop_reason, reason) => {
    const data = JSON.stringify({ type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 1 } })

    expect(createDecoder()({ data })).toContainEqual({ type: 'finish', reason, raw: stop_reason })
  })

  it('finds an error inside a stream with its status', () => {
    expect(readRecording('error-inside-a-stream').at(-1)).toEqual({
      type: 'error',
      status: 529,
      error: { type: 'overloaded_error', message: 'Overloaded', details: null },
    })
  })

  it('recognises every form of an error', () => {
    const error = (name: string | undefined, data: string) => createDecoder()({ name, data })[0]

    expect(error('error', 'out of memory')).toEqual({ type: 'error', error: { message: 'out of memory' } })
    expect(error('error', '{"message":"busy"}')).toEqual({ type: 'error', error: { message: 'busy' } })
    expect(error(undefined, '{"error":{"type":"api_error","message":"oh"}}')).toMatchObject({ status: 500 })
    expect(error(undefined, 'not json')).toBeUndefined()
  })

  it('ends open blocks if the provider does not, and adds no end marker', () => {
    const events = readRecording('end-mark-missing')

    expect(events.slice(-3)).toEqual([
      { type: 'text-end', block: 0 },
      { type: 'finish', reason: 'stop', raw: 'end_turn' },
      { type: 'usage', usage: { ...NO_TOKENS, input: 12, output: 3 } },
    ])
  })

  it('ignores unknown events, fields and values', () => {
    const events = readRecording('unknown-events-and-fields')

    expect(partsOf(events)).toEqual([{ type: 'text', text: 'Hi' }])
    expect(events).toContainEqual({ type: 'finish', reason: 'other', raw: 'fell_asleep' })
    expect(events.filter(({ type }) => type === 'response-start')).toHaveLength(1)
  })

  it('separates overlapping calls', () => {
    const events = readRecording('calls-that-overlap')

    expect(partsOf(events)).toMatchObject([
      { id: 'a', arguments: '{"m":1}' },
      { id: 'b', arguments: '{"n":2}' },
    ])
    expect(events.filter(({ type }) => type === 'tool-call-end')).toHaveLength(2)
  })

  it('opens blocks that the provider did not start', () => {
    const events = readRecording('pieces-without-starts')

    expect(events[0]).toEqual({ type: 'response-start' })
    expect(partsOf(events)).toEqual([
      { type: 'thinking', text: 'hm', signature: claudeSignature('') },
      { type: 'text', text: 'Hi' },
    ])
  })

  it('emits no content for events that a client would not see', () => {
    const events = readRecording('text-with-pings-and-cached-input')

    expect(events.findIndex(isContent)).toBe(3)
    expect(isEmptyResponse(readRecording('refusal'))).toBe(false)
    expect(isContent(readRecording('redacted-thinking').find(({ type }) => type === 'thinking-end')!)).toBe(true)
  })
})
