import { isRoot } from '@tidegate/contract'
import type { Actor } from '../http/actor.ts'

/** Administrators act on those below them; the super admin acts on anyone, unless an action says otherwise. */
export function outranks(actor: Pick<Actor, 'role'>, target: { role: number }): boolean {
  return actor.role > target.role || isRoot(actor.role)
}
