import type { BodyInput, SettingsArea, updateUser, User } from '@tidegate/contract/api'
import type { FieldErrors } from '../../components/resource/use-field-errors.ts'

export interface UserValues {
  username: string
  display_name: string
  /** Blank keeps the stored password. */
  password: string
  /** Only if administrators change their own password. */
  original_password?: string
  group: string
  quota: number | null
  /** Only if the super admin edits an administrator. */
  settings_areas?: string[]
}

export type NewUserValues = Pick<UserValues, 'username' | 'display_name' | 'password'>

/** The field that each error code is about. */
export const ERROR_FIELDS: FieldErrors<UserValues> = {
  username_taken: 'username',
  password_common: 'password',
  password_like_name: 'password',
  group_unknown: 'group',
  quota_invalid: 'quota',
  balance_limit: 'quota',
  original_password_required: 'original_password',
  original_password_wrong: 'original_password',
}

export const blankValues = (): NewUserValues => ({ username: '', display_name: '', password: '' })

export const valuesOf = ({ username, display_name, group, quota, settings_areas }: User): UserValues => ({
  username,
  display_name,
  password: '',
  group,
  quota,
  settings_areas,
})

/**
 * Null if nothing changed. A new balance is sent with the balance that was shown, so that only the difference is
 * applied.
 */
export function editOf(user: User, values: UserValues): BodyInput<typeof updateUser> | null {
  const { quota, original_password, settings_areas: _, ...fields } = values
  const name = fields.username.trim()
  const changesQuota = quota !== null && quota !== user.quota
  const isSame =
    name === user.username &&
    fields.display_name === user.display_name &&
    fields.group === user.group &&
    fields.password === '' &&
    !changesQuota
  if (isSame) return null
  return {
    id: user.id,
    ...fields,
    username: name,
    ...(fields.password !== '' && original_password && { original_password }),
    ...(changesQuota && { quota, quota_seen: user.quota }),
  }
}

/** The settings areas to grant, or null if they stay. */
export function changedAreas(user: User, { settings_areas: areas = [] }: UserValues): SettingsArea[] | null {
  const isSame =
    areas.length === user.settings_areas.length && areas.every((area) => user.settings_areas.includes(area))
  return isSame ? null : (areas as SettingsArea[])
}
