import type { PricedModel } from '@tidegate/contract/api'
import { describe, expect, it } from 'vitest'
import { isFiltered, readView, selectModels, vendorsOf } from './pricing-filters.ts'

const model = (model_name: string, changes: Partial<PricedModel> = {}): PricedModel => ({
  model_name,
  quota_type: 0,
  model_ratio: 1,
  model_price: 0,
  owner_by: '',
  completion_ratio: 1,
  enable_groups: ['default'],
  priced_group: 'default',
  abilities: [],
  ...changes,
})

const MODELS = [
  model('claude-sonnet', { owner_by: 'Anthropic', model_ratio: 1.5, abilities: ['vision', 'tools'], context: 200_000 }),
  model('dall-e-3', { owner_by: 'OpenAI', quota_type: 1, model_price: 0.04, model_ratio: 0 }),
  model('gpt-4o', { owner_by: 'OpenAI', model_ratio: 1.25, abilities: ['vision'], context: 128_000 }),
  model('tiny', { model_ratio: 0.1, enable_groups: ['vip'] }),
]

const found = (search: string) =>
  selectModels(MODELS, readView(new URLSearchParams(search)), {
    ratios: { default: 1, vip: 20 },
    ownGroup: 'default',
  }).map(({ model_name }) => model_name)

describe('the price list', () => {
  it('is searched by words of the model name and the provider', () => {
    expect(found('keyword=OPENAI%20gpt')).toEqual(['gpt-4o'])
  })

  it('is filtered by provider, group, billing type and all selected abilities', () => {
    expect(found('vendor=OpenAI')).toEqual(['dall-e-3', 'gpt-4o'])
    expect(found('group=vip')).toEqual(['tiny'])
    expect(found('billing=call')).toEqual(['dall-e-3'])
    expect(found('abilities=vision,tools,nonsense')).toEqual(['claude-sonnet'])
  })

  it('is sorted by the price in the group, with prices per request after prices per token', () => {
    expect(found('sort=cheap')).toEqual(['gpt-4o', 'claude-sonnet', 'tiny', 'dall-e-3'])
    expect(found('sort=dear')).toEqual(['tiny', 'claude-sonnet', 'gpt-4o', 'dall-e-3'])
    expect(found('sort=context').slice(0, 2)).toEqual(['claude-sonnet', 'gpt-4o'])
  })

  it('lists each provider once', () => {
    expect(vendorsOf(MODELS)).toEqual(['Anthropic', 'OpenAI'])
  })

  it('does not count order and unit as filters', () => {
    expect(isFiltered(readView(new URLSearchParams('sort=cheap&unit=ratio')))).toBe(false)
    expect(isFiltered(readView(new URLSearchParams('abilities=pdf')))).toBe(true)
  })
})
