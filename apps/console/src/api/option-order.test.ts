import { expect, it } from 'vitest'
import { saveOrder } from './option-order.ts'

it('disables options first, enables them last, and clears values before it sets others', () => {
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

it('enables a sign-in method before it disables another', () => {
  const changes = [
    { key: 'PasswordLoginEnabled', value: 'false' },
    { key: 'GitHubOAuthEnabled', value: 'true' },
  ] as const

  expect(saveOrder(changes).map(({ key }) => key)).toEqual(['GitHubOAuthEnabled', 'PasswordLoginEnabled'])
})
