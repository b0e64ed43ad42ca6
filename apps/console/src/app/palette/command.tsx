import { ApiOutlined, DeploymentUnitOutlined, NodeIndexOutlined, UserOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import { TokenIcon } from '../../components/token-icon.tsx'
import { stored, type RecentChoice } from '../../lib/stored.ts'
import type { Texts } from '../../locales/texts.ts'

export type GroupKey = keyof Texts['palette']['groups']

/** An entry of the palette: a page to open or an action to run. */
export interface Command {
  /** Unique and stable: recent commands are stored by it. */
  id: string
  group: GroupKey
  title: string
  /** Shown beside the title, to distinguish equal names. */
  hint?: string
  /** Further search terms, for example Chinese and English names and pinyin. */
  terms: readonly string[]
  icon: ReactNode
  /** A path to open, or a function to call. */
  target: string | (() => void)
}

/** Icons of the groups that depend on the query. */
export const RESULT_ICONS = {
  requests: <NodeIndexOutlined aria-hidden />,
  tokens: <TokenIcon />,
  users: <UserOutlined aria-hidden />,
  channels: <ApiOutlined aria-hidden />,
  models: <DeploymentUnitOutlined aria-hidden />,
}

export type ResultGroup = keyof typeof RESULT_ICONS

export const isResultGroup = (group: string): group is ResultGroup => Object.hasOwn(RESULT_ICONS, group)

const MAX_RECENT = 5

/** The recent commands of the user, latest first. Those of other users of this browser are not returned. */
export function recentCommands(user: number): RecentChoice[] {
  const saved = stored.recentCommands.get()
  return saved?.user === user ? saved.choices : []
}

export function saveRecentCommand(user: number, { id, title, hint, group, target }: Command): void {
  const choice = { id, title, group, ...(hint && { hint }), ...(typeof target === 'string' && { path: target }) }
  const others = recentCommands(user).filter((other) => other.id !== id)
  stored.recentCommands.set({ user, choices: [choice, ...others].slice(0, MAX_RECENT) })
}
