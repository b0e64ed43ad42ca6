import type { Settings } from '@tidegate/contract'

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
