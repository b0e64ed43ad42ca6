import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { eventsOf, isEmptyResponse } from '../../canonical/index.ts'
import { NO_TOKENS } from '@tidegate/contract'
import { openaiResponses } from '../index.ts'

const readRecording = (name: string) =>
  openaiResponses.decodeResponse(readFileSync(new URL(`../__fixtures__/${name}.json`, import.meta.url), 'utf8'), {
    newId: () => 'new',
  })

describe('decodeResponse', () => {
  it('decodes every kind of output', () => {
    expect(readRecording('response')).toEqual({
      id: 'resp_20',
      model: 'gpt-5',
      created: 1741290958,
      parts: [
        {
          type: 'thinking',
          text: 'One\n\nTwo',
          signature: { dialect: 'openai-responses', value: 'gAAAA', id: 'rs_1' },
        },
        {
          type: 'native',
          dialect: 'openai-responses',
          value: { id: 'ws_1', type: 'web_search_call', status: 'completed' },
          search: { queries: [], results: [] },
        },
        { type: 'text', text: 'Hi' },
        { type: 'refusal', text: 'No.' },
        { type: 'tool-call', id: 'call_1', name: 'tide', arguments: '{"at": 1.0}' },
        { type: 'tool-call', id: 'call_2', name: 'apply_patch', arguments: '{"input":"*** \\"x\\"\\n"}' },
        { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' } },
      ],
      finish: { reason: 'tool-calls', raw: 'completed' },
      usage: {
        ...NO_TOKENS,
        input: 30,
        cacheRead: 60,
        cacheWrite5m: 10,
        output: 30,
        reasoning: 20,
        terms: { fees: [{ fee: 'webSearch', count: 1 }] },
      },
    })
  })

  it('decodes why a response is incomplete', () => {
    const response = readRecording('response-truncated')!

    expect(response).toMatchObject({ parts: [], finish: { reason: 'length', raw: 'max_output_tokens' } })
    expect(isEmptyResponse(eventsOf(response))).toBe(false)
  })

  it('finds an error with a success status', () => {
    expect(readRecording('response-failed')).toMatchObject({
      error: { code: 'server_error', message: 'The model failed' },
      errorStatus: 500,
    })
    expect(openaiResponses.decodeResponse('{"error":{"message":"no"}}', { newId: () => '' })?.error).toEqual({
      message: 'no',
    })
  })

  it('treats an unfinished response as an error', () => {
    expect(readRecording('response-in-background')).toMatchObject({
      error: { message: expect.stringContaining('not finish') },
    })
  })

  it('accepts only an object, and an empty object as an empty response', () => {
    expect(openaiResponses.decodeResponse('<html>', { newId: () => '' })).toBeUndefined()
    expect(openaiResponses.decodeResponse('[]', { newId: () => '' })).toBeUndefined()
    expect(isEmptyResponse(eventsOf(openaiResponses.decodeResponse('{}', { newId: () => '' })!))).toBe(true)
  })
})
