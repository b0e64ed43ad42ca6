import type { Catalog } from '@tidegate/storage'
import { usableGroups } from './usable-groups.ts'

/**
 * Names a user can ask for: the models of all groups they may use, those of prefixed channels with their prefix where the
 * channel serves the user's own group, and virtual models of which at least one target can be reached.
 */
export function ownModels(catalog: Catalog, ownGroup: string): string[] {
  const groups = [...usableGroups(catalog.settings, ownGroup).keys()]
  const names = new Set(groups.flatMap((group) => namesIn(catalog, group, ownGroup)))
  const isReachable = (model: string) => groups.some((group) => catalog.channelsFor(group, model).length > 0)
  for (const [name, targets] of Object.entries(catalog.settings.global_model_mapping.mapping)) {
    if (targets.some(({ model }) => isReachable(model))) names.add(name)
  }
  return [...names].toSorted(new Intl.Collator('en', { numeric: true }).compare)
}

function namesIn(catalog: Catalog, group: string, ownGroup: string): string[] {
  return catalog.modelsFor(group).flatMap((model) => {
    const prefixes = catalog.channelsFor(group, model).map(({ modelPrefix }) => modelPrefix)
    return prefixes.filter((prefix) => prefix === '' || group === ownGroup).map((prefix) => prefix + model)
  })
}
