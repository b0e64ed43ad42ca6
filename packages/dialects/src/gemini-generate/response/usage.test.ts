import { describe, expect, it } from 'vitest'
import { NO_TOKENS } from '@tidegate/contract'
import { readUsage, writeUsage } from './usage.ts'

describe('readUsage', () => {
  it('subtracts cached tokens from the prompt and keeps thoughts separate', () => {
    const usage = readUsage({
      promptTokenCount: 100,
      cachedContentTokenCount: 60,
      candidatesTokenCount: 20,
      thoughtsTokenCount: 30,
      totalTokenCount: 150,
    })

    expect(usage).toEqual({ ...NO_TOKENS, input: 40, cacheRead: 60, output: 20, reasoning: 30 })
  })

  it('never goes below zero', () => {
    const usage = readUsage({
      promptTokenCount: 10,
      cachedContentTokenCount: 50,
      promptTokensDetails: [{ modality: 'AUDIO', tokenCount: 80 }],
      candidatesTokenCount: 5,
      candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: 9 }],
    })

    expect(usage).toEqual({ ...NO_TOKENS, cacheRead: 10, audioOutput: 5 })
  })

  it('reads invalid counts as zero', () => {
    expect(readUsage({ promptTokenCount: -1, candidatesTokenCount: 'many', promptTokensDetails: 3 })).toEqual(NO_TOKENS)
  })
})

describe('writeUsage', () => {
  it('writes the totals of Google and reads them back', () => {
    const usage = {
      ...NO_TOKENS,
      input: 7,
      cacheRead: 3,
      output: 2,
      reasoning: 1,
      audioInput: 5,
      imageInput: 4,
      audioOutput: 6,
    }

    const written = writeUsage(usage)

    expect(written).toMatchObject({
      promptTokenCount: 19,
      cachedContentTokenCount: 3,
      candidatesTokenCount: 8,
      thoughtsTokenCount: 1,
      totalTokenCount: 28,
    })
    expect(readUsage(written)).toEqual(usage)
  })

  it('counts cache writes of other providers as prompt', () => {
    expect(writeUsage({ ...NO_TOKENS, input: 1, cacheWrite5m: 20, cacheWrite1h: 300, output: 2 })).toEqual({
      promptTokenCount: 321,
      candidatesTokenCount: 2,
      totalTokenCount: 323,
    })
  })
})
