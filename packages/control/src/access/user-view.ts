import type { api } from '@tidegate/contract'
import type { UserRow } from '@tidegate/storage'

/** A user as the wire shows it: built field by field, so that a new column never leaves by accident. */
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
    DeletedAt: user.deleted_at?.toISOString() ?? null,
  }
}

/** What a login answers: who it is, and nothing that is read later anyway. */
export function loginView(user: UserRow): api.User {
  const { id, username, display_name, role, status, group } = user
  return { ...EMPTY_USER, id, username, display_name, role, status, group }
}

const EMPTY_USER = {
  password: '',
  email: '',
  quota: 0,
  used_quota: 0,
  request_count: 0,
  inviter_id: 0,
  aff_code: '',
  aff_count: 0,
  aff_quota: 0,
  aff_history_quota: 0,
  github_id: '',
  oidc_id: '',
  wechat_id: '',
  telegram_id: '',
  linux_do_id: '',
  setting: '',
  last_check_in_time: null,
  DeletedAt: null,
} as const

function settingText(setting: Record<string, unknown>): string {
  const { webhook_secret: _, ...shown } = setting
  return Object.keys(shown).length === 0 ? '' : JSON.stringify(shown)
}
