import { expect, it } from 'vitest'
import { asMarkdown, asParagraphs, fillIn, LINK_PARAGRAPH } from './notification.ts'
import { lowBalanceNotification } from './low-balance.ts'
import { localize } from '../outbox/enqueue.ts'

it('fills placeholders in order and does not parse values', () => {
  expect(fillIn('{{value}} and {{value}}', ['{{value}}', '$&'])).toBe('{{value}} and $&')
  expect(fillIn('{{value}} and {{value}}', ['one'])).toBe('one and ')
})

it('escapes Markdown in values', () => {
  const notification = { content: 'Reason: {{value}}', values: ['<b>[x](javascript:1)</b>\n\n# now'] }

  expect(asMarkdown(notification)).toBe('Reason: \\<b\\>\\[x\\](javascript:1)\\</b\\> \\# now')
})

it('separates paragraphs from the link', () => {
  const content = `{{value}}\n\nLeft: {{value}}\n\n${LINK_PARAGRAPH}`

  expect(asParagraphs({ content, values: ['a\n\nb', '[1](2)', 'text', 'https://gate.example'] })).toEqual({
    paragraphs: ['a\n\nb', 'Left: [1](2)'],
    link: 'https://gate.example',
  })
})

const SETTINGS = { QuotaPerUnit: 500_000, DisplayInCurrencyEnabled: true, ServerAddress: 'https://gate.example/' }
const LINK_TO_WALLET = 'https://gate.example/app/wallet'

it.each([
  [{}, 490_000, '$0.98'],
  [{}, 1_500, '$0.003000'],
  [{}, 0, '$0.00'],
  [{}, -250_000, '-$0.50'],
  [{ DisplayInCurrencyEnabled: false }, 490_000, '490000 points'],
])('shows the remaining amount in money or points: %o %d', (change, left, amount) => {
  const notification = localize(lowBalanceNotification({ ...SETTINGS, ...change }, { left, threshold: 500_000 }), 'en')

  expect(notification.values).toEqual([expect.any(String), amount, LINK_TO_WALLET, LINK_TO_WALLET])
})
