import type { PricedModel } from '@tidegate/contract/api'
import { expect, it } from 'vitest'
import { modelToUse, offeredIn, seesPictures } from './offered-models.ts'

const model = (model_name: string, fields: Partial<PricedModel> = {}): PricedModel => ({
  model_name,
  quota_type: 0,
  model_ratio: 1,
  model_price: 0,
  owner_by: '',
  completion_ratio: 1,
  enable_groups: ['default'],
  priced_group: 'default',
  abilities: [],
  ...fields,
})

it('offers what the group has', () => {
  const models = [model('a'), model('b', { enable_groups: ['vip'] })]

  expect(offeredIn(models, 'vip').map(({ model_name }) => model_name)).toEqual(['b'])
  expect(offeredIn(models, '')).toHaveLength(2)
})

it('uses what was chosen before, else the usual model, else the first', () => {
  expect(modelToUse('b', [model('a'), model('b')])).toBe('b')
  expect(modelToUse('gone', [model('a'), model('gpt-4o-mini')])).toBe('gpt-4o-mini')
  expect(modelToUse('gone', [model('a'), model('b')])).toBe('a')
  expect(modelToUse('gone', [])).toBe('gone')
})

it('knows who looks at pictures', () => {
  const models = [model('a', { abilities: ['vision'] }), model('b')]

  expect([seesPictures(models, 'a'), seesPictures(models, 'b'), seesPictures(models, 'c')]).toEqual([
    true,
    false,
    false,
  ])
})
