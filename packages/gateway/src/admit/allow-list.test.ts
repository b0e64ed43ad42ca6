import { describe, expect, it } from 'vitest'
import { isAddressAllowed } from './access.ts'

describe('isAddressAllowed', () => {
  it.each([
    ['', '1.2.3.4', true],
    [' \n\n', '1.2.3.4', true],
    ['1.2.3.4', '1.2.3.4', true],
    ['1.2.3.4', '1.2.3.5', false],
    [' 1.2.3.4 ,\n5.6.7.8', '5.6.7.8', true],
    ['10.0.0.0/8', '10.9.8.7', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['10.0.0.0/8', '::ffff:10.0.0.1', true],
    ['2001:db8::/32', '2001:db8:1::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['nonsense', '1.2.3.4', false],
    ['1.2.3.4/33', '1.2.3.4', false],
    ['nonsense\n1.2.3.4', '1.2.3.4', true],
    ['1.2.3.4', 'unknown', false],
  ])('checks addresses: the list %j allows %s: %s', (list, address, allowed) => {
    expect(isAddressAllowed(list, address)).toBe(allowed)
  })
})
