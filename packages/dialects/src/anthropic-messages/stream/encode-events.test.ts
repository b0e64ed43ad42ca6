import { array, assert, constant, constantFrom, nat, oneof, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CanonicalEvent, eventsOf, type Part } from '../../canonical/index.ts'
import { wrapSignature } from '../../canonical/signature.ts'
import { NO_TOKENS } from '@tidegate/contract'
import { createEncoder } from './encode-events.ts'
import { contentOf, CONTEXT, framesIn } from '../../../test/anthropic-streams.ts'

function streamOf(events: readonly CanonicalEvent[], usage = NO_TOKENS): string {
  const encoder = createEncoder(CONTEXT)
  return events.map((event) => encoder.encode(event)).join('') + encoder.end(usage)
}

const frames = (events: readonly CanonicalEvent[], usage = NO_TOKENS) =>
  framesIn(streamOf(events, usage)).map(({ data }) => JSON.parse(data) as { type: string; delta?: object })
const contentAfter = (events: readonly CanonicalEvent[]) => contentOf(streamOf(events))
const contentFor = (...parts: Part[]) => contentAfter(eventsOf({ parts }))
const start: CanonicalEvent = { type: 'response-start' }

describe('createEncoder', () => {
  it('writes the whole sequence for plain text with the final usage at the end', () => {
    const usage = { ...NO_TOKENS, input: 10, cacheRead: 5, output: 3 }
    const response = { parts: [{ type: 'text', text: 'Hi' } as const], finish: { reason: 'stop' } as const }

    expect(frames(eventsOf(response), usage)).toEqual([
      {
        type: 'message_start',
        message: {
          id: 'msg_r1',
          type: 'message',
          role: 'assistant',
          model: 'claude',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 },
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: {
          input_tokens: 10,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 5,
          cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
          output_tokens: 3,
          output_tokens_details: { thinking_tokens: 0 },
        },
      },
      { type: 'message_stop' },
    ])
  })

  it('sends every delta at once', () => {
    const encoder = createEncoder(CONTEXT)
    encoder.encode(start)
    encoder.encode({ type: 'text-start', block: 0 })

    expect(framesIn(encoder.encode({ type: 'text-delta', block: 0, text: 'a' }))).toHaveLength(2)
    expect(framesIn(encoder.encode({ type: 'text-delta', block: 0, text: 'b' }))).toHaveLength(1)
    expect(encoder.encode({ type: 'finish', reason: 'stop' })).toBe('')
  })

  it('writes usage at the start if it is known', () => {
    const usage = { ...NO_TOKENS, input: 7 }

    expect(frames([{ type: 'usage', usage }, start])[0]).toMatchObject({ message: { usage: { input_tokens: 7 } } })
  })

  it('wraps signatures of other protocols, even empty ones, and keeps its own', () => {
    const theirs = { dialect: 'openai-chat', value: '' } as const
    const mine = { dialect: 'anthropic-messages', value: 'EqQB' } as const

    expect(
      contentFor(
        { type: 'thinking', text: 'a', signature: theirs },
        { type: 'thinking', text: 'b', signature: mine },
        { type: 'thinking', text: '', signature: theirs, redacted: true },
        { type: 'thinking', text: 'c' },
        { type: 'thinking', text: '' },
      ),
    ).toEqual([
      { type: 'thinking', thinking: 'a', signature: wrapSignature(theirs) },
      { type: 'thinking', thinking: 'b', signature: 'EqQB' },
      { type: 'redacted_thinking', data: wrapSignature(theirs) },
      { type: 'thinking', thinking: 'c', signature: '' },
    ])
  })

  it('puts the signature of a call into a thinking block before it', () => {
    const signature = { dialect: 'gemini-generate', value: 'c2ln' } as const
    const call = { type: 'tool-call', id: 't', name: 'tide', arguments: '{"n":1}' } as const

    expect(contentFor({ ...call, signature }, { ...call, id: 'u' })).toEqual([
      { type: 'thinking', thinking: '', signature: `${wrapSignature(signature)}.call` },
      { type: 'tool_use', id: 't', name: 'tide', input: {}, partial_json: '{"n":1}' },
      { type: 'tool_use', id: 'u', name: 'tide', input: {}, partial_json: '{"n":1}' },
    ])
  })

  it('holds back parallel calls until the first one ends', () => {
    const call = (block: number): CanonicalEvent => ({ type: 'tool-call-start', block, id: `t${block}`, name: 'tide' })
    const piece = (block: number, text: string): CanonicalEvent => ({ type: 'tool-call-delta', block, text })
    const toolCallEnd = (block: number): CanonicalEvent => ({ type: 'tool-call-end', block })

    expect(
      contentAfter([
        start,
        call(0),
        call(1),
        piece(1, '{"b":'),
        piece(0, '{"a":'),
        { type: 'text-delta', block: 2, text: 'meanwhile' },
        piece(1, '2}'),
        toolCallEnd(1),
        piece(0, '1}'),
        toolCallEnd(0),
      ]),
    ).toEqual([
      { type: 'tool_use', id: 't0', name: 'tide', input: {}, partial_json: '{"a":1}' },
      { type: 'tool_use', id: 't1', name: 'tide', input: {}, partial_json: '{"b":2}' },
      { type: 'text', text: 'meanwhile' },
    ])
  })

  it('closes text and thinking when another block starts and reopens them later', () => {
    expect(
      contentAfter([
        { type: 'thinking-delta', block: 0, text: 'hm' },
        { type: 'text-delta', block: 1, text: 'a' },
        { type: 'tool-call-start', block: 2, id: 't', name: 'tide' },
        { type: 'text-delta', block: 1, text: 'b' },
        { type: 'text-end', block: 1 },
        { type: 'tool-call-end', block: 2 },
        { type: 'text-delta', block: 3, text: 'c' },
        { type: 'text-end', block: 1 },
        { type: 'text-delta', block: 3, text: 'd' },
      ]),
    ).toEqual([
      { type: 'thinking', thinking: 'hm', signature: '' },
      { type: 'text', text: 'a' },
      { type: 'tool_use', id: 't', name: 'tide', input: {} },
      { type: 'text', text: 'b' },
      { type: 'text', text: 'cd' },
    ])
  })

  it('keeps a signature that arrives late', () => {
    const signature = { dialect: 'openai-responses', value: 'enc', id: 'rs_1' } as const

    expect(
      contentAfter([
        { type: 'thinking-delta', block: 0, text: 'hm' },
        { type: 'text-delta', block: 1, text: 'a' },
        { type: 'thinking-end', block: 0, signature },
      ]),
    ).toContainEqual({ type: 'thinking', thinking: '', signature: wrapSignature(signature) })
  })

  it('opens no empty block', () => {
    expect(contentFor({ type: 'text', text: '' }, { type: 'native', dialect: 'gemini-generate', value: {} })).toEqual(
      [],
    )
    expect(contentAfter([{ type: 'tool-call-delta', block: 4, text: '{}' }])).toEqual([])
  })

  it('writes images and refusals as text', () => {
    expect(
      contentFor(
        { type: 'text', text: 'Look:' },
        { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'iVBO' } },
        { type: 'refusal', text: 'no more' },
      ),
    ).toEqual([
      { type: 'text', text: 'Look:' },
      { type: 'text', text: '![image](data:image/png;base64,iVBO)' },
      { type: 'text', text: 'no more' },
    ])
  })

  it('writes the stop reason', () => {
    const stop = (...events: CanonicalEvent[]) => frames([start, ...events]).at(-2)!.delta
    const call: CanonicalEvent = { type: 'tool-call-start', block: 0, id: 't', name: 'tide' }

    expect(stop()).toEqual({ stop_reason: 'end_turn', stop_sequence: null })
    expect(stop({ type: 'finish', reason: 'length' })).toMatchObject({ stop_reason: 'max_tokens' })
    expect(stop({ type: 'finish', reason: 'refusal' })).toMatchObject({ stop_reason: 'refusal' })
    expect(stop({ type: 'finish', reason: 'pause' })).toMatchObject({ stop_reason: 'pause_turn' })
    expect(stop({ type: 'finish', reason: 'other' })).toMatchObject({ stop_reason: 'end_turn' })
    expect(stop({ type: 'finish', reason: 'stop-sequence', stopSequence: 'END' })).toEqual({
      stop_reason: 'stop_sequence',
      stop_sequence: 'END',
    })
    expect(stop(call, { type: 'finish', reason: 'stop' })).toMatchObject({ stop_reason: 'tool_use' })
    expect(stop(call, { type: 'finish', reason: 'length' })).toMatchObject({ stop_reason: 'max_tokens' })
  })

  it('writes a complete stream without content', () => {
    expect(frames([]).map(({ type }) => type)).toEqual(['message_start', 'message_delta', 'message_stop'])
  })

  it('keeps every text and call in any order of events', () => {
    const event = (type: CanonicalEvent['type']) =>
      record({
        type: constant(type),
        block: nat(3),
        text: constantFrom('a', 'b', ''),
        id: constant('t'),
        name: constant('f'),
      })
    const deltaTexts = ['text-delta', 'thinking-delta'] as const
    const others = [
      'text-start',
      'text-end',
      'thinking-end',
      'tool-call-start',
      'tool-call-delta',
      'tool-call-end',
    ] as const
    const anyEvent = oneof(...[...deltaTexts, ...others].map(event))

    assert(
      property(array(anyEvent, { maxLength: 20 }), (list) => {
        const events = list as CanonicalEvent[]
        const content = contentAfter(events)
        const deltas = (type: string) =>
          events.map((item) => (item.type === type ? (item as { text: string }).text : '')).join('')
        const heard = (member: string) => content.map((block) => (block[member] as string | undefined) ?? '').join('')

        expect([...heard('text')].sort()).toEqual([...deltas('text-delta')].sort())
        expect([...heard('thinking')].sort()).toEqual([...deltas('thinking-delta')].sort())
        expect(content.filter(({ type }) => type === 'tool_use')).toHaveLength(
          events.filter(({ type }) => type === 'tool-call-start').length,
        )
      }),
    )
  })
})
