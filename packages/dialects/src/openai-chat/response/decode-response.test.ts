import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { eventsOf, isEmptyResponse } from '../../canonical/index.ts'
import { NO_TOKENS } from '@tidegate/contract'
import { decodeResponse } from './decode-response.ts'

const readRecording = (name: string) => readFileSync(new URL(`../__fixtures__/${name}.json`, import.meta.url), 'utf8')
const decode = (text: string) => decodeResponse(text, { newId: () => 'new' })
const response = (message: object, finish_reason = 'stop') =>
  JSON.stringify({ id: 'c', created: 5, model: 'm', choices: [{ index: 0, message, finish_reason }] })

describe('decodeResponse', () => {
  it('decodes reasoning, text, calls, the finish reason and usage', () => {
    expect(decode(readRecording('response-with-thinking-and-calls'))).toEqual({
      id: 'chatcmpl-2',
      model: 'm',
      created: 1760000001,
      parts: [
        { type: 'thinking', text: 'They ask about tides.', signature: { dialect: 'openai-chat', value: '' } },
        { type: 'text', text: 'Let me look.' },
        { type: 'tool-call', id: 'call_a', name: 'tide', arguments: '{"n": 1152921504606846976}' },
        { type: 'tool-call', id: 'call_b', name: 'note', arguments: String.raw`{"input":"say \"hi\""}` },
      ],
      finish: { reason: 'tool-calls', raw: 'tool_calls' },
      usage: { ...NO_TOKENS, input: 24, cacheRead: 16, output: 18, reasoning: 12 },
    })
  })

  it('decodes a refusal by a filter', () => {
    expect(decode(readRecording('response-refused'))).toMatchObject({
      parts: [{ type: 'refusal', text: 'I cannot help with that.' }],
      finish: { reason: 'refusal', raw: 'content_filter' },
      usage: undefined,
    })
  })

  it('finds an error with a success status', () => {
    expect(decode(readRecording('error-inside-a-good-status'))).toMatchObject({
      error: { message: 'Provider returned error', code: 502, metadata: { provider_name: 'x' } },
      errorStatus: 502,
    })
    expect(decode('<html>')).toBeUndefined()
  })

  it('treats a response without content and finish reason as empty', () => {
    const isEmpty = (text: string) => isEmptyResponse(eventsOf(decode(text)!))

    expect(isEmpty(response({ content: '' }))).toBe(false)
    expect(isEmpty(response({ content: null }, 'length'))).toBe(false)
    expect(isEmpty(response({ content: null, tool_calls: [{ function: { name: 'f' } }] }))).toBe(false)
    expect(isEmpty(response({ content: null, audio: { id: 'a', data: 'AAAA' } }))).toBe(false)
    expect(isEmpty('{"choices":[]}')).toBe(true)
  })

  it('decodes all choices, because all are billed', () => {
    const both = JSON.stringify({
      choices: [
        { index: 0, message: { content: 'A' }, finish_reason: 'stop' },
        { index: 1, message: { content: 'B' }, finish_reason: 'stop' },
      ],
    })

    expect(decode(both)!.parts).toEqual([
      { type: 'text', text: 'A' },
      { type: 'text', text: 'B' },
    ])
  })
})
