import { describe, expect, it } from 'vitest'
import { classifyOpenai } from '../openai-compatible/classify.ts'
import { errorInBody, failureFromResponse, FAILURES } from './failure.ts'

describe('failureFromResponse', () => {
  it("keeps the provider's error object", () => {
    const error = { message: 'no', type: 'x', param: null, code: 'y', inner: { a: 1 } }

    expect(failureFromResponse(400, JSON.stringify({ error })).error).toEqual(error)
  })

  it.each([
    ['{"message":"a","msg":"b"}', 'a'],
    ['{"msg":"b"}', 'b'],
    ['{"err":"c"}', 'c'],
    ['{"error_msg":"d"}', 'd'],
    ['{"header":{"message":"e"}}', 'e'],
    ['{"response":{"error":{"message":"f"}}}', 'f'],
    ['{"error":"g"}', 'g'],
    ['{"success":false,"errors":[{"code":10000,"message":"h"}]}', 'h'],
    ['{"detail":"i"}', 'i'],
    ['<html>', 'bad response status code 503'],
    ['', 'bad response status code 503'],
  ])('finds the message in %s', (body, message) => {
    expect(failureFromResponse(503, body).error).toEqual({
      message,
      type: 'upstream_error',
      param: '503',
      code: 'bad_response_status_code',
    })
  })

  it('keeps a numeric code, which only the provider record interprets', () => {
    expect(failureFromResponse(403, '{"code":30001,"message":"no"}').error).toMatchObject({
      message: 'no',
      code: 30001,
    })
  })

  it('reads both forms of Retry-After', () => {
    const soon = new Date(Date.now() + 5000).toUTCString()

    expect(failureFromResponse(429, '', { 'retry-after': '7' }).retryAfterSeconds).toBe(7)
    expect(failureFromResponse(429, '', { 'retry-after': soon }).retryAfterSeconds).toBeOneOf([4, 5])
    expect(failureFromResponse(429, '', { 'retry-after': 'later' }).retryAfterSeconds).toBeUndefined()
  })
})

describe('errorInBody', () => {
  it.each([
    [{ error: { message: 'no' } }, { message: 'no' }],
    [{ error: 'no' }, 'no'],
    [{ error: true }, true],
    [
      { type: 'error', message: 'no' },
      { type: 'error', message: 'no' },
    ],
  ])('finds the error in %j', (body, error) => {
    expect(errorInBody(body)).toEqual(error)
  })

  it.each([
    {},
    { error: null },
    { error: '' },
    { error: false },
    { error: {} },
    { error: { message: '', code: 0, type: null } },
  ])('finds none in %j', (body) => {
    expect(errorInBody(body)).toBeUndefined()
  })
})

describe('classifyOpenai', () => {
  it.each([
    [failureFromResponse(401, ''), 'auth'],
    [failureFromResponse(403, '{"error":{"message":"m","code":"account_deactivated"}}'), 'auth'],
    [failureFromResponse(429, '{"error":{"message":"m","type":"insufficient_quota"}}'), 'credit'],
    [failureFromResponse(429, ''), 'rate'],
    [failureFromResponse(500, ''), 'server'],
    [failureFromResponse(400, ''), 'client'],
    [FAILURES.idle(), 'server'],
    [FAILURES.empty(), 'server'],
    [FAILURES.aborted(), 'client'],
  ])('classifies %s as %s', (failure, expected) => {
    expect(classifyOpenai(failure)).toBe(expected)
  })
})
