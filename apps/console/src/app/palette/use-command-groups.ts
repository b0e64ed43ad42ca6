import { isAdmin } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { useSession } from '../../api/session.ts'
import type { RecentChoice } from '../../lib/stored.ts'
import { isResultGroup, recentCommands, RESULT_ICONS, type Command, type GroupKey } from './command.tsx'
import { rank } from './rank.ts'
import { useActions } from './use-actions.tsx'
import { usePages } from './use-pages.tsx'
import { useSearchResults } from './use-search-results.tsx'

export interface CommandGroup {
  key: GroupKey
  commands: Command[]
}

/** The commands that match the query. Without a query, recent commands come first. */
export function useCommandGroups(query: string) {
  const user = useSession((session) => session.user)
  const commands = [...usePages(), ...useActions()]
  const { commands: results, ...search } = useSearchResults(query)
  const userId = user?.id ?? 0
  const recent = useMemo(() => recentCommands(userId), [userId])
  if (query === '') {
    const first = recent.flatMap((choice) => restoreCommand(choice, commands, isAdmin(user?.role ?? 0)))
    const others = commands.filter(({ id }) => !first.some((command) => command.id === id))
    return { groups: grouped([...first, ...others]), ...search }
  }
  return {
    groups: grouped([
      ...results.filter(isRequest),
      ...rank(commands, query),
      ...results.filter((command) => !isRequest(command)),
    ]),
    ...search,
  }
}

const isRequest = ({ group }: Command) => group === 'requests'

/** The command of a stored choice. Empty if the user has lost access to it. */
function restoreCommand(choice: RecentChoice, commands: readonly Command[], isAdministrator: boolean): Command[] {
  const known = commands.find(({ id }) => id === choice.id)
  if (known) return [{ ...known, group: 'recent' }]
  const mayOpen = ['tokens', 'requests', 'models'].includes(choice.group) || isAdministrator
  if (!isResultGroup(choice.group) || !mayOpen || !choice.path?.startsWith('/')) return []
  const { id, title, hint, path } = choice
  return [
    { id, group: 'recent', title, ...(hint && { hint }), terms: [], icon: RESULT_ICONS[choice.group], target: path },
  ]
}

/** Groups in the order of their first command. */
function grouped(commands: readonly Command[]): CommandGroup[] {
  const groups = new Map<GroupKey, Command[]>()
  for (const command of commands) groups.set(command.group, [...(groups.get(command.group) ?? []), command])
  return [...groups].map(([key, members]) => ({ key, commands: members }))
}
