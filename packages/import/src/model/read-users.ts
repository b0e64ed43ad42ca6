import { randomBytes } from 'node:crypto'
import { MAX_QUOTA, ROLES } from '@tidegate/contract'
import type { Product } from '../products/product.ts'
import type { Report } from '../report.ts'
import { count, integer, timestamp, readObject, text } from '../sources/cells.ts'
import type { Row, Source } from '../sources/source.ts'
import type { ImportIdentity, ImportUser } from './import-data.ts'

/** The status of removed users in one-api, which keeps their rows. */
const REMOVED = 3
const BCRYPT = /^\$2[abxy]\$\d\d\$/

/** Active and banned users. Removed users are left out. */
export async function readUsers(source: Source, product: Product, report: Report): Promise<ImportUser[]> {
  const taken = { emails: new Set<string>(), codes: new Set<string>(), roots: 0 }
  const users: ImportUser[] = []
  for await (const row of source.rows('users')) {
    report.counts.users.found += 1
    const user = readUser(row, product, report, taken)
    if (user) users.push(user)
  }
  return users
}

interface UniqueValues {
  emails: Set<string>
  codes: Set<string>
  roots: number
}

function readUser(row: Row, product: Product, report: Report, taken: UniqueValues): ImportUser | undefined {
  const username = text(row, 'username').trim()
  const name = `${username || '(no name)'} (${text(row, 'id')})`
  const note = (outcome: 'left' | 'changed', reason: string) => report.note('users', outcome, reason, name)
  const balance = integer(row, 'quota')

  if (row.deleted_at || count(row, 'status') === REMOVED) return note('left', 'deleted in the source')
  if (username === '') return note('left', 'has no name')
  if (balance === undefined || Math.abs(balance) > MAX_QUOTA) return note('left', 'balance cannot be read')
  if (balance < 0) note('changed', 'negative balance is imported as a debt')

  const password = text(row, 'password')
  if (!BCRYPT.test(password)) note('changed', 'no readable password: needs another sign-in method or a password reset')
  if (count(row, 'aff_quota') < 0) note('changed', 'negative invite earnings are imported as 0')
  return {
    sourceId: text(row, 'id'),
    balance,
    inviterSourceId: count(row, 'inviter_id') > 0 ? text(row, 'inviter_id') : '',
    identities: readIdentities(row, product, note),
    accessToken: text(row, 'access_token').trim(),
    columns: {
      username,
      password_hash: BCRYPT.test(password) ? password : null,
      display_name: text(row, 'display_name').trim() || username,
      role: readRole(row, taken, note),
      status: count(row, 'status') === 1 ? 1 : 2,
      group: text(row, 'group').trim() || 'default',
      email: readEmail(row, taken, note),
      used_quota: Math.max(0, count(row, 'used_quota')),
      request_count: Math.max(0, count(row, 'request_count')),
      aff_code: readInviteCode(row, taken),
      aff_count: Math.max(0, count(row, 'aff_count')),
      aff_quota: Math.max(0, count(row, 'aff_quota')),
      aff_history_quota: Math.max(0, count(row, 'aff_history')),
      setting: JSON.stringify(readUserSetting(text(row, 'setting'), note)),
      last_check_in_at: timestamp(row, 'last_check_in_time'),
    },
  }
}

type Note = (outcome: 'left' | 'changed', reason: string) => void

/** Keeps the first super admin; there is only one here. */
function readRole(row: Row, taken: UniqueValues, note: Note): number {
  const role = count(row, 'role')
  if (role === ROLES.root && taken.roots++ > 0) {
    note('changed', 'second super admin: imported as an administrator')
    return ROLES.admin
  }
  return role === ROLES.root || role === ROLES.admin ? role : ROLES.user
}

/** An address belongs to one user here, because it gives access to the account. */
function readEmail(row: Row, taken: UniqueValues, note: Note): string {
  const email = text(row, 'email').trim()
  if (email === '') return ''
  if (taken.emails.has(email.toLowerCase())) {
    note('changed', 'email address of an earlier user: imported without it')
    return ''
  }
  taken.emails.add(email.toLowerCase())
  return email
}

function readInviteCode(row: Row, taken: UniqueValues): string {
  const code = text(row, 'aff_code').trim()
  const own = code === '' || taken.codes.has(code) ? newInviteCode() : code
  taken.codes.add(own)
  return own
}

function readIdentities(row: Row, product: Product, note: Note): ImportIdentity[] {
  const github = text(row, 'github_id').trim()
  const isNumber = product.usesGithubIds && /^\d+$/.test(github)
  if (text(row, 'oidc_id') !== '') note('changed', 'OpenID link is not imported: the source does not name its issuer')
  if (text(row, 'lark_id') !== '') note('changed', 'Lark link is not imported: Lark sign-in is not supported')
  const found: ImportIdentity[] = [
    // A link by login name becomes a link by ID at the first sign-in.
    isNumber
      ? { provider: 'github', issuer: '', subject: github, label: github }
      : { provider: 'github', issuer: 'login', subject: github.toLowerCase(), label: github },
    ...(['wechat', 'telegram'] as const).map((provider) => linkedAccount(provider, text(row, `${provider}_id`).trim())),
    linkedAccount('linuxdo', text(row, 'linux_do_id').trim()),
  ]
  return found.filter(({ subject }) => subject !== '')
}

function linkedAccount(provider: string, subject: string): ImportIdentity {
  return { provider, issuer: '', subject, label: subject }
}

/** Settings with the same meaning here. Notification targets must be set again, because an address must be verified. */
function readUserSetting(written: string, note: (outcome: 'changed', reason: string) => void): Record<string, unknown> {
  const settings = readObject(written)
  if (!settings) note('changed', 'settings are not a JSON object: imported without them')
  const { quota_warning_threshold: threshold, accept_unset_model_ratio_model: accepts } = settings ?? {}
  const supported: Record<string, unknown> = {}
  if (typeof threshold === 'number' && threshold > 0 && threshold <= MAX_QUOTA) {
    supported.quota_warning_threshold = Math.round(threshold)
  }
  if (accepts === true) supported.accept_unset_model_ratio_model = true
  if (settings?.notify_type === 'webhook') note('changed', 'webhook notifications must be set up again')
  return supported
}

/** For users without an invite code, or with one that is taken. */
export function newInviteCode(): string {
  return randomBytes(6).toString('base64url')
}
