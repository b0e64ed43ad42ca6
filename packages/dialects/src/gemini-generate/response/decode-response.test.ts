import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { NO_TOKENS } from '@tidegate/contract'
import { decodeResponse } from './decode-response.ts'

const readRecording = (name: string) => readFileSync(new URL(`../__fixtures__/${name}.json`, import.meta.url), 'utf8')
const context = { newId: () => 'x1' }
const geminiSignature = (value: string, id?: string) => ({ dialect: 'gemini-generate', value, ...(id && { id }) })

describe('decodeResponse', () => {
  it('decodes thoughts, text, calls, their signatures and usage', () => {
    expect(decodeResponse(readRecording('whole-response'), context)).toMatchObject({
      id: 'abc',
      model: 'gemini-2.5-pro',
      parts: [
        { type: 'thinking', text: 'Thinking about tides.', signature: geminiSignature('') },
        { type: 'text', text: 'It is high at six.' },
        { type: 'thinking', text: '', signature: geminiSignature('U0lHTg==', 'previous') },
        { type: 'tool-call', id: 'call_x1', name: 'tide', signature: geminiSignature('Q0FMTA==') },
      ],
      finish: { reason: 'tool-calls', raw: 'STOP' },
      usage: {
        ...NO_TOKENS,
        cacheRead: 980,
        audioCached: 20,
        audioInput: 40,
        imageInput: 40,
        input: 200 - 40 - 40 + 15,
        output: 40,
        reasoning: 25,
      },
    })
  })

  it('keeps the arguments of a call unchanged', () => {
    const response = decodeResponse(
      '{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{\n  "id": 12345678901234567890}}}]}}]}',
      context,
    )

    expect(response?.parts).toEqual([
      { type: 'tool-call', id: 'call_x1', name: 'f', arguments: '{\n  "id": 12345678901234567890}' },
    ])
  })

  it('finds an error with a success status, also in a list', () => {
    expect(decodeResponse(readRecording('error-in-a-list'), context)).toMatchObject({
      error: { message: 'You exceeded your current quota.', status: 'RESOURCE_EXHAUSTED' },
      errorStatus: 429,
    })
    expect(decodeResponse('{"error":{}}', context)?.error?.message).not.toBe('')
  })

  it('keeps native parts', () => {
    const speech = { inlineData: { mimeType: 'audio/wav', data: 'AAAA' } }
    const response = decodeResponse(JSON.stringify({ candidates: [{ content: { parts: [speech] } }] }), context)

    expect(response?.parts).toEqual([{ type: 'native', dialect: 'gemini-generate', value: speech }])
  })

  it('returns nothing for text that is not a response', () => {
    expect(decodeResponse('<html>', context)).toBeUndefined()
    expect(decodeResponse('{"ok":true}', context)).toBeUndefined()
    expect(decodeResponse('[]', context)).toBeUndefined()
  })
})
