import { describe, expect, it } from 'vitest'
import { classifyOpenai } from '../openai-compatible/classify.ts'
import { failureFromAnswer, FAILURES } from './failure.ts'

describe('failureFromAnswer', () => {
  it("keeps the provider's error object", () => {
    const error = { message: 'no', type: 'x', param: null, code: 'y', inner: { a: 1 } }

    expect(failureFromAnswer(400, JSON.stringify({ error })).error).toEqual(error)
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
    expect(failureFromAnswer(503, body).error).toEqual({
      message,
      type: 'upstream_error',
      param: '503',
      code: 'bad_response_status_code',
    })
  })

  it('keeps a numeric code, which only the provider record interprets', () => {
    expect(failureFromAnswer(403, '{"code":30001,"message":"no"}').error).toMatchObject({ message: 'no', code: 30001 })
  })

  it('reads both forms of Retry-After', () => {
    const soon = new Date(Date.now() + 5000).toUTCString()

    expect(failureFromAnswer(429, '', { 'retry-after': '7' }).retryAfterSeconds).toBe(7)
    expect(failureFromAnswer(429, '', { 'retry-after': soon }).retryAfterSeconds).toBeOneOf([4, 5])
    expect(failureFromAnswer(429, '', { 'retry-after': 'later' }).retryAfterSeconds).toBeUndefined()
  })
})

describe('classifyOpenai', () => {
  it.each([
    [failureFromAnswer(401, ''), 'auth'],
    [failureFromAnswer(403, '{"error":{"message":"m","code":"account_deactivated"}}'), 'auth'],
    [failureFromAnswer(429, '{"error":{"message":"m","type":"insufficient_quota"}}'), 'credit'],
    [failureFromAnswer(429, ''), 'rate'],
    [failureFromAnswer(500, ''), 'server'],
    [failureFromAnswer(400, ''), 'client'],
    [FAILURES.idle(), 'server'],
    [FAILURES.empty(), 'server'],
    [FAILURES.aborted(), 'client'],
  ])('classifies %s as %s', (failure, expected) => {
    expect(classifyOpenai(failure)).toBe(expected)
  })
})
