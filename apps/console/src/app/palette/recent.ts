import { stored, type RecentChoice } from '../../lib/stored.ts'
import type { Command } from './command.ts'

const MAX_COUNT = 5

/** What this person chose lately, latest first. Whoever used this browser before is none of their business. */
export function recentChoices(user: number): RecentChoice[] {
  const kept = stored.recentCommands.get()
  return kept?.user === user ? kept.choices : []
}

export function rememberChoice(user: number, { id, title, hint, group, target }: Command): void {
  const choice = { id, title, group, ...(hint && { hint }), ...(typeof target === 'string' && { path: target }) }
  const others = recentChoices(user).filter((other) => other.id !== id)
  stored.recentCommands.set({ user, choices: [choice, ...others].slice(0, MAX_COUNT) })
}
