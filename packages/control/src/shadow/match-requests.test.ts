import { pieceUsage, priceByRatios, type ModelPrice } from '@tidegate/pricing'
import { expect, it } from 'vitest'
import { estimateCost } from './match-requests.ts'

const frame = { priceName: 'm', group: 'default', groupRatio: 1.5, quotaPerUnit: 500_000 }
const perToken = priceByRatios(frame, {
  modelRatio: 0.075,
  completionRatio: 4,
  cacheRatio: 1,
  cacheWriteRatio: 1,
  cacheWrite1hRatio: 1,
  audioRatio: 1,
  audioCompletionRatio: 1,
})
const perPiece: ModelPrice = { ...frame, kind: 'call', callPrice: 0.04 }

it('prices tokens of the old log exactly', () => {
  // (1000 + 4 × 500) × 0.075 × 1.5 = 337.5
  expect(estimateCost({ price: perToken }, { prompt: 1000, completion: 500 })).toBe(338)
  expect(estimateCost({ price: perToken }, { prompt: 0, completion: 0 })).toBe(0)
})

it('prices units by the ordered amount', () => {
  expect(estimateCost({ price: perPiece, usage: pieceUsage(3) }, { prompt: 77, completion: 0 })).toBe(90_000)
})

it('returns null for rejected requests and invalid counts', () => {
  expect(estimateCost(null, { prompt: 1000, completion: 500 })).toBeNull()
  expect(estimateCost({ price: perToken }, { prompt: -1, completion: 0 })).toBeNull()
})

it('parses stored pricing', () => {
  const stored = JSON.parse(JSON.stringify({ price: perToken })) as { price: ModelPrice }

  expect(estimateCost(stored, { prompt: 1000, completion: 500 })).toBe(338)
})
