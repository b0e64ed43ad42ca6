import { describe, expect, it } from 'vitest'
import { failureFromAnswer, UpstreamFailure } from '../../upstream/failure.ts'
import { FAILURES } from '../../upstream/name-failure.ts'
import { classifyAmazon } from './classify.ts'

/** As a stream is broken off. */
const exception = (type: string) =>
  new UpstreamFailure({ kind: 'answer', status: 502, error: { type, message: 'no more' } })

describe('classifyAmazon', () => {
  it.each([
    [failureFromAnswer(403, '{"message":"The security token included in the request is invalid."}'), 'auth'],
    [failureFromAnswer(429, '{"message":"Too many requests"}'), 'rate'],
    [failureFromAnswer(400, '{"message":"messages: field required"}'), 'client'],
    [failureFromAnswer(424, '{"message":"the model failed"}'), 'server'],
    [failureFromAnswer(503, '{"message":"unavailable"}'), 'server'],
    [exception('throttlingException'), 'rate'],
    [exception('validationException'), 'client'],
    [exception('modelStreamErrorException'), 'server'],
    [FAILURES.aborted(), 'client'],
  ])('%s is the fault of: %s', (failure, fault) => {
    expect(classifyAmazon(failure)).toBe(fault)
  })
})
