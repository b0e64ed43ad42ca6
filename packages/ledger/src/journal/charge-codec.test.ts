import { computeReceipt, NO_USAGE, pieceUsage, priceByRatios, toReceiptData, type CallPrice } from '@tidegate/pricing'
import { describe, expect, it } from 'vitest'
import { outcome } from '../../test/books.ts'
import { buildSettlement, type Charge } from '../settlement/settlement.ts'
import { ByteReader, ByteWriter } from './bytes.ts'
import { readCharge, writeCharge } from './charge-codec.ts'
import { TextTable } from './text-table.ts'

const frame = { priceName: 'm', group: 'default', groupRatio: 0.5, quotaPerUnit: 500_000 }
const byToken = priceByRatios(frame, {
  modelRatio: 1.25,
  completionRatio: 4,
  cacheRatio: 0.1,
  cacheWriteRatio: 1.25,
  cacheWrite1hRatio: 2,
  audioRatio: 20,
  audioCompletionRatio: 2,
})
const base = { requestId: '20261118210000123AbCdEfGh', userId: 7, tokenId: 9, tokenUnlimited: false }
const usage = { ...NO_USAGE, input: 900, output: 350, cacheRead: 64 }
const log = {
  ...outcome(0).log,
  createdAt: 1_795_035_600_123,
  isStream: true,
  firstTokenMs: 210,
  timing: { authenticate: 0.12, prompt: 0.07, route: 0.2, credit: 0.05 },
  attempts: [{ channel: 3, dialect: 'openai-chat', milliseconds: 180 }],
  decision: { candidates: 2, passedOver: [], passedOverCount: 0 },
}
const typical: Charge = {
  base,
  outcome: { usage, receipt: computeReceipt(byToken, usage), log },
  charged: computeReceipt(byToken, usage).quota,
  keepLog: true,
}

/** The charge after it was written and read, with the number of its bytes. */
function roundTrip(charge: Charge, texts = new TextTable()) {
  const writer = new ByteWriter()
  writeCharge(writer, texts, charge)
  return { read: readCharge(new ByteReader(writer.view()), texts), size: writer.length }
}

const rowOf = (charge: Charge) =>
  buildSettlement({
    ...charge,
    outcome: { ...charge.outcome, receipt: toReceiptData(charge.outcome.receipt) },
  })

describe('a charge in the journal', () => {
  it('gives the log row that its request gives', () => {
    expect(buildSettlement(roundTrip(typical).read)).toEqual(rowOf(typical))
  })

  it('takes less than 200 bytes, without the texts that a segment has once', () => {
    const texts = new TextTable()
    roundTrip(typical, texts)

    expect(roundTrip(typical, texts).size).toBeLessThan(200)
  })

  it('keeps everything that few requests have', () => {
    const image = { size: '1024x1024', quality: 'hd', sizeRatio: 2, qualityRatio: 1.5, modelRatio: 1 }
    const byPiece: CallPrice = { ...frame, kind: 'call', callPrice: 0.04, image, userGroupRatio: 0.5, basis: 'set' }
    const pieces = { ...pieceUsage(3), estimated: true }
    const receipt = { ...computeReceipt(byPiece, pieces), tiers: [{ inputAbove: 10 }], unpriced: ['output' as const] }
    const rare: Charge = {
      base: { ...base, tokenUnlimited: true },
      outcome: {
        usage: pieces,
        receipt,
        log: {
          ...log,
          isStream: false,
          firstTokenMs: -1000,
          useTimeMs: -5,
          clientIp: '203.0.113.9',
          username: '潮\u0000 "quoted"',
          content: 'a price\nof its own',
          taskId: 12,
          attempts: [
            { channel: 3, dialect: '', milliseconds: 5.25, status: 500, reason: 'status: oops' },
            { channel: 1, dialect: 'anthropic-messages', milliseconds: 7 },
          ],
          decision: { candidates: 2, kept: 0, passedOver: [{ channelId: 9, reason: 'disabled' }], passedOverCount: 4 },
          details: { claude: true, stripped: ['tools'] },
        },
      },
      charged: receipt.quota - 1,
      keepLog: false,
    }

    expect(buildSettlement(roundTrip(rare).read)).toEqual(rowOf(rare))
  })

  it('keeps fractional counts and large amounts exactly', () => {
    const receipt = {
      ...typical.outcome.receipt,
      quota: Number.MAX_SAFE_INTEGER,
      lines: [{ item: 'audioMinute' as const, count: 1 / 60, rate: 0.1 + 0.2 }],
    }
    const { read } = roundTrip({ ...typical, charged: 2 ** 40 + 1, outcome: { ...typical.outcome, receipt } })

    expect(read.charged).toBe(2 ** 40 + 1)
    expect(read.outcome.receipt).toMatchObject({ quota: receipt.quota, lines: receipt.lines })
  })

  it('rejects an amount that is not a natural number', () => {
    for (const charged of [-1, 0.5, NaN, 2 ** 53]) {
      expect(() => roundTrip({ ...typical, charged })).toThrow(RangeError)
    }
  })
})
