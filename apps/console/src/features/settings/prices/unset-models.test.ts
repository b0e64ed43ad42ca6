import { expect, it } from 'vitest'
import { readPriceList } from './price-list.ts'
import { unsetModels } from './unset-models.ts'

it('finds models on offer that have neither a price nor a ratio, custom assistants by their family', () => {
  const stored = readPriceList({
    ModelPrice: '{"dall-e-3":0.04,"gpt-4-gizmo-*":0.1}',
    ModelRatio: '{"gpt-4o":1.25}',
    CompletionRatio: '{"reef-10":4}',
  })
  const enabled = ['gpt-4o', 'reef-10', 'reef-2', 'dall-e-3', 'gpt-4-gizmo-abc', 'gpt-4o-gizmo-a', 'gpt-4o-gizmo-b']

  expect(unsetModels(enabled, stored)).toEqual(['gpt-4o-gizmo-*', 'reef-2', 'reef-10'])
})
