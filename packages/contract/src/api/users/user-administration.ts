import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { SETTINGS_AREA_NAMES } from '../../roles.ts'
import { pageFields, pageOf, readPage } from '../../paging.ts'
import { Id, IsoTime, oneOf, OptionalInteger, OptionalText, Quota, text } from '../../values.ts'
import { DisplayName, NewPassword, NewPasswordOrBlank, User, Username } from './users.ts'

/** A row of the user list, without notification settings and grants. */
export const ListedUser = User.omit({ setting: true, settings_areas: true }).extend({
  last_active_time: IsoTime.nullable(),
})
export type ListedUser = z.output<typeof ListedUser>

export const USER_SORTS = ['id', 'username', 'quota', 'used_quota', 'request_count'] as const
export type UserSort = (typeof USER_SORTS)[number]

const sorting = {
  sort: oneOf(USER_SORTS, 'Newest users first by default'),
  direction: oneOf(['asc', 'desc'], '`asc` by default for `username`, `desc` for all others'),
}

export interface UserOrder {
  by: UserSort
  descending: boolean
}

function readOrder({ sort = 'id', direction }: { sort?: UserSort; direction?: 'asc' | 'desc' }): UserOrder {
  return { by: sort, descending: direction === undefined ? sort !== 'username' : direction === 'desc' }
}

const listPaging = { base: 0 } as const

export const listUsers = endpoint({
  method: 'GET',
  path: '/api/user',
  access: 'admin',
  summary: 'Lists all users, including deregistered ones, newest first or by `sort`. The first page is 0.',
  query: z
    .object({ ...sorting, ...pageFields(listPaging) })
    .partial()
    .transform((query) => ({ order: readOrder(query), page: readPage(query, listPaging) })),
  reply: pageOf(ListedUser),
  errors: [],
})

const searchPaging = { base: 1 } as const

export const ROLE_NAMES = ['user', 'admin', 'root'] as const
export const USER_STATES = ['active', 'banned', 'deregistered'] as const

const searchFilters = {
  keyword: OptionalText,
  group: OptionalText,
  role: oneOf(ROLE_NAMES, 'All roles by default'),
  status: oneOf(USER_STATES, 'A deregistered user is neither `active` nor `banned`'),
}

export const searchUsers = endpoint({
  method: 'GET',
  path: '/api/user/search',
  access: 'admin',
  summary: 'Searches users by id or by a part of name, email or display name. The first page is 1.',
  query: z
    .object({ ...searchFilters, ...sorting, ...pageFields(searchPaging) })
    .partial()
    .transform((query) => ({
      filters: z.object(searchFilters).partial().parse(query),
      order: readOrder(query),
      page: readPage(query, searchPaging),
    })),
  reply: pageOf(ListedUser),
  errors: [],
})

/** A user with the quota owed after refunds and disputes. */
export const UserDetail = User.extend({ owed_quota: Quota })
export type UserDetail = z.output<typeof UserDetail>

export const getUser = endpoint({
  method: 'GET',
  path: '/api/user/{id}',
  access: 'admin',
  summary: 'Returns one user with a lower role.',
  reply: UserDetail,
  errors: ['user_not_found', 'rank_read'],
})

export const NewUser = z.object({
  username: Username,
  display_name: DisplayName.default(''),
  password: NewPassword,
  /** Only checked against the caller's role: every new user is an ordinary user. */
  role: OptionalInteger.optional(),
})
export type NewUser = z.output<typeof NewUser>

export const createUser = endpoint({
  method: 'POST',
  path: '/api/user',
  access: 'admin',
  summary: 'Creates an ordinary user with the initial quota and returns it.',
  body: NewUser,
  reply: User,
  errors: ['rank_create', 'username_taken', 'password_common', 'password_like_name'],
})

export const UserEdit = z.object({
  id: Id,
  username: Username,
  display_name: DisplayName.optional(),
  /** Blank keeps the password. */
  password: NewPasswordOrBlank.default(''),
  group: text({ max: 64 }).optional(),
  quota: Quota.optional(),
  /** The balance shown in the form: only the difference is applied, so that spending in the meantime counts. */
  quota_seen: Quota.optional(),
  /** Only checked against the caller's role. */
  role: OptionalInteger.optional(),
  /** Required when a super admin changes the own password. */
  original_password: z.string().optional(),
})
export type UserEdit = z.output<typeof UserEdit>

export const updateUser = endpoint({
  method: 'PUT',
  path: '/api/user',
  access: 'admin',
  summary:
    'Changes name, display name, group, balance and password of a user with a lower role. Balance and password need recent re-authentication.',
  body: UserEdit,
  reply: z.undefined(),
  errors: [
    'user_not_found',
    'rank_update',
    'rank_raise',
    'target_deregistered',
    'username_taken',
    'password_common',
    'password_like_name',
    'group_unknown',
    'quota_invalid',
    'balance_limit',
    'original_password_required',
    'original_password_wrong',
    'proof_required',
  ],
})

export const MANAGE_ACTIONS = ['promote', 'demote', 'disable', 'enable', 'delete', 'restore', 'reset_security'] as const
export type ManageAction = (typeof MANAGE_ACTIONS)[number]

export const manageUser = endpoint({
  method: 'POST',
  path: '/api/user/manage',
  access: 'admin',
  summary:
    'Promotes, demotes, bans, unbans, deregisters or restores a user with a lower role, or removes its second factors. Promoting and removing second factors need recent re-authentication.',
  // A string, because an unknown action is the error `invalid_params`, not an error of a field.
  body: z.object({ id: Id, action: z.string().meta({ enum: [...MANAGE_ACTIONS] }) }),
  reply: z.object({ role: z.int(), status: z.int() }),
  errors: [
    'invalid_params',
    'user_not_found',
    'rank_update',
    'target_deregistered',
    'target_not_deregistered',
    'only_root_promotes',
    'already_admin',
    'already_common',
    'root_protected',
    'email_in_use',
    'proof_required',
    'session_required',
  ],
})

export const deleteUser = endpoint({
  method: 'DELETE',
  path: '/api/user/{id}',
  access: 'admin',
  summary: 'Deregisters a user with a lower role. The row stays, because ledger entries refer to it.',
  reply: z.undefined(),
  errors: ['user_not_found', 'rank_delete', 'target_deregistered'],
})

export const setSettingsAreas = endpoint({
  method: 'PUT',
  path: '/api/user/settings_areas',
  access: 'root',
  summary:
    'Grants settings areas to an administrator: prices, groups, rate limits, announcements. Replaces earlier grants.',
  proof: true,
  body: z.object({ id: Id, areas: z.array(z.enum(SETTINGS_AREA_NAMES)) }),
  reply: z.undefined(),
  errors: ['user_not_found', 'target_deregistered', 'areas_need_admin'],
})
