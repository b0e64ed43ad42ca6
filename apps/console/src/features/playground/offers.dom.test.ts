import type { PricedModel } from '@tidegate/contract/api'
import { expect, it } from 'vitest'
import { hasVision, modelsOfGroup, offeredModel } from './offers.ts'

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

it('offers the models of the group', () => {
  const models = [model('a'), model('b', { enable_groups: ['vip'] })]

  expect(modelsOfGroup(models, 'vip').map(({ model_name }) => model_name)).toEqual(['b'])
  expect(modelsOfGroup(models, '')).toHaveLength(2)
})

it('keeps an offered model, else uses the default model, else the first one', () => {
  expect(offeredModel('b', [model('a'), model('b')])).toBe('b')
  expect(offeredModel('gone', [model('a'), model('gpt-4o-mini')])).toBe('gpt-4o-mini')
  expect(offeredModel('gone', [model('a'), model('b')])).toBe('a')
  expect(offeredModel('gone', [])).toBe('gone')
})

it('returns whether a model supports images', () => {
  const models = [model('a', { abilities: ['vision'] }), model('b')]

  expect([hasVision(models, 'a'), hasVision(models, 'b'), hasVision(models, 'c')]).toEqual([true, false, false])
})
