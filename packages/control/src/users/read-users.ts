import { type api, ApiError, type Page, toPage, type PageRequest } from '@tidegate/contract'
import { topUps, userList, users } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Actor } from '../http/actor.ts'
import { outranks } from './user-rules.ts'
import { userView } from './user-view.ts'

/** A page of users with their linked accounts and last activity. */
export async function listUsers(
  { db }: Pick<Deps, 'db'>,
  filters: userList.UserFilters,
  order: api.UserOrder,
  page: PageRequest,
): Promise<Page<api.ListedUser>> {
  const [rows, total] = await Promise.all([userList.page(db, filters, order, page), userList.count(db, filters)])
  const ids = rows.map(({ id }) => id)
  const [identities, lastActive] = await Promise.all([userList.identitiesOf(db, ids), userList.lastActiveOf(db, ids)])
  const items = rows.map((row) => ({
    ...userView({ ...row, password_hash: null, setting: {}, settings_areas: [] }, identities.get(row.id)),
    last_active_time: lastActive.get(row.id)?.toISOString() ?? null,
  }))
  return toPage(items, total, page)
}

export async function readUser({ db }: Pick<Deps, 'db'>, actor: Actor, id: number): Promise<api.UserDetail> {
  const user = await users.findById(db, id)
  if (!user || user.deleted_at) throw new ApiError('user_not_found')
  if (!outranks(actor, user)) throw new ApiError('rank_read')
  const quota = await users.spendable(db, id)
  const view = userView({ ...user, quota }, await users.identitiesOf(db, id))
  return { ...view, owed_quota: await topUps.sumOwed(db, id) }
}
