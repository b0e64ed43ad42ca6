import type { api } from '@tidegate/contract'
import { users, type UserRow } from '@tidegate/storage'
import type { Deps } from '../deps.ts'

/** A user for the API, built field by field, so that new columns are not exposed by accident. */
export function userView(user: UserRow, identities: ReadonlyMap<string, string> = new Map()): api.User {
  return {
    id: user.id,
    username: user.username,
    display_name: user.display_name,
    password: '',
    role: user.role,
    status: user.status,
    group: user.group,
    email: user.email,
    quota: user.quota,
    used_quota: user.used_quota,
    request_count: user.request_count,
    inviter_id: user.inviter_id ?? 0,
    aff_code: user.aff_code,
    aff_count: user.aff_count,
    aff_quota: user.aff_quota,
    aff_history_quota: user.aff_history_quota,
    github_id: identities.get('github') ?? '',
    oidc_id: identities.get('oidc') ?? '',
    wechat_id: identities.get('wechat') ?? '',
    telegram_id: identities.get('telegram') ?? '',
    linux_do_id: identities.get('linuxdo') ?? '',
    setting: settingText(user.setting),
    last_check_in_time: user.last_check_in_at?.toISOString() ?? null,
    settings_areas: user.settings_areas,
    DeletedAt: user.deleted_at?.toISOString() ?? null,
  }
}

/** The own user, for logins and `GET /api/user/self`. */
export async function ownView({ db, catalog }: Pick<Deps, 'db' | 'catalog'>, user: UserRow): Promise<api.User> {
  const quota = await users.spendable(db, user.id)
  // Includes defaults for the console.
  const setting = { quota_warning_threshold: catalog().settings.QuotaRemindThreshold, ...user.setting }
  return userView({ ...user, quota, setting }, await users.identitiesOf(db, user.id))
}

function settingText(setting: Record<string, unknown>): string {
  const { webhook_secret: _, ...shown } = setting
  return Object.keys(shown).length === 0 ? '' : JSON.stringify(shown)
}
