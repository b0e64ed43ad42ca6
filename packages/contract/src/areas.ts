import { changesState, needsLogin, type Endpoint } from './endpoint.ts'

/** Areas of the control plane; scopes of automation tokens are granted per area. */
export type Area = keyof typeof AREAS

/**
 * Guarded areas contain endpoints for the super admin and endpoints that need re-authentication. Only in these areas
 * can a token call them, so that their scopes are always granted on purpose.
 */
export const AREAS = {
  account: { guarded: false },
  users: { guarded: false },
  tokens: { guarded: false },
  channels: { guarded: false },
  channel_keys: { guarded: true },
  models: { guarded: false },
  redemptions: { guarded: true },
  billing: { guarded: false },
  logs: { guarded: false },
  tasks: { guarded: false },
  messages: { guarded: false },
  options: { guarded: true },
  config: { guarded: true },
  audit: { guarded: true },
  exports: { guarded: true },
} as const

/** The longest matching prefix decides. `null`: only for console sessions, never for a token. */
const AREA_BY_PATH: Readonly<Record<string, Area | null>> = {
  '/api/admin/messages': 'messages',
  '/api/audit': 'audit',
  '/api/batch': 'tasks',
  '/api/channel': 'channels',
  '/api/channel/{id}/copy': 'channel_keys',
  '/api/channel/{id}/reveal': 'channel_keys',
  // Depends on the address of the console in the browser.
  '/api/chat_embedding': null,
  '/api/config': 'config',
  '/api/data': 'logs',
  '/api/export': 'exports',
  '/api/group': 'models',
  '/api/log': 'logs',
  '/api/mj': 'tasks',
  '/api/model_mapping': 'models',
  '/api/models': 'models',
  '/api/oauth': null,
  '/api/option': 'options',
  '/api/overview': 'logs',
  // Shows channels, users and options together, so no single scope covers it.
  '/api/overview/attention': null,
  '/api/redemption': 'redemptions',
  '/api/shadow': 'logs',
  '/api/status/test': 'logs',
  '/api/task': 'tasks',
  '/api/token': 'tokens',
  '/api/topup': 'billing',
  '/api/user': 'users',
  '/api/user/aff': 'account',
  '/api/user/aff_transfer': 'billing',
  '/api/user/amount': 'billing',
  '/api/user/automation_tokens': null,
  '/api/user/check_in': null,
  '/api/user/checkin': null,
  '/api/user/check_in_status': 'account',
  '/api/user/deliveries': 'account',
  '/api/user/export': 'account',
  '/api/user/identities': null,
  '/api/user/messages': 'messages',
  '/api/user/models': 'models',
  '/api/user/passkeys': null,
  '/api/user/pay': 'billing',
  '/api/user/prove': null,
  '/api/user/push': null,
  '/api/user/security': null,
  '/api/user/self': 'account',
  '/api/user/self/groups': 'models',
  '/api/user/sessions': null,
  '/api/user/setting': 'account',
  '/api/user/statement': 'billing',
  '/api/user/token': null,
  '/api/user/topup': 'billing',
  '/api/user/totp': null,
  '/api/user/{id}/statement': 'billing',
}

/** `null` for endpoints that no token may call; `undefined` for unassigned paths, which a test rejects. */
export function areaOf({ path }: Pick<Endpoint, 'path'>): Area | null | undefined {
  const parts = path.split('/')
  for (let length = parts.length; length > 2; length -= 1) {
    const area = AREA_BY_PATH[parts.slice(0, length).join('/')]
    if (area !== undefined) return area
  }
  return undefined
}

/** The scope an endpoint needs, such as `channels:write`; undefined if no scope allows it. */
export function scopeOf(endpoint: Endpoint): string | undefined {
  const area = areaOf(endpoint)
  if (!area || endpoint.proof === true || !needsLogin(endpoint)) return undefined
  if ((endpoint.access === 'root' || endpoint.proof) && !AREAS[area].guarded) return undefined
  return `${area}:${endpoint.scope ?? (changesState(endpoint) ? 'write' : 'read')}`
}
