import { describe, expect, it } from 'vitest'
import { NO_TOKENS } from '@tidegate/contract'
import { mergeUsage, readUsage, writeUsage } from './usage.ts'

describe('readUsage', () => {
  it('counts no token twice', () => {
    expect(
      readUsage({
        input_tokens: 100,
        cache_read_input_tokens: 1000,
        cache_creation_input_tokens: 400,
        cache_creation: { ephemeral_5m_input_tokens: 250, ephemeral_1h_input_tokens: 150 },
        output_tokens: 50,
        output_tokens_details: { thinking_tokens: 20 },
      }),
    ).toEqual({
      ...NO_TOKENS,
      input: 100,
      cacheRead: 1000,
      cacheWrite5m: 250,
      cacheWrite1h: 150,
      output: 30,
      reasoning: 20,
    })
  })

  it('never goes below zero and reads invalid counts as zero', () => {
    expect(
      readUsage({
        input_tokens: -3,
        output_tokens: 5,
        output_tokens_details: { thinking_tokens: 9 },
        cache_creation_input_tokens: 10,
        cache_creation: { ephemeral_1h_input_tokens: 99 },
        cache_read_input_tokens: 'many',
      }),
    ).toEqual({ ...NO_TOKENS, cacheWrite1h: 10, reasoning: 5 })
    expect(readUsage({ cache_creation: null, output_tokens_details: null })).toEqual(NO_TOKENS)
  })

  it('reads cache writes that are reported only by lifetime', () => {
    const usage = readUsage({ cache_creation: { ephemeral_5m_input_tokens: 7, ephemeral_1h_input_tokens: 2 } })

    expect(usage).toEqual({ ...NO_TOKENS, cacheWrite5m: 7, cacheWrite1h: 2 })
  })

  it('adds the tokens of compaction, which no total includes', () => {
    const usage = readUsage({
      input_tokens: 10,
      output_tokens: 4,
      iterations: [
        { type: 'compaction', input_tokens: 500, output_tokens: 60, cache_read_input_tokens: 3 },
        { type: 'message', input_tokens: 10, output_tokens: 4 },
      ],
    })

    const parts = [
      { ...NO_TOKENS, input: 500, cacheRead: 3, output: 60 },
      { ...NO_TOKENS, input: 10, output: 4 },
    ]
    expect(usage).toEqual({ ...NO_TOKENS, input: 510, cacheRead: 3, output: 64, terms: { parts } })
  })
})

describe('mergeUsage', () => {
  it('replaces totals and keeps those that are not repeated', () => {
    const later = { input_tokens: null, cache_read_input_tokens: 9, output_tokens: 8 }

    expect(mergeUsage({ input_tokens: 5, output_tokens: 1, cache_read_input_tokens: 0 }, later)).toEqual({
      input_tokens: 5,
      output_tokens: 8,
      cache_read_input_tokens: 9,
    })
  })
})

describe('writeUsage', () => {
  it('can be read back to the same buckets', () => {
    const usage = { ...NO_TOKENS, input: 1, cacheRead: 2, cacheWrite5m: 3, cacheWrite1h: 4, output: 5, reasoning: 6 }

    expect(readUsage(writeUsage(usage))).toEqual(usage)
  })

  it('includes every token', () => {
    expect(
      writeUsage({ ...NO_TOKENS, input: 1, imageInput: 10, audioInput: 100, output: 2, audioOutput: 20 }),
    ).toMatchObject({
      input_tokens: 111,
      output_tokens: 22,
    })
  })
})
