import { isAdmin } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { useSession } from '../../api/session.ts'
import type { RecentChoice } from '../../lib/stored.ts'
import type { Command, GroupKey } from './command.ts'
import { rank } from './rank.ts'
import { recentChoices } from './recent.ts'
import { useActions } from './use-actions.tsx'
import { FOUND_ICONS, isFoundGroup } from './found-icons.tsx'
import { useFound } from './use-found.tsx'
import { usePlaces } from './use-places.tsx'

export interface CommandGroup {
  key: GroupKey
  commands: Command[]
}

/** All there is to choose from, for what was typed: recent choices first while that is nothing. */
export function useCommandGroups(typed: string) {
  const user = useSession((session) => session.user)
  const commands = [...usePlaces(), ...useActions()]
  const { commands: found, ...search } = useFound(typed)
  const userId = user?.id ?? 0
  const recent = useMemo(() => recentChoices(userId), [userId])
  if (typed === '') {
    const first = recent.flatMap((choice) => remembered(choice, commands, isAdmin(user?.role ?? 0)))
    const others = commands.filter(({ id }) => !first.some((command) => command.id === id))
    return { groups: grouped([...first, ...others]), ...search }
  }
  return {
    groups: grouped([...found.filter(isRequest), ...rank(commands, typed), ...found.filter(isNoRequest)]),
    ...search,
  }
}

const isRequest = ({ group }: Command) => group === 'requests'
const isNoRequest = ({ group }: Command) => group !== 'requests'

/** A recent choice as it is today: what a person may no longer do is gone from here too. */
function remembered(choice: RecentChoice, commands: readonly Command[], isAdministrator: boolean): Command[] {
  const known = commands.find(({ id }) => id === choice.id)
  if (known) return [{ ...known, group: 'recent' }]
  const mayOpen = choice.group === 'tokens' || choice.group === 'requests' || isAdministrator
  if (!isFoundGroup(choice.group) || !mayOpen || !choice.path?.startsWith('/')) return []
  const { id, title, hint, path } = choice
  return [
    { id, group: 'recent', title, ...(hint && { hint }), words: [], icon: FOUND_ICONS[choice.group], target: path },
  ]
}

/** Groups in the order of their first command. */
function grouped(commands: readonly Command[]): CommandGroup[] {
  const groups = new Map<GroupKey, Command[]>()
  for (const command of commands) groups.set(command.group, [...(groups.get(command.group) ?? []), command])
  return [...groups].map(([key, members]) => ({ key, commands: members }))
}
