import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type CanonicalEvent, isContent, isEmptyResponse } from '../../canonical/index.ts'
import { createFrameReader } from '../../sse/read-frames.ts'
import { NO_TOKENS } from '@tidegate/contract'
import { createDecoder } from './decode-events.ts'

function newDecoder() {
  let made = 0
  return createDecoder({ newId: () => `new${made++}` })
}

function readRecording(name: string): CanonicalEvent[] {
  const reader = createFrameReader({ decode: (bytes) => new TextDecoder().decode(bytes) })
  const decode = newDecoder()
  const frames = reader.push(readFileSync(new URL(`../__fixtures__/${name}.sse`, import.meta.url)))
  return frames.flatMap(({ event }) => (event ? decode(event) : []))
}

const decodeOne = (data: string, name?: string) => newDecoder()({ name, data })
const start = { type: 'response-start', id: 'chatcmpl-1', model: 'm', created: 1760000000 }
const unsigned = { dialect: 'openai-chat', value: '' }

describe('createDecoder', () => {
  it('decodes the start, text, finish reason, usage and end', () => {
    expect(readRecording('content-then-usage')).toEqual([
      { type: 'response-start', id: 'c1', model: 'm', created: 1 },
      { type: 'text-start', block: 0 },
      { type: 'text-delta', block: 0, text: 'Hel' },
      { type: 'text-delta', block: 0, text: 'lo 潮' },
      { type: 'text-end', block: 0 },
      { type: 'finish', reason: 'stop', raw: 'stop' },
      { type: 'usage', usage: { ...NO_TOKENS, input: 9, output: 3 } },
      { type: 'done' },
    ])
  })

  it('ends reasoning when the call starts, keeps its text, and reads usage of the last chunk', () => {
    expect(readRecording('reasoning-and-tools')).toEqual([
      { type: 'response-start', id: 'c2' },
      { type: 'thinking-start', block: 0 },
      { type: 'thinking-delta', block: 0, text: 'Let me' },
      { type: 'thinking-delta', block: 0, text: ' think' },
      { type: 'thinking-end', block: 0, signature: { dialect: 'openai-chat', value: 'reasoning' } },
      { type: 'tool-call-start', block: 1, id: 't1', name: 'tide' },
      { type: 'tool-call-delta', block: 1, text: '{"at":' },
      { type: 'tool-call-delta', block: 1, text: '1}' },
      { type: 'tool-call-end', block: 1 },
      { type: 'finish', reason: 'tool-calls', raw: 'tool_calls' },
      { type: 'usage', usage: { ...NO_TOKENS, input: 20, output: 8, reasoning: 4 } },
      { type: 'done' },
    ])
  })

  it('separates interleaved calls and keeps their arguments unchanged', () => {
    expect(readRecording('parallel-tool-calls-interleaved')).toEqual([
      start,
      { type: 'tool-call-start', block: 0, id: 'call_a', name: 'tide' },
      { type: 'tool-call-start', block: 1, id: 'call_b', name: 'wind' },
      { type: 'tool-call-delta', block: 0, text: '{"port":' },
      { type: 'tool-call-delta', block: 1, text: '{"n": 1152921504606846976, ' },
      { type: 'tool-call-delta', block: 0, text: '"Brest"}' },
      { type: 'tool-call-delta', block: 1, text: '"x":1.0}' },
      { type: 'tool-call-end', block: 0 },
      { type: 'tool-call-end', block: 1 },
      { type: 'finish', reason: 'tool-calls', raw: 'tool_calls' },
      { type: 'done' },
    ])
  })

  it('separates calls with the same index and ends with tool calls', () => {
    expect(readRecording('tool-calls-all-numbered-zero')).toEqual([
      start,
      { type: 'tool-call-start', block: 0, id: 'one', name: 'tide' },
      { type: 'tool-call-delta', block: 0, text: '{"at":1}' },
      { type: 'tool-call-end', block: 0 },
      { type: 'tool-call-start', block: 1, id: 'two', name: 'tide' },
      { type: 'tool-call-delta', block: 1, text: '{"at":2}' },
      { type: 'tool-call-end', block: 1 },
      { type: 'finish', reason: 'tool-calls', raw: 'stop' },
      { type: 'done' },
    ])
  })

  it('creates missing call ids and serializes arguments that are an object', () => {
    expect(readRecording('tool-calls-without-number-or-id').slice(1, 5)).toEqual([
      { type: 'tool-call-start', block: 0, id: 'call_new0', name: 'tide' },
      { type: 'tool-call-delta', block: 0, text: '{"at":1}' },
      { type: 'tool-call-start', block: 1, id: 'call_new1', name: 'wind' },
      { type: 'tool-call-delta', block: 1, text: '{}' },
    ])
  })

  it('buffers arguments until the name of their call is known', () => {
    const decode = newDecoder()
    const piece = (call: object) =>
      decode({ data: JSON.stringify({ id: 'c', choices: [{ delta: { tool_calls: [call] } }] }) })

    expect(piece({ index: 0, id: 'a', function: { arguments: '{"a"' } })).toEqual([{ type: 'response-start', id: 'c' }])
    expect(piece({ index: 0, function: { name: 'f', arguments: ':1}' } })).toEqual([
      { type: 'tool-call-start', block: 0, id: 'a', name: 'f' },
      { type: 'tool-call-delta', block: 0, text: '{"a"' },
      { type: 'tool-call-delta', block: 0, text: ':1}' },
    ])
  })

  it('decodes the input of a text tool as a JSON object', () => {
    const deltas = readRecording('custom-tool-call').filter((event) => event.type === 'tool-call-delta')

    expect(JSON.parse(deltas.map(({ text }) => text).join(''))).toEqual({ input: '*** Begin "Patch"\n+潮\\' })
  })

  it('decodes legacy function calls', () => {
    expect(readRecording('legacy-function-call').slice(1)).toEqual([
      { type: 'tool-call-start', block: 0, id: 'call_new0', name: 'tide' },
      { type: 'tool-call-delta', block: 0, text: '{"at"' },
      { type: 'tool-call-delta', block: 0, text: ':1}' },
      { type: 'tool-call-end', block: 0 },
      { type: 'finish', reason: 'tool-calls', raw: 'function_call' },
      { type: 'done' },
    ])
  })

  it('keeps the signature of a call', () => {
    expect(readRecording('signed-tool-call')[1]).toEqual({
      type: 'tool-call-start',
      block: 0,
      id: 'call_g',
      name: 'tide',
      signature: { dialect: 'openai-chat', value: 'CpQB+g==' },
    })
  })

  it('joins the pieces of reasoning details and assigns them to the right thought', () => {
    const text = {
      type: 'reasoning.text',
      text: 'Low water.',
      format: 'anthropic-claude-v1',
      index: 0,
      signature: 'sig==',
    }
    const encrypted = {
      type: 'reasoning.encrypted',
      data: 'b64==',
      id: 'rs_1',
      format: 'openai-responses-v1',
      index: 1,
    }

    const events = readRecording('reasoning-details')

    const [first, second] = events.filter((event) => event.type === 'thinking-end')
    expect(JSON.parse(first!.signature!.value)).toEqual([text])
    expect(JSON.parse(second!.signature!.value)).toEqual([encrypted])
    expect([first!.redacted, second!.redacted]).toEqual([undefined, true])
    expect(events.map(({ type }) => type)).toEqual([
      'response-start',
      'thinking-start',
      'thinking-delta',
      'thinking-delta',
      'thinking-end',
      'text-start',
      'text-delta',
      'text-end',
      'thinking-start',
      'thinking-end',
      'finish',
      'done',
    ])
  })

  it('decodes content that is a list of parts with thinking', () => {
    expect(readRecording('content-as-parts').slice(1, -2)).toEqual([
      { type: 'thinking-start', block: 0 },
      { type: 'thinking-delta', block: 0, text: 'Hm, ' },
      { type: 'thinking-delta', block: 0, text: 'tides.' },
      { type: 'thinking-end', block: 0, signature: unsigned },
      { type: 'text-start', block: 1 },
      { type: 'text-delta', block: 1, text: 'Six' },
      { type: 'text-delta', block: 1, text: " o'clock" },
      { type: 'text-end', block: 1 },
    ])
  })

  it('does not split text if a provider sends empty lists of calls', () => {
    const decode = newDecoder()
    const piece = () => decode({ data: '{"id":"c","choices":[{"delta":{"content":"a","tool_calls":[]}}]}' })
    piece()

    expect(piece()).toEqual([{ type: 'text-delta', block: 0, text: 'a' }])
  })

  it('decodes images, and shows images by URL as text', () => {
    expect(readRecording('images').slice(1, -2)).toEqual([
      { type: 'text-start', block: 0 },
      { type: 'text-delta', block: 0, text: 'Here:' },
      { type: 'text-end', block: 0 },
      { type: 'image', block: 1, mediaType: 'image/png', data: 'iVBORw0=' },
      { type: 'text-start', block: 2 },
      { type: 'text-delta', block: 2, text: '![image](https://pictures.example/wave.png)' },
      { type: 'text-end', block: 2 },
    ])
  })

  it('emits a native event for audio and counts its transcript', () => {
    const audio = readRecording('audio').filter((event) => event.type === 'native')

    expect(audio.map(({ text }) => text).join('')).toBe('Hello')
    expect(audio.every(isContent)).toBe(true)
  })

  it('decodes a refusal', () => {
    expect(readRecording('refusal').slice(1)).toEqual([
      { type: 'refusal-delta', block: 0, text: "I can't " },
      { type: 'refusal-delta', block: 0, text: 'do that.' },
      { type: 'finish', reason: 'stop', raw: 'stop' },
      { type: 'done' },
    ])
  })

  it('decodes the token limit and unknown finish reasons', () => {
    expect(readRecording('length-stop')).toContainEqual({ type: 'finish', reason: 'length', raw: 'length' })
    expect(readRecording('unknown-fields-and-events')).toContainEqual({
      type: 'finish',
      reason: 'other',
      raw: 'insufficient_system_resource',
    })
  })

  it('finishes with the last of several choices, each a block', () => {
    expect(readRecording('two-choices').slice(1)).toEqual([
      { type: 'text-start', block: 0 },
      { type: 'text-delta', block: 0, text: 'A' },
      { type: 'text-start', block: 1 },
      { type: 'text-delta', block: 1, text: 'B' },
      { type: 'text-delta', block: 0, text: 'a' },
      { type: 'text-end', block: 0 },
      { type: 'text-delta', block: 1, text: 'b' },
      { type: 'text-end', block: 1 },
      { type: 'finish', reason: 'length', raw: 'length' },
      { type: 'usage', usage: { ...NO_TOKENS, input: 5, output: 4 } },
      { type: 'done' },
    ])
  })

  it('finishes once if a provider repeats the reason with usage', () => {
    const types = readRecording('finish-repeated-with-counts').map(({ type }) => type)

    expect(types.filter((type) => type === 'finish')).toHaveLength(1)
    expect(types.slice(-2)).toEqual(['usage', 'done'])
  })

  it('reads usage from any position and needs no end marker', () => {
    expect(readRecording('end-mark-missing').at(-1)).toEqual({
      type: 'usage',
      usage: { ...NO_TOKENS, input: 5, output: 1 },
    })
    expect(readRecording('counts-inside-the-choice').at(-2)).toEqual({
      type: 'usage',
      usage: { ...NO_TOKENS, input: 9, cacheRead: 10, output: 1 },
    })
  })

  it('takes id and model from the first chunk that has them', () => {
    expect(readRecording('filter-results-first').slice(0, 2)).toEqual([
      { ...start, id: 'chatcmpl-az' },
      { type: 'text-start', block: 0 },
    ])
  })

  it('ignores unknown events and fields', () => {
    expect(readRecording('unknown-fields-and-events').map(({ type }) => type)).toEqual([
      'response-start',
      'text-start',
      'text-delta',
      'citation',
      'text-end',
      'finish',
      'done',
    ])
  })

  it('ends open blocks if the provider stops without a reason', () => {
    const decode = newDecoder()
    decode({ data: '{"id":"c","choices":[{"delta":{"content":"Hi"}}]}' })

    expect(decode({ data: '[DONE]' })).toEqual([{ type: 'text-end', block: 0 }, { type: 'done' }])
  })

  it('finds an error inside a stream with all fields and its status', () => {
    expect(readRecording('error-inside-a-stream').at(-1)).toEqual({
      type: 'error',
      status: 503,
      error: { message: 'The server had an error', type: 'server_error', param: null, code: 'overloaded', trace: 'x9' },
    })
  })

  it('recognises an error by the event name', () => {
    const messageOf = (data: string, name?: string) =>
      decodeOne(data, name).map((event) => (event.type === 'error' ? event.error.message : undefined))

    expect(messageOf('out of memory', 'error')).toEqual(['out of memory'])
    expect(messageOf('{"message":"busy"}', 'error')).toEqual(['busy'])
    expect(messageOf('{"error":"plain words"}')).toEqual(['plain words'])
  })

  it('emits no content for events that a client would not see', () => {
    const quiet = [
      '{"choices":[{"delta":{"role":"assistant"}}]}',
      '{"choices":[]}',
      '{"object":"x"}',
      'not json',
      '{"error":null,"choices":[{"delta":{"content":"","reasoning_content":"","refusal":null,"audio":null}}]}',
    ]
    const visible = [
      '{"choices":[{"delta":{"refusal":"no"}}]}',
      '{"choices":[{"delta":{"audio":{"data":"aa"}}}]}',
      '{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f"}}]}}]}',
    ]

    expect(quiet.map((data) => decodeOne(data).some(isContent))).toEqual(quiet.map(() => false))
    expect(visible.map((data) => decodeOne(data).some(isContent))).toEqual(visible.map(() => true))
    expect(isEmptyResponse(decodeOne('{"choices":[{"delta":{},"finish_reason":"length"}]}'))).toBe(false)
    expect(isEmptyResponse(decodeOne('{"choices":[{"delta":{},"finish_reason":"stop"}]}'))).toBe(false)
    expect(isEmptyResponse(decodeOne('{"choices":[{"delta":{}}]}'))).toBe(true)
  })
})
