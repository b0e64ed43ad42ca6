import { api, DEFAULT_PRICES, type ServiceTerms } from '@tidegate/contract'
import {
  completionTokens,
  computeReceipt,
  logFactors,
  toReceiptData,
  NO_USAGE,
  priceOf,
  promptTokens,
  type Usage,
} from '@tidegate/pricing'
import type { ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSettlement, settle } from '../../test/usage-log.ts'
import { startTestSite, type TestSite } from '../../test/start-site.ts'

let site: TestSite
let root: ApiClient
const DAY = 86_400_000
const NOON = Date.UTC(2026, 5, 10, 12)
const at = (days: number) => new Date(NOON - days * DAY)

beforeAll(async () => {
  site = await startTestSite({ now: () => new Date(NOON) })
  await site.initialise()
  root = await site.signedIn('root')
})
afterAll(() => site.close())

const set = (key: string, value: string) => root.call(api.updateOption, { body: { key, value } })
const settings = () => site.deps.catalog().settings

describe('a price preset', () => {
  const preset = (source: api.PriceSource) => root.call(api.getPricePreset, { query: { source } })

  it('has provider prices under their own names, under reseller names, or both', async () => {
    const flexible = await preset('flexible')
    const openrouter = await preset('openrouter')
    const mixed = await preset('mixed')

    expect(flexible.model_ratio).toMatchObject({ 'claude-3-7-sonnet-20250219': 1.5, 'gpt-4o': 1.25 })
    expect(flexible.completion_ratio['gpt-4o']).toBe(4)
    expect(openrouter.model_ratio).toMatchObject({ 'anthropic/claude-3-7-sonnet-20250219': 1.5, 'openai/gpt-4o': 1.25 })
    expect(openrouter.model_ratio).not.toHaveProperty('gpt-4o')
    expect(mixed.model_ratio).toMatchObject({ 'gpt-4o': 1.25, 'openai/gpt-4o': 1.25 })
    expect(flexible.version).toMatch(/^\d{4}-/)
  })

  it('has only completion ratios for legacy models', async () => {
    const legacy = await preset('legacy')

    expect(legacy.completion_ratio).toMatchObject({ 'gpt-4o-gizmo-*': 3, 'claude-2.1': 3 })
    expect([legacy.model_ratio, legacy.model_price, legacy.cache_ratio]).toEqual([{}, {}, {}])
  })

  it('requires the super admin', async () => {
    const admin = await site.signedIn('admin')

    await expect(admin.call(api.getPricePreset, { query: { source: 'mixed' } })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(admin.call(api.resetModelRatio)).rejects.toMatchObject({ code: 'forbidden' })
  })
})

it('resets the model ratios to the defaults and records it', async () => {
  await set('ModelRatio', '{"mine": 7}')
  expect(settings().ModelRatio).toEqual({ mine: 7 })

  await root.call(api.resetModelRatio)

  expect(settings().ModelRatio).toEqual(DEFAULT_PRICES.modelRatio)
  const events = await site.db
    .selectFrom('audit_event')
    .select('details')
    .where('subject', '=', 'ModelRatio')
    .orderBy('id')
    .execute()
  expect(events.at(-1)?.details).toMatchObject({ before: '{"mine":7}' })
})

describe('fallback prices', () => {
  const check = (body: object) => root.call(api.validateFallbackPricing, { body })

  it.each([
    { enabled: true, single_price: 0.1 },
    { enabled: true, input_ratio: '2', completion_ratio: '3' },
    { enabled: false },
  ])('accept %j', async (body) => {
    await expect(check(body)).resolves.toBeUndefined()
  })

  it.each([
    [{ enabled: true }, 'option_guard_fallback_incomplete'],
    [{ enabled: true, input_ratio: 2 }, 'option_guard_fallback_incomplete'],
    [{ enabled: true, single_price: 1, input_ratio: 2, completion_ratio: 3 }, 'option_guard_fallback_mixed'],
    [{ enabled: true, single_price: '-1' }, 'option_invalid'],
    [{ enabled: true, single_price: 'much' }, 'option_invalid'],
  ])('reject %j: %s', async (body, code) => {
    const before = settings()

    await expect(check(body)).rejects.toMatchObject({ code })

    expect(settings()).toBe(before)
  })
})

describe('the price simulation', () => {
  const simulate = (...changes: { key: (typeof api.SIMULATED_OPTIONS)[number]; value: string }[]) =>
    root.call(api.simulatePrices, { body: { changes } })

  it('is empty without requests', async () => {
    expect(await simulate({ key: 'GroupRatio', value: '{"default": 2}' })).toMatchObject({
      from: Math.floor(NOON / DAY) * 86_400,
      billed: 0,
      before: 0,
      after: 0,
      rows: [],
    })
  })

  it('shows the change per model and group without storing anything', async () => {
    const user = await site.signedIn('user')
    const call = (days: number, model: string, group: string, quota: number) =>
      createSettlement(user.userId!, at(days), {
        requestId: `${model}-${group}-${days}`,
        quota,
        promptTokens: 1000,
        completionTokens: 100,
        log: { modelName: 'alias', group, other: { price_name: model, model_price: -1, cache_tokens: 200 } },
      })
    await set('ModelRatio', '{"fine": 1, "coarse": 2, "gone": 1}')
    await set('CompletionRatio', '{"fine": 4, "coarse": 1, "gone": 1}')
    await set('CacheRatio', '{"fine": 0.5}')
    await set('GroupRatio', '{"default": 1, "vip": 0.5}')
    await settle(site, [
      call(0, 'fine', 'default', 1300),
      call(1, 'fine', 'default', 1300),
      call(6, 'fine', 'vip', 650),
      call(2, 'coarse', 'default', 2200),
      call(3, 'gone', 'default', 1100),
      call(8, 'fine', 'default', 9999),
    ])
    const before = settings()

    const result = await simulate(
      { key: 'ModelRatio', value: '{"fine": 1, "coarse": 3}' },
      { key: 'GroupRatio', value: '{"default": 1, "vip": 1}' },
    )

    expect(result.rows).toEqual([
      {
        model_name: 'coarse',
        group: 'default',
        requests: 1,
        tokens: 1100,
        billed: 2200,
        before: 2200,
        after: 3300,
        basis: 'requests',
      },
      {
        model_name: 'gone',
        group: 'default',
        requests: 1,
        tokens: 1100,
        billed: 1100,
        before: 1100,
        basis: 'requests',
      },
      {
        model_name: 'fine',
        group: 'vip',
        requests: 1,
        tokens: 1100,
        billed: 650,
        before: 650,
        after: 1300,
        basis: 'requests',
      },
      {
        model_name: 'fine',
        group: 'default',
        requests: 2,
        tokens: 2200,
        billed: 2600,
        before: 2600,
        after: 2600,
        basis: 'requests',
      },
    ])
    expect(result).toMatchObject({ billed: 6550, before: 6550, after: 7200, others: { rows: 0 } })
    expect(result.from).toBe((Math.floor(NOON / DAY) - 6) * 86_400)
    expect(settings()).toBe(before)
  })

  it('includes tiers and fees of logged requests', async () => {
    const user = await site.signedIn('user')
    const card = {
      rates: { input: 2, output: 10 },
      tiers: [
        { when: { inputAbove: 1000 }, rates: { input: 4, output: 20 } },
        { when: { serviceTier: 'priority' }, multiply: 2 },
      ],
      fees: { webSearch: 0.01 },
    }
    await set('ModelRates', JSON.stringify({ carded: card }))
    const settledRequest = (requestId: string, changes: Partial<Usage>, terms: ServiceTerms = {}) => {
      const usage = { ...NO_USAGE, ...changes, terms }
      const price = priceOf(settings(), {
        modelName: 'carded',
        upstreamName: 'carded',
        group: 'default',
        acceptUnset: false,
      })
      const receipt = computeReceipt(price, usage, at(1))
      return createSettlement(user.userId!, at(1), {
        requestId,
        quota: receipt.quota,
        promptTokens: promptTokens(usage),
        completionTokens: completionTokens(usage),
        log: { modelName: 'carded', other: logFactors(toReceiptData(receipt), usage) },
      })
    }
    const settlements = [
      settledRequest('short', { input: 900, output: 100 }),
      settledRequest('long', { input: 2000, output: 100 }),
      settledRequest('fast', { input: 500, output: 100 }, { serviceTier: 'priority' }),
      settledRequest('searching', { input: 500, output: 100 }, { fees: [{ fee: 'webSearch', count: 3 }] }),
    ]
    await settle(site, settlements)
    const billed = settlements.reduce((sum, { quota }) => sum + quota, 0)

    const same = await simulate({ key: 'ModelRates', value: JSON.stringify({ carded: card }) })
    expect(same.rows.find(({ model_name }) => model_name === 'carded')).toMatchObject({
      billed,
      before: billed,
      after: billed,
      basis: 'requests',
    })

    const dearer = { ...card, tiers: card.tiers.slice(1), fees: { webSearch: 0.02 } }
    const other = await simulate({ key: 'ModelRates', value: JSON.stringify({ carded: dearer }) })
    // 1 USD per 1,000,000 tokens is half a quota per token; three searches cost 0.03 USD more.
    const tierLost = (2000 * 2 + 100 * 10) / 2
    expect(other.rows.find(({ model_name }) => model_name === 'carded')?.after).toBe(billed - tierLost + 15_000)

    await site.db.deleteFrom('usage_log').where('model_name', '=', 'carded').execute()
    const sums = await simulate({ key: 'ModelRates', value: JSON.stringify({ carded: dearer }) })
    expect(sums.rows.find(({ model_name }) => model_name === 'carded')).toMatchObject({ basis: 'sums' })
  })

  it('rejects values that could not be stored', async () => {
    await expect(simulate({ key: 'GroupRatio', value: '{"default": -1}' })).rejects.toMatchObject({
      code: 'option_invalid',
    })
    await expect(
      simulate({ key: 'fallback_single_price', value: '1' }, { key: 'fallback_input_ratio', value: '1' }),
    ).rejects.toMatchObject({ code: 'option_guard_fallback_mixed' })
  })

  it('uses the operator’s completion ratio of a model with another family ratio', async () => {
    const user = await site.signedIn('user')
    await set('ModelRatio', '{"gpt-4o-mini": 1}')
    await set('CompletionRatio', '{"gpt-4o-mini": 4}')
    const other = { price_name: 'gpt-4o-mini', model_price: -1 }
    const log = { modelName: 'gpt-4o-mini', group: 'default', other }
    const used = { quota: 1400, promptTokens: 1000, completionTokens: 100 }
    await settle(site, [createSettlement(user.userId!, at(1), { requestId: 'own-output', ...used, log })])

    const { rows } = await simulate({ key: 'CompletionRatio', value: '{"gpt-4o-mini": 1}' })

    const row = rows.find(({ model_name }) => model_name === 'gpt-4o-mini')
    expect(row).toMatchObject({ before: 1400, after: 1100 })
  })
})

describe('the rate card of a model', () => {
  const cardOf = (model: string) => root.call(api.getListPrice, { query: { model } })

  it('is that of the price list, next to the current price', async () => {
    await set('ModelRates', '{}')
    await root.call(api.resetModelRatio)
    await set('ModelRatio', JSON.stringify({ ...settings().ModelRatio, 'gpt-5.4': 2 }))

    const { model, list, current, version, schedules } = await cardOf('gpt-5.4')

    expect(model).toBe('gpt-5.4')
    expect(version).toMatch(/^\d{4}-/)
    expect(schedules).toHaveProperty('deepseek-peak.days', 'Mon-Fri')
    expect(list).toMatchObject({
      rates: { input: 2.5 },
      tiers: expect.arrayContaining([{ when: { inputAbove: 272_000 }, rates: expect.anything() }]),
    })
    expect(current?.rates).toMatchObject({ input: 4 })
    expect(current?.rates).not.toHaveProperty('audioInput')
    expect(current?.fees?.webSearch).toBeCloseTo(0.016)
  })

  it('is empty for a model without any price', async () => {
    expect(await cardOf('nobody-knows')).toEqual({ version: expect.any(String), schedules: expect.anything() })
  })

  it('is a fee per request for models billed per request', async () => {
    await set('ModelPrice', '{"per-call": 0.1}')

    expect((await cardOf('per-call')).current).toEqual({ fees: { request: 0.1 } })
  })
})
