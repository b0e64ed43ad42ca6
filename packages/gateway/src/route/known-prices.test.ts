import { ApiError } from '@tidegate/contract'
import { expect, it } from 'vitest'
import { aCatalog } from '../../test/support/catalog.ts'
import { knownPrice } from './candidates.ts'

const question = { modelName: 'm', upstreamName: 'm', group: 'default', acceptUnset: false, userGroup: 'default' }

it('computes a price once per catalog, and again for the next', () => {
  const catalog = aCatalog([], { ModelRatio: { m: 2 } })
  const price = knownPrice(catalog, question)

  expect(knownPrice(catalog, { ...question })).toBe(price)
  expect(knownPrice(aCatalog([], { ModelRatio: { m: 3 } }), question)).toMatchObject({ quotaPerRate: 3_000_000 })
})

it.each([
  ['group', { group: 'vip' }, { groupRatio: 0.5 }],
  ['name at the provider', { upstreamName: 'n' }, { quotaPerRate: 7_000_000 }],
  ['setting for models without a price', { modelName: 'x', upstreamName: 'x', acceptUnset: true }, { basis: 'unset' }],
])('distinguishes requests by their %s', (_, change, expected) => {
  const catalog = aCatalog([], { ModelRatio: { m: 2, n: 7 }, GroupRatio: { default: 1, vip: 0.5 } })
  knownPrice(catalog, question)

  expect(knownPrice(catalog, { ...question, ...change })).toMatchObject(expected)
})

it('throws for a model without a price each time', () => {
  const catalog = aCatalog([], { ModelRatio: {} })
  for (let turn = 0; turn < 2; turn += 1) {
    expect(() => knownPrice(catalog, { ...question, modelName: 'x', upstreamName: 'x' })).toThrow(ApiError)
  }
})
