import type { JsonObject } from '@tidegate/dialects'
import { describe, expect, it } from 'vitest'
import type { PollingContext } from '../operation.ts'
import { failureFromResponse, FAILURES, UpstreamFailure } from '../upstream/failure.ts'
import { dashscope } from './dashscope.ts'

const images = dashscope.operations!['image-generation']!
const target = { baseUrl: 'https://relay.example', key: 'sk-1', model: 'wanx-v1' }
const task = (task_status: string, more: JsonObject = {}): JsonObject => ({
  output: { task_id: 't/1', task_status, ...more },
})
const made = task('SUCCEEDED', { results: [{ url: 'https://oss.example/a.png' }] })

/** Returns one poll response after the other, then the last one forever; failures are thrown. */
async function collect(
  polls: readonly (JsonObject | UpstreamFailure)[],
  body: JsonObject = {},
  submitted = task('PENDING'),
) {
  const polled: string[] = []
  const pauses: number[] = []
  const context: PollingContext = {
    target,
    body,
    get(url) {
      polled.push(url)
      const poll = polls[Math.min(polled.length, polls.length) - 1]!
      return poll instanceof UpstreamFailure ? Promise.reject(poll) : Promise.resolve(poll)
    },
    fetch: (url) => Promise.resolve(Buffer.from(`bytes of ${url}`)),
    pause: (milliseconds) => Promise.resolve(void pauses.push(milliseconds)),
  }
  const outcome = await images.polling!.collect(submitted, context).catch((error: unknown) => error)
  return { outcome, polled, pauses }
}

describe('image tasks', () => {
  it("are submitted in DashScope's format", () => {
    const body = { prompt: 'a gate', n: 2, size: '720x1280', style: 'vivid', negative_prompt: 'people', seed: 7 }

    expect(images.encode!(body, { model: 'wanx-v1' })).toEqual({
      model: 'wanx-v1',
      input: { prompt: 'a gate', negative_prompt: 'people' },
      parameters: { n: 2, size: '720*1280', seed: 7 },
    })
    expect(images.encode!({ prompt: 'a gate', style: '<sketch>' }, { model: 'm' })).toMatchObject({
      parameters: { n: 1, style: '<sketch>' },
    })
  })

  it('are polled every three seconds until they finish', async () => {
    const { outcome, polled, pauses } = await collect([task('PENDING'), task('RUNNING'), made])

    expect(outcome).toEqual({ images: [{ url: 'https://oss.example/a.png' }] })
    expect(polled).toEqual(Array.from({ length: 3 }, () => 'https://relay.example/api/v1/tasks/t%2F1'))
    expect(pauses).toEqual([3000, 3000, 3000])
    expect(images.decode!(outcome as JsonObject, {})).toMatchObject({ data: [{ url: 'https://oss.example/a.png' }] })
  })

  it('time out after twenty polls and are not retried elsewhere', async () => {
    const { outcome, polled } = await collect([task('RUNNING')])

    expect(outcome).toMatchObject({ kind: 'status', status: 504 })
    expect(polled).toHaveLength(20)
  })

  it('continue after a failed poll, but not after the client disconnected', async () => {
    const busy = failureFromResponse(503, '{}')

    expect((await collect([busy, made])).outcome).toMatchObject({ images: [{ url: expect.any(String) }] })
    const { outcome, polled } = await collect([FAILURES.aborted(), made])
    expect([outcome, polled.length]).toEqual([expect.objectContaining({ kind: 'aborted' }), 1])
  })

  it('return bytes if the client wants them, and skip failed images', async () => {
    const results = [
      { code: 'InternalError.Timeout', message: 'late' },
      { url: 'https://oss.example/b.png', actual_prompt: 'a tide gate' },
    ]

    const { outcome } = await collect([task('SUCCEEDED', { results })], { response_format: 'b64_json' })

    const b64_json = Buffer.from('bytes of https://oss.example/b.png').toString('base64')
    expect(outcome).toEqual({ images: [{ b64_json, revised_prompt: 'a tide gate' }] })
  })

  it.each([
    ['DataInspectionFailed', 400, 'client'],
    ['InvalidParameter.DataInspection', 400, 'client'],
    ['Throttling.RateQuota', 429, 'rate'],
    ['Arrearage', 402, 'credit'],
    ['InvalidApiKey', 401, 'auth'],
    ['InternalError.Algo', 500, 'server'],
    ['', 500, 'server'],
  ])('fail with %s as status %i of class %s', async (code, status, fault) => {
    const { outcome } = await collect([task('FAILED', { code, message: 'no picture' })])

    expect(outcome).toMatchObject({ status, error: { message: 'no picture' } })
    expect(dashscope.classify(outcome as UpstreamFailure)).toBe(fault)
  })

  it.each([
    ['no task', { code: 'InvalidParameter', message: 'size' }, 400],
    ['an unknown task', task('UNKNOWN'), 500],
    ['only failed pictures', task('SUCCEEDED', { results: [{ code: 'DataInspectionFailed', message: 'no' }] }), 400],
  ])('fail if the response is %s', async (_case, submitted, status) => {
    expect((await collect([made], {}, submitted)).outcome).toMatchObject({ status })
  })
})

it('recognizes an overdue account by the error message', () => {
  const named = failureFromResponse(400, '{"error":{"code":"Arrearage","message":"Access denied"}}')
  const worded = failureFromResponse(
    400,
    '{"code":"Arrearage","message":"please make sure your account is in good standing."}',
  )

  expect([named, worded].map((failure) => dashscope.classify(failure))).toEqual(['credit', 'credit'])
  expect(dashscope.classify(failureFromResponse(400, '{"message":"no"}'))).toBe('client')
})
