import type { BodyInput, updateUser, User } from '@tidegate/contract/api'

/** What the edit form collects. */
export interface UserValues {
  username: string
  display_name: string
  /** Blank keeps the stored one. */
  password: string
  /** Only where people change their own password. */
  original_password?: string
  group: string
  quota: number | null
  /** Only where the super admin edits an administrator. */
  settings_areas?: string[]
}

export const valuesOf = ({ username, display_name, group, quota, settings_areas }: User): UserValues => ({
  username,
  display_name,
  password: '',
  group,
  quota,
  settings_areas,
})

/**
 * The change as the server takes it. A balance travels with the one that was on the screen, so that only the difference
 * is applied; one that nobody touched does not travel at all.
 */
export function editOf(user: Pick<User, 'id' | 'quota'>, values: UserValues): BodyInput<typeof updateUser> {
  const { quota, original_password, settings_areas: _, ...fields } = values
  return {
    id: user.id,
    ...fields,
    username: fields.username.trim(),
    ...(fields.password !== '' && original_password && { original_password }),
    ...(quota !== null && quota !== user.quota && { quota, quota_seen: user.quota }),
  }
}
