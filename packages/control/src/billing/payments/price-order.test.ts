import { describe, expect, it } from 'vitest'
import { minimumAmount, priceOrder } from './price-order.ts'

const dollars = {
  DisplayInCurrencyEnabled: true,
  QuotaPerUnit: 500_000,
  MinTopUp: 1,
  TopupGroupRatio: { default: 1, vip: 0.9, free: 0 },
}
const points = { ...dollars, DisplayInCurrencyEnabled: false }
const price = (amount: unknown, { settings = dollars, perDollar = 7.3, group = 'default', decimals = 2 } = {}) =>
  priceOrder(amount, { price: { perDollar, currency: 'CNY', decimals }, group, settings })

describe('an order', () => {
  it.each([
    [10, {}, { quota: 5_000_000, units: '10.000000', money: '73.00' }],
    [1, { perDollar: 0.125 }, { quota: 500_000, units: '1.000000', money: '0.13' }], // half up
    [3, { group: 'vip' }, { quota: 1_500_000, units: '3.000000', money: '19.71' }],
    [1, { perDollar: 150.55, decimals: 0 }, { money: '151.00' }],
    [3, { group: 'free' }, { money: '21.90' }],
    [3, { group: 'unheard-of' }, { money: '21.90' }],
    [750_000, { settings: points }, { quota: 750_000, units: '1.500000', money: '10.95' }],
    [1_000_001, { settings: points }, { quota: 1_000_001, units: '2.000002', money: '14.60' }],
    [9_007_199_254, {}, { money: '65752554554.20' }], // amounts are never floats
  ])('has a price: %s with %o costs %o', (amount, how, expected) => {
    expect(price(amount, how)).toMatchObject(expected)
  })

  it.each([
    [0, {}, 'payment_amount_invalid'],
    [-3, {}, 'payment_amount_invalid'],
    [1.5, {}, 'payment_amount_invalid'],
    ['10', {}, 'payment_amount_invalid'],
    [Number.NaN, {}, 'payment_amount_invalid'],
    [2, { settings: { ...dollars, MinTopUp: 5 } }, 'payment_below_minimum'],
    [499_999, { settings: points }, 'payment_below_minimum'],
    [1, { perDollar: 0.01 }, 'payment_too_small'],
    [9_007_199_254_740_991, {}, 'payment_too_large'],
  ])('is rejected: %s with %o fails with %s', (amount, how, code) => {
    expect(() => price(amount, how)).toThrow(expect.objectContaining({ code }))
  })
})

it('has its minimum in the unit of the site', () => {
  expect(minimumAmount({ ...dollars, MinTopUp: 5 })).toBe(5)
  expect(minimumAmount({ ...points, MinTopUp: 5 })).toBe(2_500_000)
})
