import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type CanonicalEvent, isContent, isEmptyResponse } from '../../canonical/index.ts'
import { createFrameReader } from '../../sse/read-frames.ts'
import { NO_TOKENS } from '@tidegate/contract'
import { openaiResponses } from '../index.ts'

const decoder = () => openaiResponses.createDecoder({ newId: () => 'new' })

function readRecording(name: string): CanonicalEvent[] {
  const reader = createFrameReader({ decode: (bytes) => new TextDecoder().decode(bytes) })
  const decode = decoder()
  const frames = reader.push(readFileSync(new URL(`../__fixtures__/${name}.sse`, import.meta.url)))
  return frames.flatMap(({ event }) => (event ? decode(event) : []))
}

const decodeAll = (...events: object[]) => {
  const decode = decoder()
  return events.flatMap((event) => decode({ data: JSON.stringify(event) }))
}

describe('createDecoder', () => {
  it('decodes text, usage and the end', () => {
    expect(readRecording('text')).toEqual([
      { type: 'response-start', id: 'resp_1', model: 'gpt-4.1', created: 1741290958 },
      { type: 'text-start', block: 0 },
      { type: 'text-delta', block: 0, text: 'Hel' },
      { type: 'text-delta', block: 0, text: 'lo 潮' },
      { type: 'text-end', block: 0 },
      { type: 'finish', reason: 'stop', raw: 'completed' },
      { type: 'usage', usage: { ...NO_TOKENS, input: 7, cacheRead: 30, output: 11 } },
      { type: 'done' },
    ])
  })

  it('decodes a reasoning summary with its signature, and parallel calls', () => {
    expect(readRecording('reasoning-then-parallel-calls').slice(1)).toEqual([
      { type: 'thinking-start', block: 0 },
      { type: 'thinking-delta', block: 0, text: '**Tides**' },
      { type: 'thinking-delta', block: 0, text: '\n\n' },
      { type: 'thinking-delta', block: 0, text: '**Moon**' },
      {
        type: 'thinking-end',
        block: 0,
        signature: { dialect: 'openai-responses', value: 'gAAAA-whole', id: 'rs_1' },
      },
      { type: 'tool-call-start', block: 1, id: 'call_1', name: 'tide' },
      { type: 'tool-call-start', block: 2, id: 'call_2', name: 'moon' },
      { type: 'tool-call-delta', block: 1, text: '{"at": ' },
      { type: 'tool-call-delta', block: 2, text: '{}' },
      { type: 'tool-call-delta', block: 1, text: '1.0}' },
      { type: 'tool-call-end', block: 1 },
      { type: 'tool-call-end', block: 2 },
      { type: 'finish', reason: 'tool-calls', raw: 'completed' },
      { type: 'usage', usage: { ...NO_TOKENS, input: 8, cacheWrite5m: 12, output: 26, reasoning: 64 } },
      { type: 'done' },
    ])
  })

  it('converts the input of a text tool to JSON, also from the last event only', () => {
    const events = readRecording('custom-tool-call')
    const written = events.map((event) => (event.type === 'tool-call-delta' ? event.text : '')).join('')

    expect(JSON.parse(written)).toEqual({ input: '*** Begin "Patch"\n+\ttide 潮\\\n' })
    expect(events.filter(({ type }) => type.startsWith('tool-call-')).map(({ type }) => type)).toEqual([
      'tool-call-start',
      'tool-call-delta',
      'tool-call-delta',
      'tool-call-delta',
      'tool-call-delta',
      'tool-call-delta',
      'tool-call-end',
    ])
    expect(events.find(({ type }) => type === 'finish')).toMatchObject({ reason: 'tool-calls' })
  })

  it('joins deltas of one character', () => {
    const at = { output_index: 0, item_id: 'ctc' }
    const [high, low] = '🌊'.split('').map((delta) => ({ type: 'response.custom_tool_call_input.delta', ...at, delta }))
    const item = { type: 'custom_tool_call', id: 'ctc', call_id: 'c', name: 'p', input: '🌊' }

    const events = decodeAll(
      { type: 'response.output_item.added', output_index: 0, item: { ...item, input: '' } },
      high!,
      low!,
      { type: 'response.output_item.done', output_index: 0, item },
    )

    const written = events.map((event) => (event.type === 'tool-call-delta' ? event.text : '')).join('')
    expect(JSON.parse(written)).toEqual({ input: '🌊' })
  })

  it('decodes a refusal', () => {
    expect(readRecording('refusal').slice(1)).toEqual([
      { type: 'refusal-delta', block: 0, text: 'I will' },
      { type: 'refusal-delta', block: 0, text: ' not.' },
      { type: 'finish', reason: 'stop', raw: 'completed' },
      { type: 'usage', usage: { ...NO_TOKENS, input: 3, output: 4 } },
      { type: 'done' },
    ])
  })

  it('decodes why a response is incomplete and closes open blocks', () => {
    expect(readRecording('cut-by-length').slice(1)).toEqual([
      { type: 'text-start', block: 0 },
      { type: 'text-delta', block: 0, text: 'Once upon' },
      { type: 'text-delta', block: 0, text: ' a' },
      { type: 'text-end', block: 0 },
      { type: 'finish', reason: 'length', raw: 'max_output_tokens' },
      { type: 'usage', usage: { ...NO_TOKENS, input: 3, output: 16 } },
      { type: 'done' },
    ])
    const filtered = readRecording('cut-by-filter')
    expect(filtered[1]).toEqual({ type: 'finish', reason: 'refusal', raw: 'content_filter' })
    expect(isEmptyResponse(filtered)).toBe(false)
  })

  it('finds every form of an error and emits no end after it', () => {
    expect(readRecording('failed-inside-a-stream').slice(1)).toEqual([
      { type: 'usage', usage: { ...NO_TOKENS, input: 9 } },
      {
        type: 'error',
        error: { code: 'rate_limit_exceeded', message: 'Rate limit reached. Please try again in 2s.' },
        status: 429,
      },
    ])
    expect(readRecording('error-event').slice(1)).toEqual([
      { type: 'error', error: { code: 'server_error', message: 'The server had an error', param: null }, status: 500 },
    ])
    expect(readRecording('nested-error-event')).toEqual([
      { type: 'response-start' },
      {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          code: 'context_length_exceeded',
          message: 'Too long',
          param: 'input',
        },
        status: 400,
      },
    ])
    expect(decoder()({ name: 'error', data: 'out of memory' }).at(-1)).toMatchObject({
      type: 'error',
      error: { message: 'out of memory' },
    })
    expect(decodeAll({ error: { message: 'busy', code: 'x' } }).at(-1)).toMatchObject({
      error: { message: 'busy', code: 'x' },
    })
  })

  it('emits native events for hosted tools and ignores unknown events', () => {
    expect(readRecording('hosted-tools-and-unknown-events').slice(1, -3)).toEqual([
      { type: 'native' },
      { type: 'native' },
      { type: 'native', search: { queries: ['tide'], results: [] } },
      { type: 'text-start', block: 0 },
      { type: 'text-delta', block: 0, text: 'High' },
      {
        type: 'citation',
        block: 0,
        citation: {
          url: 'https://tides.example',
          title: 't',
          span: { start: 0, end: 4, unit: 'characters' },
        },
      },
      { type: 'text-end', block: 0 },
    ])
    expect(decodeAll({ type: 'response.mcp_call_arguments.delta', delta: '{}' }).at(-1)).toEqual({
      type: 'native',
      text: '{}',
    })
  })

  it('decodes an image when it is complete', () => {
    expect(readRecording('image-generation').filter(({ type }) => type === 'image')).toEqual([
      { type: 'image', block: 0, mediaType: 'image/webp', data: 'AAAA' },
    ])
  })

  it('decodes content that only the last event has', () => {
    expect(readRecording('only-the-last-event')).toEqual([
      { type: 'response-start', id: 'resp_11', model: 'm', created: 9 },
      { type: 'thinking-start', block: 0 },
      { type: 'thinking-delta', block: 0, text: 'Let me see.' },
      { type: 'thinking-end', block: 0, signature: { dialect: 'openai-responses', value: '', id: 'rs_1' } },
      { type: 'text-start', block: 1 },
      { type: 'text-delta', block: 1, text: 'Low tide.' },
      { type: 'text-end', block: 1 },
      { type: 'tool-call-start', block: 2, id: 'call_1', name: 'tide' },
      { type: 'tool-call-delta', block: 2, text: '{"at":2}' },
      { type: 'tool-call-end', block: 2 },
      { type: 'finish', reason: 'tool-calls', raw: 'completed' },
      { type: 'usage', usage: { ...NO_TOKENS, input: 4, output: 9 } },
      { type: 'done' },
    ])
  })

  it('decodes content that deltas left out', () => {
    expect(readRecording('done-events-without-deltas').slice(1, -3)).toEqual([
      { type: 'thinking-start', block: 0 },
      { type: 'thinking-delta', block: 0, text: 'A thought' },
      { type: 'text-start', block: 1 },
      { type: 'text-delta', block: 1, text: 'Low' },
      { type: 'text-delta', block: 1, text: ' tide' },
      { type: 'tool-call-start', block: 2, id: 'call_1', name: 'tide' },
      { type: 'tool-call-delta', block: 2, text: '{"at":2}' },
      { type: 'tool-call-start', block: 3, id: 'call_2', name: 'moon' },
      { type: 'tool-call-delta', block: 3, text: '{}' },
      { type: 'tool-call-end', block: 3 },
      { type: 'thinking-end', block: 0, signature: { dialect: 'openai-responses', value: '', id: 'rs_1' } },
      { type: 'text-end', block: 1 },
      { type: 'tool-call-end', block: 2 },
    ])
  })

  it('accepts no other end marker', () => {
    expect(readRecording('end-mark-missing').map(({ type }) => type)).toEqual([
      'response-start',
      'text-start',
      'text-delta',
    ])
  })

  it('marks reasoning without a signature as its own', () => {
    expect(readRecording('plain-reasoning').slice(1, 5)).toEqual([
      { type: 'thinking-start', block: 0 },
      { type: 'thinking-delta', block: 0, text: 'We need' },
      { type: 'thinking-delta', block: 0, text: ' tides.' },
      { type: 'thinking-end', block: 0, signature: { dialect: 'openai-responses', value: '', id: 'rs_1' } },
    ])
    expect(readRecording('plain-reasoning').filter(({ type }) => type === 'text-delta')).toHaveLength(1)
  })

  it('keeps the signature of reasoning without text and drops reasoning with neither', () => {
    const events = readRecording('silent-reasoning')

    expect(events.slice(1, 3)).toEqual([
      { type: 'thinking-start', block: 0 },
      { type: 'thinking-end', block: 0, signature: { dialect: 'openai-responses', value: 'gAAAA-2', id: 'rs_2' } },
    ])
    expect(events.slice(0, 3).some(isContent)).toBe(false)
    expect(events.filter(({ type }) => type === 'text-end')).toHaveLength(1)
  })

  it('separates items by id if the provider sends wrong indexes', () => {
    const message = (id: string, text: string) => ({ type: 'message', id, content: [{ type: 'output_text', text }] })
    const item = (id: string) => ({
      type: 'response.output_item.added',
      output_index: 0,
      item: { type: 'message', id },
    })
    const delta = (item_id: string, text: string) => ({
      type: 'response.output_text.delta',
      output_index: 0,
      item_id,
      delta: text,
    })
    const done = (id: string, text: string) => ({
      type: 'response.output_item.done',
      output_index: 0,
      item: message(id, text),
    })

    const events = decodeAll(
      item('a'),
      delta('a', 'one'),
      done('a', 'one'),
      item('b'),
      delta('b', 'two'),
      done('b', 'two'),
      {
        type: 'response.completed',
        response: { status: 'completed', output: [message('a', 'one'), message('b', 'two')] },
      },
    )

    expect(events.filter(({ type }) => type === 'text-delta')).toEqual([
      { type: 'text-delta', block: 0, text: 'one' },
      { type: 'text-delta', block: 1, text: 'two' },
    ])
  })

  it('emits the end once', () => {
    const last = { type: 'response.completed', response: { status: 'completed', output: [] } }

    expect(decodeAll(last, last).filter(({ type }) => type === 'done')).toHaveLength(1)
  })
})
