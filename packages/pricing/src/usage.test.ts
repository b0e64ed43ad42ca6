import { describe, expect, it } from 'vitest'
import {
  addUsage,
  audioInputTokens,
  NO_USAGE,
  pieceUsage,
  promptTokens,
  audioOutputTokens,
  transcriptionTokens,
} from './usage.ts'
import { computeReceipt } from './receipt.ts'
import { priceByRatios } from './ratios.ts'

const price = priceByRatios(
  {
    priceName: 'm',
    group: 'default',
    groupRatio: 1,
    quotaPerUnit: 500_000,
  },
  {
    modelRatio: 1,
    completionRatio: 1,
    cacheRatio: 1,
    cacheWriteRatio: 1,
    cacheWrite1hRatio: 1,
    audioRatio: 1,
    audioCompletionRatio: 1,
  },
)

describe('usage', () => {
  it('shows pieces as prompt tokens', () => {
    expect(promptTokens(pieceUsage(4))).toBe(4)
  })

  it('adds up, including pieces, and is an estimate if a part is', () => {
    const sum = addUsage({ ...pieceUsage(1), output: 2 }, { ...NO_USAGE, output: 3, estimated: true })

    expect(sum).toEqual({ ...NO_USAGE, output: 5, pieces: 1, estimated: true })
  })

  it.each([-1, 0.5, NaN, 2 ** 53])('rejects a count of %d tokens', (input) => {
    expect(() => computeReceipt(price, { ...NO_USAGE, input })).toThrow('not a count')
  })

  it('rejects counts whose sum loses digits', () => {
    const usage = { ...NO_USAGE, input: Number.MAX_SAFE_INTEGER, cacheRead: 1 }

    expect(() => computeReceipt(price, usage)).toThrow('too large')
  })

  it('never bills pieces as tokens', () => {
    expect(() => computeReceipt(price, pieceUsage(3))).toThrow('pieces')
  })
})

describe('seconds of audio', () => {
  it('are a thousand tokens per minute for transcription, with started seconds in full', () => {
    expect([0, 0.1, 30, 60, 61.2].map(transcriptionTokens)).toEqual([0, 17, 500, 1000, 1033])
  })

  it('have other rates in a realtime session', () => {
    expect([0, 6, 60].map(audioInputTokens)).toEqual([0, 167, 1667])
    expect([0, 6, 60].map(audioOutputTokens)).toEqual([0, 83, 833])
  })
})
