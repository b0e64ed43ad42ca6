import { Refusal, type api } from '@tidegate/contract'
import { users } from '@tidegate/storage'
import { userView } from '../access/user-view.ts'
import type { Deps } from '../deps.ts'
import type { Actor } from '../http/actor.ts'
import { outranks } from './rank.ts'

export async function readUser({ db }: Pick<Deps, 'db'>, actor: Actor, id: number): Promise<api.User> {
  const user = await users.findById(db, id)
  if (!user || user.deleted_at) throw new Refusal('user_not_found')
  if (!outranks(actor, user)) throw new Refusal('rank_read')
  const quota = await users.spendable(db, id)
  return userView({ ...user, quota }, await users.identitiesOf(db, id))
}
