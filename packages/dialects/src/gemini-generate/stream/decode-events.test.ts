import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type CanonicalEvent, isEmptyResponse } from '../../canonical/index.ts'
import { createFrameReader } from '../../sse/read-frames.ts'
import { NO_TOKENS } from '@tidegate/contract'
import { createDecoder } from './decode-events.ts'

function readRecording(name: string): CanonicalEvent[] {
  const reader = createFrameReader({ decode: (bytes) => new TextDecoder().decode(bytes) })
  let ids = 0
  const decode = createDecoder({ newId: () => `new${(ids += 1)}` })
  const frames = reader.push(readFileSync(new URL(`../__fixtures__/${name}.sse`, import.meta.url)))
  return frames.flatMap(({ event }) => (event ? decode(event) : []))
}

const usageOf = (events: readonly CanonicalEvent[]) => events.findLast((event) => event.type === 'usage')?.usage
const without = (events: readonly CanonicalEvent[], ...types: string[]) =>
  events.filter(({ type }) => !types.includes(type))
const geminiSignature = (value: string, id?: string) => ({ dialect: 'gemini-generate', value, ...(id && { id }) })

describe('createDecoder', () => {
  it('emits one text block with start, end and the last usage', () => {
    const events = readRecording('text-with-running-counts')

    expect(without(events, 'usage')).toEqual([
      { type: 'response-start', id: 'r1', model: 'gemini-2.5-flash' },
      { type: 'text-start', block: 0 },
      { type: 'text-delta', block: 0, text: 'Hello' },
      { type: 'text-delta', block: 0, text: ' 潮' },
      { type: 'text-end', block: 0 },
      { type: 'finish', reason: 'stop', raw: 'STOP' },
    ])
    expect(events.filter(({ type }) => type === 'usage')).toHaveLength(3)
    expect(usageOf(events)).toEqual({ ...NO_TOKENS, input: 9, output: 4 })
  })

  it('reads the creation time of Vertex and ignores its metadata without counts', () => {
    const events = readRecording('vertex-without-running-counts')

    expect(events[0]).toEqual({ type: 'response-start', id: 'v1', model: 'gemini-2.5-pro', created: 1_760_000_000 })
    expect(events.filter(({ type }) => type === 'usage')).toEqual([
      { type: 'usage', usage: { ...NO_TOKENS, input: 7, output: 2 } },
    ])
  })

  it('reads usage that arrives only at the end', () => {
    expect(usageOf(readRecording('counts-in-the-last-chunk-only'))).toEqual({ ...NO_TOKENS, input: 5, output: 1 })
  })

  it('separates thoughts from text and keeps a separate signature as an empty thought', () => {
    const events = readRecording('thoughts-then-text-with-a-signature-alone')

    expect(without(events, 'usage', 'response-start')).toEqual([
      { type: 'thinking-start', block: 0 },
      { type: 'thinking-delta', block: 0, text: '**Plan**\n' },
      { type: 'thinking-delta', block: 0, text: 'Look it up.' },
      { type: 'thinking-end', block: 0, signature: geminiSignature('') },
      { type: 'text-start', block: 1 },
      { type: 'text-delta', block: 1, text: 'High tide' },
      { type: 'text-delta', block: 1, text: ' at six.' },
      { type: 'text-end', block: 1 },
      { type: 'thinking-start', block: 2 },
      { type: 'thinking-end', block: 2, signature: geminiSignature('U0lHTg==') },
      { type: 'finish', reason: 'stop', raw: 'STOP' },
    ])
    expect(usageOf(events)).toEqual({ ...NO_TOKENS, input: 12, output: 6, reasoning: 41 })
  })

  it('marks a signature of the text before it', () => {
    expect(readRecording('signature-on-the-last-text')).toContainEqual({
      type: 'thinking-end',
      block: 1,
      signature: geminiSignature('U0lHTg==', 'previous'),
    })
  })

  it('gives a thought the signature that came with it', () => {
    expect(readRecording('signature-on-a-thought')).toContainEqual({
      type: 'thinking-end',
      block: 0,
      signature: geminiSignature('VEhJTks='),
    })
  })

  it('gives every call its block, its signature, and an id if Google sent none', () => {
    const events = readRecording('parallel-calls-first-one-signed')

    expect(events.filter(({ type }) => type.startsWith('tool-call'))).toEqual([
      { type: 'tool-call-start', block: 1, id: 'call_new1', name: 'tide', signature: geminiSignature('Q0FMTA==') },
      { type: 'tool-call-delta', block: 1, text: '{"at": "Brest"}' },
      { type: 'tool-call-end', block: 1 },
      { type: 'tool-call-start', block: 2, id: 'call_new2', name: 'tide' },
      { type: 'tool-call-delta', block: 2, text: '{"at": "Ōsaka"}' },
      { type: 'tool-call-end', block: 2 },
      { type: 'tool-call-start', block: 3, id: 'fc-3', name: 'now' },
      { type: 'tool-call-delta', block: 3, text: '{}' },
      { type: 'tool-call-end', block: 3 },
    ])
    expect(events).toContainEqual({ type: 'finish', reason: 'tool-calls', raw: 'STOP' })
  })

  it('decodes a call without arguments as an empty object', () => {
    const decode = createDecoder({ newId: () => 'x' })
    const events = decode({
      data: '{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":null}}]}}]}',
    })

    expect(events).toContainEqual({ type: 'tool-call-delta', block: 0, text: '{}' })
  })

  it('keeps arguments unchanged, including numbers that a double cannot hold', () => {
    const deltas = readRecording('long-numbers-in-arguments').filter(({ type }) => type === 'tool-call-delta')

    expect(deltas).toEqual([
      { type: 'tool-call-delta', block: 0, text: '{"id": 9223372036854775807, "price": 1.0, "odd": "}]\\"{"}' },
      { type: 'tool-call-delta', block: 1, text: '{}' },
    ])
  })

  const endings: [string, object][] = [
    ['length-stop-before-the-first-word', { reason: 'length', raw: 'MAX_TOKENS' }],
    ['safety-stop-in-the-middle', { reason: 'refusal', raw: 'SAFETY' }],
    ['blocked-prompt', { reason: 'refusal', raw: 'PROHIBITED_CONTENT' }],
    ['malformed-call', { reason: 'other', raw: 'MALFORMED_FUNCTION_CALL' }],
  ]
  it.each(endings)('decodes the finish reason %s', (name, finish) => {
    const events = readRecording(name)

    expect(events[0]).toMatchObject({ type: 'response-start' })
    expect(events.filter(({ type }) => type === 'finish')).toEqual([{ type: 'finish', ...finish }])
  })

  it('treats a finish reason without content as a response, which the provider bills', () => {
    expect(isEmptyResponse(readRecording('malformed-call'))).toBe(false)
    expect(isEmptyResponse(readRecording('blocked-prompt'))).toBe(false)
  })

  it('finds an error inside a stream with its status', () => {
    expect(readRecording('error-inside-a-stream').at(-1)).toEqual({
      type: 'error',
      status: 503,
      error: {
        code: 503,
        message: 'The model is overloaded. Please try again later.',
        status: 'UNAVAILABLE',
        details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '3s' }],
      },
    })
  })

  it('counts an image without usage and keeps its signature', () => {
    const events = readRecording('picture-without-counts')

    expect(events).toContainEqual({ type: 'image', block: 1, mediaType: 'image/png', data: 'iVBORw0KGgo=' })
    expect(events).toContainEqual({ type: 'thinking-end', block: 2, signature: geminiSignature('SU1H', 'previous') })
    expect(usageOf(events)).toEqual({ ...NO_TOKENS, input: 6, output: 258 })
  })

  it('emits a native event for audio and counts it separately', () => {
    const events = readRecording('speech')

    expect(events[1]).toMatchObject({ type: 'native' })
    expect(usageOf(events)).toEqual({ ...NO_TOKENS, input: 6, audioOutput: 25 })
  })

  it('shows executed code and its output as code blocks and counts the output as input', () => {
    const events = readRecording('code-that-was-run')
    const text = events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('')

    expect(text).toBe('\n```python\nprint(6*7)\n```\n\n```output\n42\n```\nIt is 42.')
    expect(usageOf(events)).toEqual({ ...NO_TOKENS, input: 50, output: 15, terms: { inputLength: 20 } })
  })

  it('ignores comments, unknown fields and invalid JSON', () => {
    expect(without(readRecording('unknown-parts-fields-and-comments'), 'response-start', 'usage')).toEqual([
      { type: 'text-start', block: 0 },
      { type: 'text-delta', block: 0, text: 'Found' },
      {
        type: 'native',
        part: {
          type: 'native',
          dialect: 'gemini-generate',
          value: { toolCall: { id: 's1', toolType: 'GOOGLE_SEARCH_WEB', args: { queries: ['tide'] } } },
        },
      },
      { type: 'text-end', block: 0 },
      { type: 'finish', reason: 'stop', raw: 'STOP' },
    ])
  })

  it('accepts repeated finish reasons and an end marker from compatible providers', () => {
    const events = readRecording('stop-in-every-chunk')

    expect(events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []))).toEqual(['One', ' two'])
    expect(events.filter(({ type }) => type === 'finish')).toEqual([
      { type: 'finish', reason: 'stop', raw: 'STOP' },
      { type: 'finish', reason: 'tool-calls', raw: 'STOP' },
    ])
    expect(events.at(-1)).toEqual({ type: 'done' })
  })

  it('takes the first candidate as the response and counts the others', () => {
    const events = readRecording('second-candidate')

    expect(events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []))).toEqual(['Main'])
    expect(events).toContainEqual({ type: 'native', text: 'Other' })
  })

  it('emits a native event for arguments in pieces', () => {
    const events = readRecording('arguments-in-pieces')

    expect(events.filter(({ type }) => type === 'native')).toHaveLength(3)
    expect(events).toContainEqual({ type: 'finish', reason: 'tool-calls', raw: 'STOP' })
  })

  it('ends every block before the finish event in all recorded streams', () => {
    for (const name of ['text-with-running-counts', 'picture-without-counts', 'parallel-calls-first-one-signed']) {
      const events = readRecording(name)
      const end = events.findIndex(({ type }) => type === 'finish')
      const starts = events.filter(({ type }) => type.endsWith('-start') && type !== 'response-start')
      const ends = events.slice(0, end).filter(({ type }) => type.endsWith('-end'))

      expect(ends.length).toBe(starts.length)
    }
  })
})
