import { readFileSync } from 'node:fs'
import { NO_TOKENS } from '@tidegate/contract'
import { describe, expect, it } from 'vitest'
import type { CanonicalEvent, ResponseContext } from '../../canonical/index.ts'
import { createDecoder } from './decode-events.ts'
import { createEncoder } from './encode-events.ts'
import { closeStream, errorFrame } from './frames.ts'

const context: ResponseContext = {
  requestId: 'r1',
  model: 'm',
  createdAt: 1,
  includeUsage: true,
  request: { model: 'm', stream: true, messages: [], tools: [], reasoning: { visible: true } },
}
const hiding = { ...context, request: { ...context.request, reasoning: { visible: false } } }
const signature = { dialect: 'gemini-interactions', value: 'c2lnbmF0dXJl' } as const

function decode(...events: (object | string)[]): CanonicalEvent[] {
  const decoder = createDecoder({ newId: () => 'new' })
  return events.flatMap((event) => [...decoder({ data: typeof event === 'string' ? event : JSON.stringify(event) })])
}

function encode(events: readonly CanonicalEvent[], of = context): string {
  const encoder = createEncoder(of)
  return events.map((event) => encoder.encode(event)).join('') + encoder.end(NO_TOKENS)
}

// oxlint-disable-next-line typescript/no-explicit-any -- events of any type
const framesOf = (stream: string): any[] =>
  [...stream.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data!) as unknown)

const FIXTURE = readFileSync(new URL('../__fixtures__/tool-turn.sse', import.meta.url), 'utf8')
const start = (step: object, index = 0) => ({ event_type: 'step.start', index, step })
const delta = (changes: object, index = 0) => ({ event_type: 'step.delta', index, delta: changes })
const stop = (index = 0) => ({ event_type: 'step.stop', index })
const completed = (fields: object = {}) => ({
  event_type: 'interaction.completed',
  interaction: { status: 'completed', ...fields },
})

describe('decoding', () => {
  it('reads a turn with a signed thought and a call', () => {
    const events = decode(...[...FIXTURE.matchAll(/^data: (.*)$/gm)].map(([, data]) => data!))

    expect(events).toEqual([
      { type: 'response-start', id: 'v1_abc', model: 'gemini-3-pro', created: 1_794_852_000 },
      { type: 'thinking-start', block: 0 },
      { type: 'thinking-delta', block: 0, text: 'Need the weather.' },
      { type: 'thinking-end', block: 0, signature },
      { type: 'tool-call-start', block: 1, id: 'call_1', name: 'get_weather' },
      { type: 'tool-call-delta', block: 1, text: '{"city":' },
      { type: 'tool-call-delta', block: 1, text: '"Kiel"}' },
      { type: 'tool-call-end', block: 1 },
      { type: 'usage', usage: expect.objectContaining({ input: 100, output: 12, reasoning: 40 }) },
      { type: 'finish', reason: 'tool-calls', raw: 'requires_action' },
      { type: 'done' },
      { type: 'done' },
    ])
  })

  it('reads arguments of the step if they have no deltas, exactly as they were sent', () => {
    const data =
      '{"event_type":"step.start","index":0,"step":{"type":"function_call","id":"c","name":"f","arguments":{"n": 1.0}}}'

    expect(decode(data, stop())).toContainEqual({ type: 'tool-call-delta', block: 0, text: '{"n": 1.0}' })
  })

  it('ends blocks that the provider left open', () => {
    const events = decode(start({ type: 'model_output' }), delta({ type: 'text', text: 'Hi' }), completed())

    expect(events.map(({ type }) => type)).toEqual(['text-start', 'text-delta', 'text-end', 'finish', 'done'])
  })

  it('keeps parallel calls apart', () => {
    const events = decode(
      start({ type: 'function_call', id: 'a', name: 'f' }, 0),
      start({ type: 'function_call', id: 'b', name: 'g' }, 1),
      delta({ type: 'arguments_delta', arguments: '{"b":1}' }, 1),
      delta({ type: 'arguments_delta', arguments: '{"a":1}' }, 0),
      stop(1),
      stop(0),
    )

    expect(events.filter(({ type }) => type === 'tool-call-delta')).toEqual([
      { type: 'tool-call-delta', block: 1, text: '{"b":1}' },
      { type: 'tool-call-delta', block: 0, text: '{"a":1}' },
    ])
  })

  it.each([
    ['an error event', { event_type: 'error', error: { code: '503', message: 'Busy.' } }, 503],
    ['an error of the API', { error: { code: 500, message: 'Busy.' } }, 500],
    ['a failed interaction', completed({ status: 'failed', errors: [{ message: 'Busy.' }] }), undefined],
  ])('reads %s', (_, event, status) => {
    expect(decode(event).at(-1)).toMatchObject({
      type: 'error',
      error: { message: 'Busy.' },
      ...(status && { status }),
    })
  })

  it.each(['', 'no JSON', '[]', '{"event_type":"x.future"}', '{"event_type":"step.delta","index":9}'])(
    'ignores %j',
    (data) => {
      expect(decode(data)).toEqual([])
    },
  )
})

describe('encoding', () => {
  const CALL: CanonicalEvent[] = [
    { type: 'tool-call-start', block: 0, id: 'c1', name: 'f' },
    { type: 'tool-call-delta', block: 0, text: '{"a"' },
  ]

  it('numbers its events, and ends with the usage and the mark', () => {
    const stream = encode([
      { type: 'text-start', block: 0 },
      { type: 'text-delta', block: 0, text: 'Hi' },
    ])

    const frames = framesOf(stream)
    expect(frames.map(({ event_id: id }) => id)).toEqual(frames.map((_, index) => `e${index}`))
    expect(frames.map(({ event_type: type }) => type)).toEqual([
      'interaction.created',
      'step.start',
      'step.delta',
      'step.stop',
      'interaction.completed',
    ])
    expect(frames[0].interaction).toMatchObject({ id: 'v1_r1', status: 'in_progress' })
    expect(frames.at(-1).interaction).toMatchObject({ status: 'completed', usage: { total_tokens: 0 } })
    expect(stream.endsWith('event: done\ndata: [DONE]\n\n')).toBe(true)
  })

  it('ends also without any content', () => {
    expect(framesOf(encode([])).map(({ event_type: type }) => type)).toEqual([
      'interaction.created',
      'interaction.completed',
    ])
  })

  it('is incomplete if a call was cut', () => {
    expect(framesOf(encode(CALL)).at(-1).interaction.status).toBe('incomplete')
    const whole = [...CALL, { type: 'tool-call-delta', block: 0, text: ':1}' } as const]
    const finished = [...whole, { type: 'finish', reason: 'tool-calls' } as const]
    expect(framesOf(encode(finished)).at(-1).interaction.status).toBe('requires_action')
  })

  it('shows thoughts on request only, and always sends their signature', () => {
    const thought: CanonicalEvent[] = [
      { type: 'thinking-start', block: 0 },
      { type: 'thinking-delta', block: 0, text: 'Hm.' },
      { type: 'thinking-end', block: 0, signature },
    ]
    const deltasOf = (of: ResponseContext) =>
      framesOf(encode(thought, of)).flatMap(({ delta: changes }) => changes ?? [])

    const signed = { type: 'thought_signature', signature: signature.value }
    expect(deltasOf(context)).toEqual([{ type: 'thought_summary', content: { type: 'text', text: 'Hm.' } }, signed])
    expect(deltasOf(hiding)).toEqual([signed])
  })

  it('reads what it wrote', () => {
    const events: CanonicalEvent[] = [
      { type: 'thinking-start', block: 0 },
      { type: 'thinking-delta', block: 0, text: 'Hm.' },
      { type: 'thinking-end', block: 0, signature },
      { type: 'text-start', block: 1 },
      { type: 'text-delta', block: 1, text: 'Hi 潮' },
      { type: 'text-end', block: 1 },
      { type: 'image', block: 2, mediaType: 'image/png', data: 'AAAA' },
      { type: 'tool-call-start', block: 3, id: 'c1', name: 'f' },
      { type: 'tool-call-delta', block: 3, text: '{"n": 1.0}' },
      { type: 'tool-call-end', block: 3 },
      { type: 'finish', reason: 'tool-calls', raw: 'requires_action' },
    ]

    const read = decode(...framesOf(encode(events)))

    const others = new Set(['response-start', 'usage', 'done'])
    expect(read.filter(({ type }) => !others.has(type))).toEqual(events)
  })
})

describe('the end of a stream', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const end = { wantsUsage: true, sentUsage: true, usage: NO_TOKENS, start: undefined }

  it('is the last event of the provider and the mark', () => {
    expect(closeStream({ ...end, terminal: bytes('data: {}\n\n') })).toBe('data: {}\n\nevent: done\ndata: [DONE]\n\n')
    expect(closeStream({ ...end, terminal: bytes('data: {}\r\n\r') })).toMatch(/^data: \{\}\r\n\r\nevent: done/)
    expect(closeStream({ ...end, terminal: undefined })).toBe('event: done\ndata: [DONE]\n\n')
  })

  it('is an error event with a code', () => {
    const event = (code: string | undefined) => framesOf(errorFrame({ message: 'No.', ...(code && { code }) }, 503))[0]

    expect(event('overloaded')).toEqual({ event_type: 'error', error: { code: 'overloaded', message: 'No.' } })
    expect(event(undefined).error.code).toBe('503')
  })
})
