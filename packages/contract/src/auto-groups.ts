import type { Settings } from './options/index.ts'

/** Group of a token that tries several groups in order, unless the site has a group of that name. */
export const AUTO_GROUP = 'auto'

type GroupSettings = Pick<Settings, 'GroupRatio' | 'UserUsableGroups' | 'AutoGroups'>

/** The groups of the option `AutoGroups` that the user may use, in order. */
export function autoGroupsOf(settings: GroupSettings, ownGroup: string): readonly string[] {
  const { GroupRatio, UserUsableGroups, AutoGroups } = settings
  if (Object.hasOwn(GroupRatio, AUTO_GROUP)) return []
  return AutoGroups.filter(
    (group) => Object.hasOwn(GroupRatio, group) && (group === ownGroup || Object.hasOwn(UserUsableGroups, group)),
  )
}

/** The groups to try for a request, in order. */
export function candidateGroups(settings: GroupSettings, ownGroup: string, group: string): readonly string[] {
  return isAutoGroup(settings, group) ? autoGroupsOf(settings, ownGroup) : [group]
}

export function isAutoGroup({ GroupRatio }: Pick<Settings, 'GroupRatio'>, group: string): boolean {
  return group === AUTO_GROUP && !Object.hasOwn(GroupRatio, AUTO_GROUP)
}
