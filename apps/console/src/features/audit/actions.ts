/** What the trail can hold, in the order people look for it. An action that is missing here is shown by its code. */
export const ACTIONS = [
  'setup',
  'import',
  'user.create',
  'user.register',
  'user.login',
  'user.update',
  'user.balance',
  'user.promote',
  'user.demote',
  'user.disable',
  'user.enable',
  'user.delete',
  'user.restore',
  'user.reset_security',
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
  'log.delete',
  'shadow.match',
  'shadow.clear',
  'option.update',
  'config.apply',
  'config.export',
  'top_up.complete',
] as const

export type Action = (typeof ACTIONS)[number]

export const AREAS = ['user', 'channel', 'token', 'redemption', 'option', 'top_up'] as const

/** The part before the dot: what kind of thing was changed. */
export const areaOf = (action: string): string => action.split('.', 1)[0]!

export const isKnown = (action: string): action is Action => (ACTIONS as readonly string[]).includes(action)

export const isArea = (action: string): action is (typeof AREAS)[number] =>
  (AREAS as readonly string[]).includes(action)
