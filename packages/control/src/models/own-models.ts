import type { Catalog, CatalogChannel } from '@tidegate/storage'
import { usableGroups } from './groups.ts'

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
  return offersIn(catalog, group, ownGroup).map(({ name }) => name)
}

/** A model that a channel serves to a group, under the name one asks for it by. */
export interface Offer {
  readonly name: string
  readonly model: string
  readonly channel: CatalogChannel
}

/** A prefix leads only those to its channel whose own group the channel serves. */
export function offersIn(catalog: Catalog, group: string, ownGroup: string): Offer[] {
  return catalog.modelsFor(group).flatMap((model) =>
    catalog
      .channelsFor(group, model)
      .filter(({ modelPrefix }) => modelPrefix === '' || group === ownGroup)
      .map((channel) => ({ name: channel.modelPrefix + model, model, channel })),
  )
}
