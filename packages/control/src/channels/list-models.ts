import { CHANNEL_TYPES } from '@tidegate/providers'
import type { Deps } from '../deps.ts'

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
