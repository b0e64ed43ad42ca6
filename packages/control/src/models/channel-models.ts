import { CHANNEL_TYPES } from '@tidegate/providers'
import type { api } from '@tidegate/contract'
import { readNameMap, type Catalog } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import { offersIn } from './groups.ts'
import { hasPrice } from './price-list.ts'

/** Suggestions by channel type. */
export function suggestedModels(): Record<string, string[]> {
  return Object.fromEntries([...CHANNEL_TYPES].map(([type, { models = [] }]) => [String(type), [...models]]))
}

/** All suggested models, with the first provider that has them. */
export function knownModels() {
  const owners = new Map<string, string>()
  for (const { id, models = [] } of CHANNEL_TYPES.values()) {
    for (const model of models) if (!owners.has(model)) owners.set(model, id)
  }
  return [...owners].map(([id, owned_by]) => ({ id, object: 'model' as const, owned_by }))
}

export function enabledModels({ catalog }: Pick<Deps, 'catalog'>): string[] {
  const { groups, modelsFor } = catalog()
  const models = new Set([...groups].flatMap((group) => modelsFor(group)))
  return [...models].toSorted(new Intl.Collator('en', { numeric: true }).compare)
}

/** Models of enabled channels that cannot be called, because they have no price. */
export function unpricedModels(catalog: Catalog): string[] {
  const priced = new Set<string>()
  const all = new Set<string>()
  for (const group of catalog.groups) {
    for (const offer of offersIn(catalog, group, group)) {
      all.add(offer.name)
      if (!priced.has(offer.name) && hasPrice(catalog, { ...offer, group })) priced.add(offer.name)
    }
  }
  return [...all].filter((name) => !priced.has(name)).toSorted(new Intl.Collator('en', { numeric: true }).compare)
}

/** Models that would have no price on a channel, by the names that requests are billed with. */
export function withoutPrice(catalog: Catalog, channel: api.BodyInput<typeof api.findUnpricedModels>): string[] {
  const prefix = channel.model_prefix ?? ''
  const modelMapping = readNameMap(channel.model_mapping ?? '') ?? new Map<string, string>()
  return channel.models.filter(
    (model) => !hasPrice(catalog, { name: prefix + model, model, channel: { modelMapping }, group: '' }),
  )
}
