import { readSettings } from '@tidegate/contract'
import { describe, expect, it } from 'vitest'
import { imagePriceOf } from '../../src/image-price.ts'
import { logFactors, toReceiptData } from '../../src/log-row.ts'
import { priceOf, type PriceBook } from '../../src/price-book.ts'
import { computeReceipt } from '../../src/receipt.ts'
import { recomputeQuota } from '../../src/recompute.ts'
import { taskPriceOf } from '../../src/task-price.ts'
import { completionTokens, NO_USAGE, promptTokens, type Usage } from '../../src/usage.ts'
import { audioCases } from './audio.ts'
import { cacheCases } from './cache.ts'
import { callCases } from './calls.ts'
import type { GoldenCase } from './golden-case.ts'
import { imageCases } from './images.ts'
import { lookUpCases } from './look-up.ts'
import { roundingCases } from './rounding.ts'
import { textCases } from './text.ts'

const newSite: PriceBook = readSettings(new Map())

/** Some models cost more during working hours. */
const SATURDAY = new Date('2026-11-14T12:00:00Z')

function priceFor({ model, settings, query, image, task }: GoldenCase) {
  const book = { ...newSite, ...settings }
  const priceQuery = { modelName: model, upstreamName: model, group: 'default', acceptUnset: false, ...query }
  if (task) return taskPriceOf(book, priceQuery)
  return image ? imagePriceOf(book, priceQuery, image) : priceOf(book, priceQuery)
}

/** The log row of a request: counts in columns, factors as JSON text. */
function logRow(receipt: ReturnType<typeof computeReceipt>, usage: Usage) {
  return {
    promptTokens: promptTokens(usage),
    completionTokens: completionTokens(usage),
    other: JSON.parse(JSON.stringify(logFactors(toReceiptData(receipt), usage))) as Record<string, unknown>,
  }
}

describe.each([
  ['by tokens', textCases],
  ['with a cache', cacheCases],
  ['with audio', audioCases],
  ['of images', imageCases],
  ['per request', callCases],
  ['by price lookup', lookUpCases],
  ['at the limits of rounding', roundingCases],
])('receipts %s', (_, cases) => {
  it.each(cases.map((entry) => [entry.name, entry.calculation, entry] as const))(
    'are correct for %s: %s',
    (_name, _calculation, entry) => {
      const usage = { ...NO_USAGE, ...entry.usage }

      const receipt = computeReceipt(priceFor(entry), usage, SATURDAY)

      expect(receipt.quota).toBe(entry.quota)
      expect(recomputeQuota(logRow(receipt, usage))).toBe(entry.quota)
    },
  )
})

it('the table has at least 120 receipts', () => {
  const all = [textCases, cacheCases, audioCases, imageCases, callCases, lookUpCases, roundingCases].flat()

  expect(all.length).toBeGreaterThanOrEqual(120)
})
