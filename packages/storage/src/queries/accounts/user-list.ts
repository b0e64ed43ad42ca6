import { api } from '@tidegate/contract'
import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { containsPattern } from '../../connection/values.ts'

export interface UserFilters {
  /** A part of the username, the email or the display name; or the ID. */
  keyword?: string
  group?: string
  role?: (typeof api.ROLE_NAMES)[number]
  status?: (typeof api.USER_STATES)[number]
}

/** Credit leases of gateways still belong to the user. */
const spendable = sql<number>`"user".quota + coalesce(
  (select sum(amount) from credit_lease where credit_lease.user_id = "user".id and credit_lease.token_id = 0), 0)::bigint`

/** Users for administrators, including deregistered ones, without password and settings. */
export function page(
  db: Db,
  filters: UserFilters,
  { by, descending }: api.UserOrder,
  { limit, offset }: { limit: number; offset: number },
) {
  const direction = descending ? 'desc' : 'asc'
  return applyFilters(db, filters)
    .select([
      'user.id',
      'user.username',
      'user.display_name',
      'user.role',
      'user.status',
      'user.group',
      'user.email',
      'user.used_quota',
      'user.request_count',
      'user.aff_code',
      'user.aff_count',
      'user.aff_quota',
      'user.aff_history_quota',
      'user.inviter_id',
      'user.last_check_in_at',
      'user.created_at',
      'user.deleted_at',
    ])
    .select(spendable.as('quota'))
    .orderBy(by === 'quota' ? spendable : `user.${by}`, direction)
    .orderBy('user.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

export type ListedUserRow = Awaited<ReturnType<typeof page>>[number]

export async function count(db: Db, filters: UserFilters): Promise<number> {
  const { total } = await applyFilters(db, filters)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** Number of users by group, without deregistered ones. */
export async function countByGroup(db: Db): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('user')
    .select((eb) => ['group', eb.fn.countAll<number>().as('total')])
    .where('deleted_at', 'is', null)
    .groupBy('group')
    .execute()
  return new Map(rows.map(({ group, total }) => [group, total]))
}

/** External accounts of several users, by user and provider. */
export async function identitiesOf(db: Db, ids: readonly number[]): Promise<Map<number, Map<string, string>>> {
  const found = new Map<number, Map<string, string>>()
  if (ids.length === 0) return found
  const rows = await db
    .selectFrom('identity')
    .select(['user_id', 'provider', 'subject'])
    .where('user_id', 'in', ids)
    .execute()
  for (const { user_id, provider, subject } of rows) {
    found.set(user_id, (found.get(user_id) ?? new Map<string, string>()).set(provider, subject))
  }
  return found
}

/** When these users last used the console or one of their tokens. Users without a session and a used token are missing. */
export async function lastActiveOf(db: Db, ids: readonly number[]): Promise<Map<number, Date>> {
  if (ids.length === 0) return new Map()
  const uses = db
    .selectFrom('token')
    .select(['user_id', 'accessed_at as at'])
    .where('user_id', 'in', ids)
    .where('deleted_at', 'is', null)
    .where('accessed_at', 'is not', null)
    .unionAll(db.selectFrom('session').select(['user_id', 'last_seen_at as at']).where('user_id', 'in', ids))
  const rows = await db
    .selectFrom(uses.as('use'))
    .select((eb) => ['user_id', eb.fn.max<Date>('at').as('at')])
    .groupBy('user_id')
    .execute()
  return new Map(rows.map(({ user_id, at }) => [user_id, at]))
}

function applyFilters(db: Db, { keyword, group, role, status }: UserFilters) {
  let query = db.selectFrom('user')
  if (group !== undefined) query = query.where('user.group', '=', group)
  if (role !== undefined) query = query.where('user.role', '=', api.ROLES[role])
  if (status === 'deregistered') query = query.where('user.deleted_at', 'is not', null)
  else if (status !== undefined) {
    query = query.where('user.deleted_at', 'is', null).where('user.status', '=', api.USER_STATUS[status])
  }
  if (keyword === undefined) return query
  const pattern = containsPattern(keyword)
  const id = /^\d{1,15}$/.test(keyword) ? Number(keyword) : undefined
  return query.where((eb) =>
    eb.or([
      eb('user.username', 'ilike', pattern),
      eb('user.email', 'ilike', pattern),
      eb('user.display_name', 'ilike', pattern),
      ...(id === undefined ? [] : [eb('user.id', '=', id)]),
    ]),
  )
}
