import { describe, expect, it } from 'vitest'
import { readDetails } from './read-details.ts'

describe('what a payment service said', () => {
  it('is named by the service it comes from: the same name means another thing elsewhere', () => {
    expect(readDetails('epay', { type: 'alipay' })).toMatchObject([{ key: 'epay.type', meaning: 'alipay' }])
    expect(readDetails('stripe', { type: 'alipay' })).toMatchObject([{ key: 'stripe.type', meaning: undefined }])
    expect(readDetails('barter', { type: 'goats' })).toEqual([
      { name: 'type', key: undefined, text: 'goats', meaning: undefined },
    ])
  })

  it('keeps what has no name of ours after what has one, and numbers that are nought', () => {
    expect(readDetails('epay', { buyer: { id: 3 }, status: 0 })).toMatchObject([
      { key: 'epay.status', text: '0', meaning: 'unpaid' },
      { name: 'buyer', key: undefined, text: '{"id":3}' },
    ])
  })

  it('leaves out what holds nothing', () => {
    expect(readDetails('epay', { param: '', money: null, code: undefined })).toEqual([])
  })
})
