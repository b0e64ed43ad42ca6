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

/** Every suggestion once, with the vendor that has it first. */
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

/** Names that enabled channels serve and that cannot be called, because no offer of them has a price. */
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

/** The models that would have no price on a channel, billed by the same names as requests. */
export function withoutPrice(catalog: Catalog, channel: api.BodyInput<typeof api.findUnpricedModels>): string[] {
  const prefix = channel.model_prefix ?? ''
  const modelMapping = readNameMap(channel.model_mapping ?? '') ?? new Map<string, string>()
  return channel.models.filter(
    (model) => !hasPrice(catalog, { name: prefix + model, model, channel: { modelMapping }, group: '' }),
  )
}
