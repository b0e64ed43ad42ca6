import { array, assert, constantFrom, integer, property, tuple } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventsOf, isEmptyResponse } from '../../canonical/index.ts'
import { decodeResponse } from './decode-response.ts'
import { scanResponse } from './scan-response.ts'

const scan = (text: string) => {
  const bytes = new TextEncoder().encode(text)
  return scanResponse(bytes, (start, end) => new TextDecoder().decode(bytes.subarray(start, end)))
}
const USAGE = '"usage":{"prompt_tokens":9,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":2}}'
const CHOICE = '{"index":0,"message":{"role":"assistant","content":"潮 \\"error\\":1"},"finish_reason":"stop"}'

/** A scanned response is one that decoding accepts, with the same usage. */
function expectSameUsage(text: string): void {
  const usage = scan(text)
  if (!usage) return
  const decoded = decodeResponse(text, { newId: () => 'id' })
  expect(decoded?.error).toBeUndefined()
  expect(isEmptyResponse(eventsOf(decoded!))).toBe(false)
  expect(decoded?.usage).toEqual(usage)
}

describe('scanning a whole response', () => {
  it.each([
    `{"id":"1","choices":[${CHOICE}],${USAGE}}`,
    `{${USAGE},"error":null,"service_tier":"priority","choices":[${CHOICE},${CHOICE}]}\n`,
  ])('reads the usage of %s as decoding does', (text) => {
    expect(scan(text)).toBeDefined()
    expectSameUsage(text)
  })

  it.each([
    ['an error', `{"error":{"message":"no"},"choices":[${CHOICE}],${USAGE}}`],
    ['no usage', `{"choices":[${CHOICE}]}`],
    ['usage given twice', `{"choices":[${CHOICE}],${USAGE},${USAGE}}`],
    ['an escaped name', `{"choices":[${CHOICE}],${USAGE},"\\u0065rror":"no"}`],
    ['no choice', `{"choices":[],${USAGE}}`],
    ['an unfinished choice', `{"choices":[{"message":{"content":"a"},"finish_reason":null}],${USAGE}}`],
    ['text after the object', `{"choices":[${CHOICE}],${USAGE}}}`],
    ['half a response', `{"choices":[${CHOICE}],"usage":{"prompt`],
  ])('leaves a response with %s to the decoder', (_, text) => {
    expect(scan(text)).toBeUndefined()
  })

  it('never accepts a response that decoding rejects', () => {
    const piece = constantFrom(...'{}[],:"\\ 0n', 'null', '"error":', '"usage":{}', '"finish_reason":"stop"', CHOICE)
    const change = tuple(integer({ min: 0, max: 180 }), integer({ min: 0, max: 6 }), piece)
    const seed = `{"choices":[${CHOICE}],${USAGE},"error":null}`
    const mutated = array(change, { maxLength: 4 }).map((changes) =>
      changes.reduce((text, [at, length, put]) => text.slice(0, at) + put + text.slice(at + length), seed),
    )
    assert(property(mutated, expectSameUsage), { numRuns: Number(process.env.FUZZ_RUNS ?? 3_000) })
  })
})
