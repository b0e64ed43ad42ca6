import { pageAnswer, type api, type Page, type PageRequest } from '@tidegate/contract'
import { userList } from '@tidegate/storage'
import { userView } from './user-view.ts'
import type { Deps } from '../deps.ts'

/** A page of users with the accounts bound to them. */
export async function listUsers(
  { db }: Pick<Deps, 'db'>,
  filters: userList.UserFilters,
  page: PageRequest,
): Promise<Page<api.ListedUser>> {
  const [rows, total] = await Promise.all([userList.page(db, filters, page), userList.count(db, filters)])
  const identities = await userList.identitiesOf(
    db,
    rows.map(({ id }) => id),
  )
  const items = rows.map((row) =>
    userView({ ...row, password_hash: null, setting: {}, settings_areas: [] }, identities.get(row.id)),
  )
  return pageAnswer(items, total, page)
}
