import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { Id, IsoTime, Quota, text, stripNul } from '../../values.ts'

export const USER_STATUS = { active: 1, banned: 2 } as const

/** A user as seen by the user and by administrators. Contains no password, access token or webhook secret. */
export const User = z.object({
  id: Id,
  username: z.string(),
  display_name: z.string(),
  password: z.literal(''),
  role: z.int(),
  status: z.int(),
  group: z.string(),
  email: z.string(),
  quota: Quota,
  used_quota: Quota,
  request_count: z.int(),
  inviter_id: z.int(),
  aff_code: z.string(),
  aff_count: z.int(),
  aff_quota: Quota,
  aff_history_quota: Quota,
  github_id: z.string(),
  oidc_id: z.string(),
  wechat_id: z.string(),
  telegram_id: z.string(),
  linux_do_id: z.string(),
  /** JSON text, as the console stores it. */
  setting: z.string(),
  last_check_in_time: IsoTime.nullable(),
  /** Areas of the settings that the super admin granted to an administrator. */
  settings_areas: z.array(z.string()),
  DeletedAt: IsoTime.nullable(),
})
export type User = z.output<typeof User>

export const getSelf = endpoint({
  method: 'GET',
  path: '/api/user/self',
  access: 'user',
  enrolment: true,
  summary: 'Returns the logged-in user with balance and counters.',
  reply: User,
  errors: [],
})

/**
 * A group a user may choose, with its ratio. `auto` has none: each request has the ratio of the group that serves it.
 */
export const UsableGroup = z.object({
  desc: z.string(),
  ratio: z.number().optional(),
  /** New tokens get this group when none is chosen. */
  is_default: z.boolean().optional(),
})

export type UsableGroup = z.output<typeof UsableGroup>

export const listOwnGroups = endpoint({
  method: 'GET',
  path: '/api/user/self/groups',
  access: 'user',
  summary: 'Lists the groups that you may choose for tokens: your own group first, `auto` last.',
  reply: z.record(z.string(), UsableGroup),
  errors: [],
})

export const listOwnModels = endpoint({
  method: 'GET',
  path: '/api/user/models',
  access: 'user',
  summary: 'Lists the models that your groups can use.',
  reply: z.array(z.string()),
  errors: [],
})

export const listGroups = endpoint({
  method: 'GET',
  path: '/api/group',
  access: 'admin',
  summary: 'Lists the names of all groups.',
  reply: z.array(z.string()),
  errors: [],
})

export const GroupCounts = z.object({ users: z.int(), channels: z.int(), models: z.int() })
export type GroupCounts = z.output<typeof GroupCounts>

export const countGroups = endpoint({
  method: 'GET',
  path: '/api/group/counts',
  access: 'admin',
  summary: 'Counts users, enabled channels and models by group. Deregistered users do not count.',
  reply: z.record(z.string(), GroupCounts),
  errors: [],
})

/** Account fields of all forms. Limits count characters, not bytes. */

/** Maximum lengths in characters. */
export const USERNAME_MAX_LENGTH = 12
export const DISPLAY_NAME_MAX_LENGTH = 20

/** Trimmed as in the login. No `@`, because the login also accepts email addresses. */
export const Username = z
  .string()
  .trim()
  .refine(
    (name) => name !== '' && [...name].length <= USERNAME_MAX_LENGTH && !/[\p{Cc}@]/u.test(name),
    `1 to ${USERNAME_MAX_LENGTH} characters, no @`,
  )

export const DisplayName = z
  .string()
  .transform((name) => stripNul(name).trim())
  .pipe(text({ max: DISPLAY_NAME_MAX_LENGTH }))

export const PASSWORD_LENGTH = { min: 8, max: 128 } as const

export const NewPassword = text(PASSWORD_LENGTH)

/** For forms where a blank field keeps the stored value. */
export const UsernameOrBlank = Username.or(z.string().trim().length(0))
export const NewPasswordOrBlank = NewPassword.or(z.literal(''))
