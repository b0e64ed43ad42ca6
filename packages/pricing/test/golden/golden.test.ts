import { readSettings } from '@tidegate/contract'
import { describe, expect, it } from 'vitest'
import { imagePriceOf } from '../../src/image-price.ts'
import { logFactors } from '../../src/log-factors.ts'
import { priceOf, type PriceBook } from '../../src/price-book.ts'
import { computeReceipt } from '../../src/receipt.ts'
import { recomputeQuota } from '../../src/recompute.ts'
import { taskPriceOf } from '../../src/task-price.ts'
import { completionTokens, NO_USAGE, promptTokens, type Usage } from '../../src/usage.ts'
import { audioBills } from './audio.ts'
import { cacheBills } from './cache.ts'
import { callBills } from './calls.ts'
import type { GoldenCase } from './golden-case.ts'
import { imageBills } from './images.ts'
import { lookUpBills } from './look-up.ts'
import { roundingBills } from './rounding.ts'
import { textBills } from './text.ts'

const newSite: PriceBook = readSettings(new Map())

/** Some models cost more during working hours. */
const SATURDAY = new Date('2026-11-14T12:00:00Z')

function priceFor({ model, settings, question, image, task }: GoldenCase) {
  const book = { ...newSite, ...settings }
  const asked = { modelName: model, upstreamName: model, group: 'default', acceptUnset: false, ...question }
  if (task) return taskPriceOf(book, asked)
  return image ? imagePriceOf(book, asked, image) : priceOf(book, asked)
}

/** What a log row keeps of a request: counts in columns, factors as JSON text. */
function logRow(receipt: ReturnType<typeof computeReceipt>, usage: Usage) {
  return {
    promptTokens: promptTokens(usage),
    completionTokens: completionTokens(usage),
    other: JSON.parse(JSON.stringify(logFactors(receipt, usage))) as Record<string, unknown>,
  }
}

describe.each([
  ['by tokens', textBills],
  ['with a cache', cacheBills],
  ['with sound', audioBills],
  ['of images', imageBills],
  ['per call', callBills],
  ['by look-up', lookUpBills],
  ['at the edges of rounding', roundingBills],
])('receipts %s', (_, bills) => {
  it.each(bills.map((bill) => [bill.of, bill.working, bill] as const))(
    'are correct for %s: %s',
    (_of, _working, bill) => {
      const usage = { ...NO_USAGE, ...bill.usage }

      const receipt = computeReceipt(priceFor(bill), usage, SATURDAY)

      expect(receipt.quota).toBe(bill.quota)
      expect(recomputeQuota(logRow(receipt, usage))).toBe(bill.quota)
    },
  )
})

it('the table has at least 120 receipts', () => {
  const all = [textBills, cacheBills, audioBills, imageBills, callBills, lookUpBills, roundingBills].flat()

  expect(all.length).toBeGreaterThanOrEqual(120)
})
