import { describe, expect, it } from 'vitest'
import { readDetails } from './read-details.ts'

describe('readDetails', () => {
  it('looks up field names per payment service, because equal names differ in meaning', () => {
    expect(readDetails('epay', { type: 'alipay' })).toMatchObject([{ key: 'epay.type', meaning: 'alipay' }])
    expect(readDetails('stripe', { type: 'alipay' })).toMatchObject([{ key: 'stripe.type', meaning: undefined }])
    expect(readDetails('barter', { type: 'goats' })).toEqual([
      { name: 'type', key: undefined, text: 'goats', meaning: undefined },
    ])
  })

  it('puts unknown fields after known ones, and keeps zeros', () => {
    expect(readDetails('epay', { buyer: { id: 3 }, status: 0 })).toMatchObject([
      { key: 'epay.status', text: '0', meaning: 'unpaid' },
      { name: 'buyer', key: undefined, text: '{"id":3}' },
    ])
  })

  it('omits empty fields', () => {
    expect(readDetails('epay', { param: '', money: null, code: undefined })).toEqual([])
  })
})
