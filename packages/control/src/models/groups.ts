import { type api, AUTO_GROUP, autoGroupsOf, type Settings } from '@tidegate/contract'
import { userList, type Catalog, type CatalogChannel } from '@tidegate/storage'
import type { Deps } from '../deps.ts'

/** Groups a user may choose: public ones and the user's own, if they have a ratio. */
export function usableGroups(
  settings: Pick<Settings, 'GroupRatio' | 'UserUsableGroups'>,
  ownGroup: string,
): Map<string, { desc: string; ratio: number }> {
  const others = Object.keys(settings.UserUsableGroups)
    .filter((group) => group !== ownGroup)
    .toSorted()
  const usable = new Map<string, { desc: string; ratio: number }>()
  for (const group of [ownGroup, ...others]) {
    if (!Object.hasOwn(settings.GroupRatio, group)) continue
    const desc = Object.hasOwn(settings.UserUsableGroups, group) ? settings.UserUsableGroups[group]! : '用户分组'
    usable.set(group, { desc, ratio: settings.GroupRatio[group]! })
  }
  return usable
}

/** Users, enabled channels and models of all groups that have a ratio. */
export async function countGroups({
  db,
  catalog,
}: Pick<Deps, 'db' | 'catalog'>): Promise<Record<string, api.GroupCounts>> {
  const users = await userList.countByGroup(db)
  const { settings, modelsFor, channelsFor } = catalog()
  const countsOf = (group: string): api.GroupCounts => {
    const models = modelsFor(group)
    const channels = new Set(models.flatMap((model) => channelsFor(group, model)))
    return { users: users.get(group) ?? 0, channels: channels.size, models: models.length }
  }
  return Object.fromEntries(Object.keys(settings.GroupRatio).map((group) => [group, countsOf(group)]))
}

type GroupSettings = Pick<Settings, 'GroupRatio' | 'UserUsableGroups' | 'AutoGroups' | 'DefaultUseAutoGroup'>

/** The same with `auto`, if it resolves to at least one group. */
export function groupsForTokens(settings: GroupSettings, ownGroup: string): Map<string, api.UsableGroup> {
  const groups: Map<string, api.UsableGroup> = usableGroups(settings, ownGroup)
  if (autoGroupsOf(settings, ownGroup).length === 0) return groups
  const desc = Object.hasOwn(settings.UserUsableGroups, AUTO_GROUP) ? settings.UserUsableGroups[AUTO_GROUP]! : ''
  return groups.set(AUTO_GROUP, { desc, ...(settings.DefaultUseAutoGroup && { is_default: true }) })
}

/** Group of a new token without one; blank is the owner's group. */
export function defaultTokenGroup(settings: GroupSettings, ownGroup: string): string {
  return groupsForTokens(settings, ownGroup).get(AUTO_GROUP)?.is_default ? AUTO_GROUP : ''
}

/**
 * Models a user can request: those of all usable groups, prefixed ones if the channel serves the user's own group, and
 * virtual models with a reachable target.
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

/** A model of a channel in a group, with its requestable name. */
interface Offer {
  readonly name: string
  readonly model: string
  readonly channel: CatalogChannel
}

/** A prefix works only for users whose own group the channel serves. */
export function offersIn(catalog: Catalog, group: string, ownGroup: string): Offer[] {
  return catalog.modelsFor(group).flatMap((model) =>
    catalog
      .channelsFor(group, model)
      .filter(({ modelPrefix }) => modelPrefix === '' || group === ownGroup)
      .map((channel) => ({ name: channel.modelPrefix + model, model, channel })),
  )
}
