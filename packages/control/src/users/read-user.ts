import { ApiError, type api } from '@tidegate/contract'
import { topUps, users } from '@tidegate/storage'
import { userView } from './user-view.ts'
import type { Deps } from '../deps.ts'
import type { Actor } from '../http/actor.ts'
import { outranks } from './rank.ts'

export async function readUser({ db }: Pick<Deps, 'db'>, actor: Actor, id: number): Promise<api.UserDetail> {
  const user = await users.findById(db, id)
  if (!user || user.deleted_at) throw new ApiError('user_not_found')
  if (!outranks(actor, user)) throw new ApiError('rank_read')
  const quota = await users.spendable(db, id)
  const view = userView({ ...user, quota }, await users.identitiesOf(db, id))
  return { ...view, owed_quota: await topUps.owedBy(db, id) }
}
