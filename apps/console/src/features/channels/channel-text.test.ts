import { expect, it, describe } from 'vitest'
import { shortError, splitNames, withoutPrototypeKeys } from './channel-text.ts'

it('splits names at ASCII and Chinese commas and line breaks, without blanks and duplicates', () => {
  expect(splitNames(' gpt-4o, gpt-4o-mini，o3\n gpt-4o,,')).toEqual(['gpt-4o', 'gpt-4o-mini', 'o3'])
})

it.each([
  [{ status: 401, code: 'invalid_api_key', message: 'Incorrect API key provided.' }, '401 invalid_api_key'],
  [{ status: 429, code: '', message: 'Too many tokens for gpt-4.1. Try later.' }, '429 Too many tokens for gpt-4.1'],
  [{ status: 502, code: 'bad_response_status_code', message: 'Bad gateway' }, '502 Bad gateway'],
  [{ status: null, code: 'timeout', message: '' }, 'timeout'],
  [{ status: 500, code: '', message: '{"error": "boom"}' }, '500'],
  [{ message: 'status 401: Incorrect API key provided: ***' }, '401 Incorrect API key provided'],
  [{ message: 'status 402: 余额不足，请充值' }, '402 余额不足'],
  [{ message: 'no credit' }, 'no credit'],
  [{ message: '' }, ''],
])('shortens the error %j to %s', (error, short) => {
  expect(shortError(error)).toBe(short)
})

describe('withoutPrototypeKeys', () => {
  it('removes keys that change a prototype', () => {
    const text = '{"__proto__": "x", "constructor": "y", "prototype": "z", "gpt-4o": "gpt-4o-mini"}'

    expect(JSON.parse(withoutPrototypeKeys(text))).toEqual({ 'gpt-4o': 'gpt-4o-mini' })
    expect(withoutPrototypeKeys(text)).not.toContain('__proto__')
  })

  it('keeps other text unchanged', () => {
    expect(withoutPrototypeKeys(' {"a":"b"} ')).toBe('{"a":"b"}')
    expect(withoutPrototypeKeys('')).toBe('')
  })
})
