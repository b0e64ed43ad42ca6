import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type ResponseContext, type CanonicalResponse, eventsOf } from '../canonical/index.ts'
import { createFrameReader } from '../sse/read-frames.ts'
import { NO_TOKENS } from '@tidegate/contract'
import { openaiCompletions } from './index.ts'

const { createDecoder, decodeResponse, createEncoder, encodeResponse, closeStream, responseFrames } = openaiCompletions
const fixture = (name: string) => readFileSync(new URL(`__fixtures__/${name}`, import.meta.url), 'utf8')

function framesOf(text: string) {
  const reader = createFrameReader({ decode: (bytes) => new TextDecoder().decode(bytes) })
  return reader.push(new TextEncoder().encode(text)).flatMap(({ event }) => (event ? [event] : []))
}

function decodeAll(text: string) {
  const decode = createDecoder()
  return framesOf(text).flatMap((frame) => decode(frame))
}

const chunksOf = (text: string) =>
  framesOf(text).map(({ data }) => (data === '[DONE]' ? data : (JSON.parse(data) as unknown)))
const start = { type: 'response-start', id: 'cmpl-1', model: 'm', created: 1760000000 }
const usage = { ...NO_TOKENS, input: 4, output: 2 }

describe('a stream of a provider', () => {
  it('has text, a finish reason, usage and an end', () => {
    expect(decodeAll(fixture('text-then-usage.sse'))).toEqual([
      start,
      { type: 'text-start', block: 0 },
      { type: 'text-delta', block: 0, text: 'Once' },
      { type: 'text-delta', block: 0, text: ' upon' },
      { type: 'text-end', block: 0 },
      { type: 'finish', reason: 'stop', raw: 'stop' },
      { type: 'usage', usage },
      { type: 'done' },
    ])
  })

  it('finishes with the last of several choices', () => {
    expect(decodeAll(fixture('two-choices-and-length.sse')).slice(1)).toEqual([
      { type: 'text-start', block: 0 },
      { type: 'text-delta', block: 0, text: 'A' },
      { type: 'text-start', block: 1 },
      { type: 'text-delta', block: 1, text: 'B' },
      { type: 'text-delta', block: 0, text: 'a' },
      { type: 'text-end', block: 0 },
      { type: 'text-delta', block: 1, text: 'b' },
      { type: 'text-end', block: 1 },
      { type: 'finish', reason: 'length', raw: 'length' },
      { type: 'done' },
    ])
  })

  it('may fail with an error', () => {
    expect(decodeAll(fixture('error-inside-a-stream.sse')).at(-1)).toMatchObject({
      type: 'error',
      status: 429,
      error: { message: 'Rate limit reached', code: 'rate_limit_exceeded' },
    })
  })

  it('may contain everything in one chunk without an end marker', () => {
    expect(decodeAll(fixture('finish-with-the-text-and-no-end-mark.sse')).map(({ type }) => type)).toEqual([
      'response-start',
      'text-start',
      'text-delta',
      'text-end',
      'finish',
      'usage',
    ])
  })
})

describe('a whole response of a provider', () => {
  it('is decoded', () => {
    expect(decodeResponse(fixture('response.json'))).toEqual({
      id: 'cmpl-2',
      model: 'm',
      created: 1760000001,
      parts: [{ type: 'text', text: ' upon a time' }],
      finish: { reason: 'length', raw: 'length' },
      usage: { ...NO_TOKENS, input: 4, output: 3 },
    })
  })

  it('may be an error or not a response', () => {
    expect(decodeResponse('{"error":{"message":"no","code":429}}')).toMatchObject({
      error: { message: 'no' },
      errorStatus: 429,
    })
    expect(decodeResponse('<html>')).toBeUndefined()
  })

  it('becomes one chunk for a client that streams', () => {
    const { usage: _counts, ...rest } = JSON.parse(fixture('response.json')) as Record<string, unknown>

    expect(chunksOf(responseFrames(fixture('response.json')))).toEqual([rest])
  })
})

describe('a response for a client', () => {
  const context: ResponseContext = {
    requestId: 'r1',
    model: 'm',
    createdAt: 7,
    includeUsage: true,
    request: { model: 'm', stream: true, messages: [], tools: [] },
  }
  const response: CanonicalResponse = {
    parts: [
      { type: 'thinking', text: 'Hm.', signature: { dialect: 'anthropic-messages', value: 's' } },
      { type: 'text', text: 'Once' },
      { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' } },
    ],
    finish: { reason: 'length' },
  }
  const head = { id: 'cmpl-r1', object: 'text_completion', created: 7, model: 'm' }
  const choice = (text: string, finish_reason: string | null) => ({ text, index: 0, logprobs: null, finish_reason })
  const picture = '![image](data:image/png;base64,AAAA)'

  it('streams only text', () => {
    const encoder = createEncoder(context)

    const text =
      eventsOf(response)
        .map((event) => encoder.encode(event))
        .join('') + encoder.end(usage)

    expect(chunksOf(text)).toEqual([
      { ...head, choices: [choice('Once', null)], usage: null },
      { ...head, choices: [choice(picture, null)], usage: null },
      { ...head, choices: [choice('', 'length')], usage: null },
      { ...head, choices: [], usage: encodeResponse(response, usage, context).usage },
      '[DONE]',
    ])
    expect(decodeAll(text)).toContainEqual({ type: 'usage', usage })
  })

  it('is encoded', () => {
    expect(encodeResponse(response, usage, context)).toMatchObject({
      ...head,
      choices: [choice(`Once${picture}`, 'length')],
      usage: { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 },
    })
    expect(encodeResponse({ parts: [] }, usage, context)).toMatchObject({ choices: [choice('', 'stop')] })
  })

  it('ends with usage that the provider did not send', () => {
    const text = closeStream({ terminal: undefined, wantsUsage: true, sentUsage: false, usage, start: undefined })

    expect(chunksOf(String(text))).toMatchObject([{ choices: [], usage: { total_tokens: 6 } }, '[DONE]'])
    const terminal = new TextEncoder().encode('data: [DONE]\n\n')
    expect(closeStream({ terminal, wantsUsage: false, sentUsage: false, usage, start: undefined })).toBe(terminal)
  })
})
