import { describe, expect, it } from 'vitest'
import { fakeServer } from '../../../../test/fake-server.ts'
import { probeModel } from './run-tests.ts'
import { keepTests, recallTests, type KeptResult } from './use-model-tests.ts'

const HOUR = 3_600_000
const now = 1_700_000_000_000
const result = (at: number): KeptResult => ({ ok: true, message: '', seconds: 1, retryable: false, at })

describe('results of model tests', () => {
  it('are stored for a day', () => {
    keepTests(3, { old: result(now - 24 * HOUR), fresh: result(now - 23 * HOUR) }, now)

    expect(Object.keys(recallTests(3, now))).toEqual(['fresh'])
  })

  it('are stored per channel', () => {
    keepTests(3, { a: result(now) }, now)
    keepTests(4, { b: result(now) }, now)

    expect(Object.keys(recallTests(3, now))).toEqual(['a'])
    expect(Object.keys(recallTests(4, now))).toEqual(['b'])
    expect(recallTests(5, now)).toEqual({})
  })

  it('can be removed one by one', () => {
    keepTests(3, { a: result(now), b: result(now) }, now)

    keepTests(3, { a: null }, now)

    expect(Object.keys(recallTests(3, now))).toEqual(['b'])
  })

  it('are empty if the stored data is invalid', () => {
    localStorage.setItem('channel-test-results', '{"3": {"a": 7, "b": null}, "4": "x"}')

    expect(recallTests(3, now)).toEqual({})
    expect(recallTests(4, now)).toEqual({})
  })
})

it.each([
  { status: 429, message: 'model gpt-404 is busy', retryable: true },
  { status: 404, message: 'busy', retryable: false },
  { message: 'no response after 404 ms', retryable: true },
  { message: 'invalid api key', retryable: false },
])('decides by the status of the provider whether to retry: $status $message', async ({ retryable, ...failure }) => {
  fakeServer({ 'GET /api/channel/test/7': { json: { success: false, code: 'channel_test_failed', ...failure } } })

  expect(await probeModel({ channelId: 7 })).toMatchObject({ ok: false, retryable })
})
