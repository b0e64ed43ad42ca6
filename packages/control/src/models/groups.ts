import { AUTO_GROUP, autoGroupsOf, type api, type Settings } from '@tidegate/contract'

/** Groups a user may choose: those open to everybody and the user's own, as far as they have a ratio. */
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

type GroupSettings = Pick<Settings, 'GroupRatio' | 'UserUsableGroups' | 'AutoGroups' | 'DefaultUseAutoGroup'>

/** The same with `auto`, where it stands for at least one group. */
export function groupsForTokens(settings: GroupSettings, ownGroup: string): Map<string, api.UsableGroup> {
  const groups: Map<string, api.UsableGroup> = usableGroups(settings, ownGroup)
  if (autoGroupsOf(settings, ownGroup).length === 0) return groups
  const desc = Object.hasOwn(settings.UserUsableGroups, AUTO_GROUP) ? settings.UserUsableGroups[AUTO_GROUP]! : ''
  return groups.set(AUTO_GROUP, { desc, ...(settings.DefaultUseAutoGroup && { is_default: true }) })
}

/** The group of a new token that names none; blank is the group of its owner. */
export function defaultTokenGroup(settings: GroupSettings, ownGroup: string): string {
  return groupsForTokens(settings, ownGroup).get(AUTO_GROUP)?.is_default ? AUTO_GROUP : ''
}
