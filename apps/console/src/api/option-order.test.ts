import { expect, it } from 'vitest'
import { saveOrder } from './option-order.ts'

it('turns off first and on last, and clears before it fills', () => {
  const changes = [
    { key: 'stripe.enabled', value: 'true' },
    { key: 'fallback_input_ratio', value: '2' },
    { key: 'fallback_single_price', value: '' },
    { key: 'fallback_pricing_enabled', value: 'false' },
    { key: 'stripe.secret_key', value: 'sk' },
  ] as const

  expect(saveOrder(changes).map(({ key }) => key)).toEqual([
    'fallback_pricing_enabled',
    'fallback_single_price',
    'fallback_input_ratio',
    'stripe.secret_key',
    'stripe.enabled',
  ])
})

it('opens a way in before it closes another', () => {
  const changes = [
    { key: 'PasswordLoginEnabled', value: 'false' },
    { key: 'GitHubOAuthEnabled', value: 'true' },
  ] as const

  expect(saveOrder(changes).map(({ key }) => key)).toEqual(['GitHubOAuthEnabled', 'PasswordLoginEnabled'])
})
