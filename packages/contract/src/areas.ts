import { changesState, needsLogin, type Endpoint } from './endpoint.ts'

/** Parts of the control plane that an automation token is given one by one. */
export type Area = keyof typeof AREAS

/**
 * Guarded areas hold what only a super admin may do, or what asks a person for a proof: such a call is open to a token
 * only here, so that a scope for it is always given on purpose.
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
} as const

/** The longest beginning of a path decides. `null`: for a person at the console, never for a token. */
const AREA_BY_PATH: Readonly<Record<string, Area | null>> = {
  '/api/admin/messages': 'messages',
  '/api/audit': 'audit',
  '/api/channel': 'channels',
  '/api/channel/{id}/copy': 'channel_keys',
  '/api/channel/{id}/reveal': 'channel_keys',
  '/api/config': 'config',
  '/api/data': 'logs',
  '/api/group': 'models',
  '/api/log': 'logs',
  '/api/mj': 'tasks',
  '/api/model_mapping': 'models',
  '/api/models': 'models',
  '/api/oauth': null,
  '/api/option': 'options',
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
  '/api/user/identities': null,
  '/api/user/messages': 'messages',
  '/api/user/models': 'models',
  '/api/user/passkeys': null,
  '/api/user/pay': 'billing',
  '/api/user/prove': null,
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

/** `null` for a call no token may make; `undefined` for one nobody has thought about, which a test fails for. */
export function areaOf({ path }: Pick<Endpoint, 'path'>): Area | null | undefined {
  const parts = path.split('/')
  for (let length = parts.length; length > 2; length -= 1) {
    const area = AREA_BY_PATH[parts.slice(0, length).join('/')]
    if (area !== undefined) return area
  }
  return undefined
}

/** The scope a call needs, such as `channels:write`; undefined where no scope opens it. */
export function scopeOf(endpoint: Endpoint): string | undefined {
  const area = areaOf(endpoint)
  if (!area || endpoint.proof === true || !needsLogin(endpoint)) return undefined
  if ((endpoint.access === 'root' || endpoint.proof) && !AREAS[area].guarded) return undefined
  return `${area}:${endpoint.scope ?? (changesState(endpoint) ? 'write' : 'read')}`
}
