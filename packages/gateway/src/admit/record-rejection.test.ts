import { beforeEach, expect, it } from 'vitest'
import type { ErrorLogRow } from '../ports/index.ts'
import { createRejectionSampler, type RejectionSampler } from './record-rejection.ts'

let now: number
let written: ErrorLogRow[]
let sampler: RejectionSampler
beforeEach(() => {
  now = 0
  written = []
  sampler = createRejectionSampler({ now: () => now, write: (row) => written.push(row) })
})

const MINUTE = 60_000
const row = (requestId: string) => ({ requestId, other: { rejected: true } }) as unknown as ErrorLogRow
const reject = (count: number, source?: string, code = 'model_not_found') => {
  for (let at = 0; at < count; at += 1) sampler.add(row(`${source} ${at}`), { code, source })
}
const notRecorded = () => written.reduce((sum, { other }) => sum + Number(other['not_recorded'] ?? 0), 0)

it('records a bounded number of 10,000 rejections of one token, and counts the others', () => {
  reject(10_000, 'token 1')
  sampler.flush(true)

  expect(written).toHaveLength(51)
  expect(written.length + notRecorded()).toBe(10_000)
})

it('samples by error code and token', () => {
  reject(200, 'token 1')
  reject(5, 'token 1', 'insufficient_user_quota')
  reject(5, 'token 2')

  expect(written).toHaveLength(50 + 5 + 5)
})

it('continues with one row per minute that has the number of skipped rows', () => {
  reject(60, 'token 1')
  now += MINUTE
  reject(1, 'token 1')

  expect(written).toHaveLength(51)
  expect(written.at(-1)!.other).toEqual({ rejected: true, not_recorded: 10 })
})

it('writes the count of a burst after ten minutes without requests', () => {
  reject(60, 'token 1')
  sampler.flush()
  expect(notRecorded()).toBe(0)

  now += 10 * MINUTE
  sampler.flush()
  sampler.flush()

  expect(written).toHaveLength(51)
  expect(notRecorded()).toBe(9)
})

it('limits requests without a known token together, for all error codes', () => {
  for (let at = 0; at < 1_000; at += 1) reject(1, undefined, `code ${at % 20}`)

  expect(written).toHaveLength(200)
})

it('limits the rows of many tokens, and drops the oldest of them', () => {
  for (let at = 0; at < 5_000; at += 1) reject(1, `token ${at}`)
  sampler.flush(true)

  expect(written.length).toBeLessThanOrEqual(1_000 + 200)
})
