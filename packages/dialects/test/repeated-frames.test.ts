import { array, assert, constantFrom, integer, oneof, property, string, tuple } from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { EventDecoder } from '../src/canonical/index.ts'
import { createEventReader, DIALECTS } from '../src/index.ts'

afterEach(() => vi.restoreAllMocks())

const textOf = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
const encode = (text: string) => new TextEncoder().encode(text)
const context = { newId: () => 'new' }
const newChatDecoder = () => DIALECTS['openai-chat'].createDecoder(context)
const newAnthropicDecoder = () => DIALECTS['anthropic-messages'].createDecoder(context)

const frame = (data: object | string) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
const chunk = (delta: object, more: object = {}, finish: string | null = null) =>
  frame({ id: 'c1', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }], ...more })
const text = (content: string, more?: object) => chunk({ content }, more)
const claude = (data: Record<string, unknown> & { type: string }) => `event: ${data.type}\n${frame(data)}`
const claudeDelta = (delta: object, index = 0) => claude({ type: 'content_block_delta', index, delta })

function read(stream: Uint8Array, chunkSize: number, decodeEvent: EventDecoder) {
  const reader = createEventReader({ decode: textOf, decodeEvent })
  const frames = []
  for (let at = 0; at < stream.length; at += chunkSize) frames.push(...reader.push(stream.subarray(at, at + chunkSize)))
  const rest = reader.flush()
  if (rest) frames.push(rest)
  return frames.map(({ bytes, events, isEmpty }) => ({ bytes: textOf(bytes), events, isEmpty }))
}

/** A decoder that names no member with text parses every frame. */
function withoutTemplates(decode: EventDecoder): EventDecoder {
  return (event) => decode(event)
}

function expectSameFrames(stream: string | Uint8Array, newDecoder: () => EventDecoder, sizes = [1, 7, 64, 1e6]): void {
  const bytes = typeof stream === 'string' ? encode(stream) : stream
  for (const size of sizes) {
    expect(read(bytes, size, newDecoder())).toEqual(read(bytes, size, withoutTemplates(newDecoder())))
  }
}

describe('a frame that differs from the previous one only in its text', () => {
  it.each<[string, () => EventDecoder, (content: string, index: number) => string]>([
    ['chat', newChatDecoder, (content) => text(content)],
    ['padded chat', newChatDecoder, (content, index) => text(content, { obfuscation: 'x'.repeat(index % 9) })],
    ['chat reasoning', newChatDecoder, (content) => chunk({ reasoning_content: content })],
    ['Anthropic', newAnthropicDecoder, (content) => claudeDelta({ type: 'text_delta', text: content })],
    [
      'Anthropic thinking',
      newAnthropicDecoder,
      (content) => claudeDelta({ type: 'thinking_delta', thinking: content }),
    ],
  ])('is not parsed: %s', (_, newDecoder, frameOf) => {
    const texts = Array.from({ length: 100 }, (__, index) => ` word ${index} 潮`)
    const stream = encode(texts.map(frameOf).join(''))
    const parse = vi.spyOn(JSON, 'parse')

    const events = read(stream, 1000, newDecoder()).flatMap((one) => one.events)

    // Frames that are divided between chunks are parsed: one of four here.
    expect(parse.mock.calls.length).toBeLessThan(35)
    expect(events.flatMap((event) => ('text' in event ? [event.text] : []))).toEqual(texts)
    expectSameFrames(stream, newDecoder)
  })

  it.each<[string, string[]]>([
    ['escapes', ['a', 'b', 'line\nbreak', 'c', '"quoted"', 'd', 'back\\slash', 'e', '\u0001', 'f']],
    ['text that looks like the rest of a frame', ['a', 'b', '"},"finish_reason":"stop', 'c', '"content":"x"', 'd']],
    ['empty text', ['a', 'b', '', 'c']],
    ['repeated text', ['content', 'content', 'm', 'c1', 'm']],
  ])('is decoded like any other, with %s', (_, texts) => {
    expectSameFrames(texts.map((content) => text(content)).join(''), newChatDecoder)
    const deltas = texts.map((content) => claudeDelta({ type: 'text_delta', text: content }))
    expectSameFrames(deltas.join(''), newAnthropicDecoder)
  })

  it('is decoded like any other between frames of other kinds', () => {
    const call = { index: 0, id: 't', type: 'function', function: { name: 'tide', arguments: '{}' } }
    const details = [{ type: 'reasoning.encrypted', data: 'x', index: 0 }]
    const chat = [
      text('a'),
      text('b'),
      chunk({ reasoning_content: 'hm' }),
      text('c'),
      text('d'),
      ': ping\n\n',
      text('d2'),
      chunk({ tool_calls: [call] }),
      text('e'),
      text('f'),
      chunk({ content: 'g', reasoning_details: details }),
      chunk({ content: 'h', reasoning_details: details }),
      text('i', { note: { content: 'i' } }),
      text('i', { note: { content: 'k' } }),
      `event: error\n${text('l')}`,
      chunk({ content: 'm' }, {}, 'stop'),
      text('n', { usage: { prompt_tokens: 1, completion_tokens: 2 } }),
      text('o').replaceAll('\n', '\r\n'),
      text('p').replaceAll('\n', '\r'),
      text('q').replaceAll('\n', '\r'),
      text('r'),
      frame('[DONE]'),
    ]
    expectSameFrames(chat.join(''), newChatDecoder)
    const anthropic = [
      claude({ type: 'message_start' }),
      claudeDelta({ type: 'text_delta', text: 'a' }),
      claudeDelta({ type: 'text_delta', text: 'b' }),
      claudeDelta({ type: 'thinking_delta', thinking: 'c' }, 1),
      claudeDelta({ type: 'text_delta', text: 'd' }),
      claudeDelta({ type: 'signature_delta', signature: 's' }, 1),
      claude({ type: 'message_stop' }),
    ]
    expectSameFrames(anthropic.join(''), newAnthropicDecoder)
  })

  it('is decoded like any other in streams with arbitrary changes', () => {
    const piece = constantFrom(
      text('a'),
      text('潮'),
      text('x', { obfuscation: 'ab' }),
      text('y', { obfuscation: '' }),
      ': ping\n\n',
      chunk({ content: 'z' }, {}, 'stop'),
      chunk({ reasoning: 'r' }),
      frame('[DONE]'),
      '\n',
      '\r\n\r\n',
      '"',
      '\\',
      claudeDelta({ type: 'text_delta', text: 'a' }),
      claudeDelta({ type: 'text_delta', text: 'b' }),
      claudeDelta({ type: 'thinking_delta', thinking: 'c' }),
    )
    const stream = array(oneof({ weight: 4, arbitrary: piece }, { weight: 1, arbitrary: string({ maxLength: 3 }) }))
    const cuts = array(tuple(integer({ min: 0, max: 2_000 }), integer({ min: 0, max: 255 })), { maxLength: 3 })
    const runs = property(stream, cuts, integer({ min: 1, max: 600 }), (pieces, changes, size) => {
      const bytes = encode(pieces.join(''))
      for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value
      expectSameFrames(bytes, newChatDecoder, [size])
      expectSameFrames(bytes, newAnthropicDecoder, [size])
    })
    assert(runs, { numRuns: Number(process.env.FUZZ_RUNS ?? 1_000) })
  })
})
