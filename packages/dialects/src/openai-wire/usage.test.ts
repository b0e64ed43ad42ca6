import { describe, expect, it } from 'vitest'
import { NO_TOKENS } from '@tidegate/contract'
import { readUsage, writeUsage } from './usage.ts'

describe('readUsage', () => {
  it('subtracts cached and reasoning tokens from their totals', () => {
    const usage = readUsage({
      prompt_tokens: 1000,
      completion_tokens: 500,
      total_tokens: 1500,
      prompt_tokens_details: { cached_tokens: 200, audio_tokens: 30 },
      completion_tokens_details: { reasoning_tokens: 120, audio_tokens: 10 },
    })

    expect(usage).toEqual({
      ...NO_TOKENS,
      input: 770,
      cacheRead: 200,
      audioInput: 30,
      output: 370,
      reasoning: 120,
      audioOutput: 10,
    })
  })

  it('never goes below zero', () => {
    const usage = readUsage({
      prompt_tokens: 10,
      completion_tokens: 5,
      prompt_tokens_details: { cached_tokens: 50, audio_tokens: 7 },
      completion_tokens_details: { reasoning_tokens: 9 },
    })

    expect(usage).toEqual({ ...NO_TOKENS, cacheRead: 10, reasoning: 5 })
  })

  it('reads invalid counts as zero', () => {
    expect(readUsage({ prompt_tokens: -3, completion_tokens: 'many', prompt_tokens_details: null })).toEqual(NO_TOKENS)
    expect(readUsage({})).toEqual(NO_TOKENS)
  })

  it('reads cache hits outside the details, and cache writes', () => {
    expect(readUsage({ prompt_tokens: 100, completion_tokens: 1, prompt_cache_hit_tokens: 60 })).toMatchObject({
      input: 40,
      cacheRead: 60,
    })
    expect(
      readUsage({ prompt_tokens: 100, completion_tokens: 1, prompt_tokens_details: { cache_write_tokens: 30 } }),
    ).toMatchObject({ input: 70, cacheWrite5m: 30 })
  })

  it('reads counts that exclude the cache from the input', () => {
    const usage = readUsage({
      input_tokens: 100,
      output_tokens: 50,
      cache_read_input_tokens: 1000,
      cache_creation_input_tokens: 400,
      cache_creation: { ephemeral_1h_input_tokens: 150 },
    })

    expect(usage).toEqual({
      ...NO_TOKENS,
      input: 100,
      cacheRead: 1000,
      cacheWrite5m: 250,
      cacheWrite1h: 150,
      output: 50,
    })
  })

  it('reads cache writes of both lifetimes and image tokens', () => {
    const usage = readUsage({
      prompt_tokens: 100,
      completion_tokens: 1,
      prompt_tokens_details: { cached_tokens: 10, cache_write_tokens: 30, image_tokens: 20 },
      cache_creation: { ephemeral_1h_input_tokens: 12 },
    })

    expect(usage).toEqual({
      ...NO_TOKENS,
      input: 40,
      cacheRead: 10,
      cacheWrite5m: 18,
      cacheWrite1h: 12,
      imageInput: 20,
      output: 1,
    })
  })

  it('counts reasoning that only the total includes', () => {
    expect(
      readUsage({
        prompt_tokens: 10,
        completion_tokens: 5,
        total_tokens: 315,
        completion_tokens_details: { reasoning_tokens: 300 },
      }),
    ).toEqual({ ...NO_TOKENS, input: 10, output: 5, reasoning: 300 })
    expect(readUsage({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 55 })).toEqual({
      ...NO_TOKENS,
      input: 10,
      output: 45,
    })
  })

  it('does not count cached input in a total as output', () => {
    const counted = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 45, prompt_cache_hit_tokens: 4 }
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 115, cache_read_input_tokens: 100 }

    expect(readUsage(usage)).toEqual({ ...NO_TOKENS, input: 10, output: 5 })
    expect(readUsage(counted)).toEqual({ ...NO_TOKENS, input: 6, cacheRead: 4, output: 5 })
    expect(readUsage({ ...counted, reasoning_tokens: 30 })).toMatchObject({ output: 5, reasoning: 30 })
  })
})

describe('writeUsage', () => {
  it('can be read back by readUsage', () => {
    const usage = {
      ...NO_TOKENS,
      input: 5,
      cacheRead: 4,
      cacheWrite5m: 3,
      imageInput: 2,
      audioInput: 1,
      output: 9,
      reasoning: 8,
      audioOutput: 7,
    }

    expect(readUsage(writeUsage(usage))).toEqual(usage)
    expect(writeUsage(usage)).toMatchObject({ prompt_tokens: 15, completion_tokens: 24, total_tokens: 39 })
  })
})
