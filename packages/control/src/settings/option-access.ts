import { isRoot, optionsOfAreas, ApiError } from '@tidegate/contract'
import type { Actor } from '../http/actor.ts'

/** Which options an actor may read and change: the super admin all, an administrator those of granted areas. */
export function optionAccess({ role, settingsAreas }: Pick<Actor, 'role' | 'settingsAreas'>): (key: string) => boolean {
  if (isRoot(role)) return () => true
  const granted = optionsOfAreas(settingsAreas)
  return (key) => granted.has(key)
}

export function requireOptionAccess(actor: Pick<Actor, 'role' | 'settingsAreas'>, key: string): void {
  if (!optionAccess(actor)(key)) throw new ApiError('option_not_granted', { key })
}
