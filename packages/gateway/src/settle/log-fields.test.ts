import { computeReceipt, NO_USAGE, priceByRatios, recomputeQuota, type CallPrice } from '@tidegate/pricing'
import { describe, expect, it } from 'vitest'
import { describeRequest, describePrice } from './log-fields.ts'

const frame = { priceName: 'm', group: 'default', groupRatio: 0.5, quotaPerUnit: 500_000 }
const byCall: CallPrice = { ...frame, kind: 'call', callPrice: 0.1 }
const RATIOS = {
  modelRatio: 1.5,
  completionRatio: 5,
  cacheRatio: 0.1,
  cacheWriteRatio: 1.25,
  cacheWrite1hRatio: 2,
  audioRatio: 20,
  audioCompletionRatio: 2,
}
const byToken = priceByRatios(frame, RATIOS)
const tried = [
  { channel: 3, dialect: 'openai-chat', milliseconds: 5, status: 500, reason: 'status: oops' },
  { channel: 1, dialect: 'anthropic-messages', milliseconds: 7 },
]
const record = {
  request: { model: 'm', dialect: 'openai-chat' as const },
  attempt: { route: { model: 'm', mapped: false }, tried },
  decision: { candidates: 2, passedOver: [{ channelId: 9, reason: 'cooling-down' as const }], passedOverCount: 1 },
  timing: { authenticate: 0.1 },
}

describe('the log row of a request', () => {
  it('shows how it was served, and the factors of its price', () => {
    const usage = { ...NO_USAGE, input: 5, output: 2 }
    const receipt = computeReceipt(byToken, usage)

    const other = describeRequest(record, receipt, usage, 12)

    expect(other).toMatchObject({
      model_ratio: 1.5,
      group_ratio: 0.5,
      frt: 12,
      timing: { authenticate: 0.1 },
      admin_info: { use_channel: ['3', '1'], attempts: tried, decision: record.decision },
    })
    expect(recomputeQuota({ promptTokens: 5, completionTokens: 2, other })).toBe(receipt.quota)
  })

  it("names the provider's model only when it differs", () => {
    const usage = { ...NO_USAGE, input: 1 }
    const mapped = { ...record, attempt: { ...record.attempt, route: { model: 'm', mapped: true } } }

    expect(describeRequest(record, computeReceipt(byToken, usage), usage, 1)).not.toHaveProperty('upstream_model_name')
    expect(describeRequest(mapped, computeReceipt(byToken, usage), usage, 1)).toMatchObject({
      is_model_mapped: true,
      upstream_model_name: 'm',
    })
  })

  it("marks Anthropic's protocol, whose rows read differently, and the requested effort", () => {
    const usage = { ...NO_USAGE, input: 1 }
    const claude = {
      ...record,
      request: { model: 'm', dialect: 'anthropic-messages' as const },
      attempt: { ...record.attempt, reasoningEffort: 'high' },
    }

    const other = describeRequest(claude, computeReceipt(byToken, usage), usage, 1)

    expect(other).toMatchObject({ claude: true, reasoning_effort: 'high' })
  })

  it('describes a price per request and a price per token', () => {
    const usage = { ...NO_USAGE, input: 1 }

    expect(describePrice(computeReceipt(byCall, usage), usage)).toBe('model price 0.10, group ratio 0.50')
    expect(describePrice(computeReceipt(byToken, usage), usage)).toContain('completion ratio 5.00')
    const fine = priceByRatios({ ...frame, groupRatio: 0.333333 }, { ...RATIOS, modelRatio: 0.075 })
    expect(describePrice(computeReceipt(fine, usage), usage)).toBe(
      'model ratio 0.075, completion ratio 5.00, group ratio 0.333333',
    )
  })

  it('notes when the counts are our own, or missing', () => {
    const estimated = { ...NO_USAGE, input: 5, estimated: true }

    expect(describePrice(computeReceipt(byToken, estimated), estimated)).toContain('counted here')
    expect(describeRequest(record, computeReceipt(byToken, estimated), estimated, 1)).toMatchObject({ estimated: true })
    expect(describePrice(computeReceipt(byToken, NO_USAGE), NO_USAGE)).toContain('possibly upstream timeout')
  })
})
