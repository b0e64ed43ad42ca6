import { expect, it } from 'vitest'
import { formatPrice } from './format-price.ts'

it.each([
  ['73.00', 'CNY', '¥73.00'],
  ['10.00', 'USD', 'US$10.00'],
  ['151.00', 'JPY', 'JP¥151'],
  ['36.50', 'HUF', 'HUF\u00a036.50'],
  ['5.00', 'points', '5.00 points'],
])('formats %s %s as %s', (money, currency, text) => {
  expect(formatPrice(money, currency, 'zh')).toBe(text)
})
