import * as api from './api/index.ts'
import { type Area, AREAS, scopeOf } from './areas.ts'
import { type Access, changesState, type Endpoint, needsLogin, takesIdempotencyKey } from './endpoint.ts'
import type { ErrorCode } from './errors.ts'
import { type RoleName, ROLES } from './roles.ts'

export interface NamedEndpoint {
  readonly name: string
  readonly endpoint: Endpoint
}

/** Every endpoint by its export name, in alphabetical order. */
export const ENDPOINTS: readonly NamedEndpoint[] = Object.entries(api)
  .flatMap(([name, value]) => (isEndpoint(value) ? [{ name, endpoint: value }] : []))
  .toSorted((a, b) => (a.name < b.name ? -1 : 1))

/** All errors of an endpoint: its own, those of its access level, and common ones. */
export function errorsOf(endpoint: Endpoint): ErrorCode[] {
  const codes: ErrorCode[] = [...endpoint.errors, ...ERRORS_BY_ACCESS[endpoint.access], ...COMMON_ERRORS]
  if (endpoint.query !== undefined || endpoint.body !== undefined) codes.push('invalid_params')
  if (endpoint.body !== undefined) codes.push('body_too_large', 'body_too_complex')
  if (endpoint.sameOriginOnly) codes.push('cross_site_refused')
  if (needsLogin(endpoint)) codes.push(scopeOf(endpoint) === undefined ? 'not_for_tokens' : 'scope_missing')
  if (takesIdempotencyKey(endpoint)) codes.push(...IDEMPOTENCY)
  if (needsLogin(endpoint) && !endpoint.enrolment) codes.push('admin_second_factor_required')
  if (endpoint.versioned && endpoint.method === 'PUT') codes.push('edit_conflict')
  if (endpoint.proof) codes.push('proof_required')
  if (endpoint.proof === true) codes.push('session_required')
  if (changesState(endpoint) && endpoint.access !== 'public' && endpoint !== api.logout) codes.push('demo_site')
  return [...new Set(codes)].toSorted()
}

const COMMON_ERRORS: readonly ErrorCode[] = [
  'rate_limited',
  'internal_error',
  'service_unavailable',
  'log_store_unavailable',
]

const IDEMPOTENCY: readonly ErrorCode[] = [
  'idempotency_key_invalid',
  'idempotency_key_reused',
  'idempotency_in_progress',
  'idempotency_unfinished',
]

const LOGGED_IN: readonly ErrorCode[] = [
  'not_logged_in',
  'access_token_invalid',
  'access_token_mistyped',
  'automation_token_expired',
  'automation_token_address',
  'user_id_header_missing',
  'user_id_header_malformed',
  'user_id_header_conflict',
  'user_id_header_mismatch',
  'user_banned',
  'user_deregistered',
  'user_info_invalid',
  'cross_site_refused',
  'admin_address_not_allowed',
]

const ERRORS_BY_ACCESS: Readonly<Record<Access, readonly ErrorCode[]>> = {
  public: [],
  visitor: [],
  user: LOGGED_IN,
  admin: [...LOGGED_IN, 'forbidden'],
  root: [...LOGGED_IN, 'forbidden'],
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'reply' in value
}

export interface Scope {
  readonly scope: string
  readonly area: Area
  /** The lowest role that can use the scope. */
  readonly role: RoleName
}

/** Every scope of at least one endpoint, by area, `read` before `write`. */
export const SCOPES: readonly Scope[] = (Object.keys(AREAS) as Area[]).flatMap((area) =>
  ['read', 'write'].flatMap((level) => {
    const scope = `${area}:${level}`
    const opened = ENDPOINTS.filter(({ endpoint }) => scopeOf(endpoint) === scope)
    const roles = opened.map(({ endpoint }) => endpoint.access as RoleName)
    const [role] = roles.toSorted((a, b) => ROLES[a] - ROLES[b])
    return role === undefined ? [] : [{ scope, area, role }]
  }),
)
