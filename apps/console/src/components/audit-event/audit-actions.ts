import type { AuditEvent } from '@tidegate/contract/api'

/** Known actions, in the order of the filter. An action that is missing here is shown by its code. */
export const ACTIONS = [
  'setup',
  'import',
  'user.create',
  'user.register',
  'user.login',
  'user.login_failed',
  'user.second_factor_failed',
  'user.reauthentication_failed',
  'user.forbidden',
  'user.ip_not_allowed',
  'user.update',
  'user.balance',
  'user.promote',
  'user.demote',
  'user.disable',
  'user.enable',
  'user.delete',
  'user.restore',
  'user.reset_security',
  'user.settings_areas',
  'user.deregister',
  'user.anonymise',
  'user.rename',
  'user.password',
  'user.reset_password',
  'user.setting',
  'user.bind_email',
  'user.bind',
  'user.unbind',
  'user.totp_on',
  'user.totp_off',
  'user.recovery_codes',
  'user.passkey_add',
  'user.passkey_remove',
  'user.push_add',
  'user.push_remove',
  'user.access_token',
  'user.access_token_revoke',
  'user.automation_token',
  'user.automation_token_revoke',
  'user.session_end',
  'user.sessions_end',
  'channel.create',
  'channel.update',
  'channel.copy',
  'channel.delete',
  'channel.delete_many',
  'channel.enable_many',
  'channel.disable_many',
  'channel.update_many',
  'channel.reveal',
  'channel.key_enable',
  'channel.key_disable',
  'channel.key_auto_disable',
  'channel.auto_disable',
  'channel.auto_enable',
  'channel.tag',
  'channel.tag_update',
  'channel.tag_enable',
  'channel.tag_disable',
  'channel.fix',
  'token.create',
  'token.update',
  'token.delete',
  'redemption.create',
  'redemption.update',
  'redemption.disable',
  'redemption.delete',
  'message.create',
  'message.update',
  'message.delete',
  'log.delete',
  'audit.export',
  'shadow.match',
  'shadow.clear',
  'export.create',
  'export.update',
  'export.delete',
  'option.update',
  'config.apply',
  'config.export',
  'secrets.rotate',
  'secrets.retire',
  'secrets.rewrap',
  'top_up.complete',
  'top_up.reverse',
] as const

export type Action = (typeof ACTIONS)[number]

export const AREAS = ['user', 'channel', 'token', 'redemption', 'message', 'option', 'top_up'] as const

/** The part before the dot: the kind of object that was changed. */
export const areaOf = (action: string): string => action.split('.', 1)[0]!

export const isKnown = (action: string): action is Action => (ACTIONS as readonly string[]).includes(action)

export const isArea = (action: string): action is (typeof AREAS)[number] =>
  (AREAS as readonly string[]).includes(action)

type SubjectKind = 'user' | 'channel' | 'tag' | 'token' | 'redemption' | 'message' | 'option' | 'topUp' | 'other'

interface Subject {
  kind: SubjectKind
  /** The screen that shows the object, if there is one. */
  path: string | null
}

/** The kind of object that an event is about. */
export function subjectOf({ action, subject }: Pick<AuditEvent, 'action' | 'subject'>): Subject {
  const area = areaOf(action)
  const isId = /^\d{1,15}$/.test(subject)
  if (area === 'user' && isId) return { kind: 'user', path: `/admin/users?keyword=${subject}` }
  if (area === 'channel') {
    if (action.startsWith('channel.tag')) return { kind: 'tag', path: null }
    if (isId) return { kind: 'channel', path: `/admin/channels?keyword=${subject}` }
  }
  if (area === 'message' && isId) return { kind: 'message', path: `/admin/messages?drawer=edit&id=${subject}` }
  if (isId && (area === 'token' || area === 'redemption')) return { kind: area, path: null }
  if (area === 'option') return { kind: 'option', path: null }
  return { kind: area === 'top_up' ? 'topUp' : 'other', path: null }
}
