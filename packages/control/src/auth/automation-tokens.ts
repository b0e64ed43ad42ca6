import {
  api,
  ApiError,
  areaOf,
  AREAS,
  AUTOMATION_TOKEN,
  hasWrongChecksum,
  newToken,
  type Role,
  ROLES,
  scopeOf,
  SCOPES,
} from '@tidegate/contract'
import { auditEvents, type AutomationTokenRow, automationTokens, type Db, type UserRow, users } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Actor, AutomationCredential, Origin } from '../http/actor.ts'
import { addressList, isListed } from '../http/client-address.ts'
import { randomText } from '../tokens/create-token.ts'
import { checkAddresses, checkExpiry, checkName } from '../tokens/token-fields.ts'
import { type ProtectedRequest, recordForbidden } from './auth-failures.ts'
import { ensureSessionActive } from './reauthenticate.ts'

export function isAutomationToken(credential: string): boolean {
  return credential.startsWith(api.AUTOMATION_TOKEN_PREFIX)
}

/** Returns the owner of a token that may send this request from this address. The owner's role is checked later. */
export async function authenticateAutomationToken(
  deps: Pick<Deps, 'db' | 'vault' | 'now' | 'authFailures'>,
  credential: string,
  { endpoint, origin: { clientIp, requestId } }: ProtectedRequest,
): Promise<{ user: UserRow; automation: AutomationCredential }> {
  const { db, vault, now, authFailures } = deps
  if (hasWrongChecksum(AUTOMATION_TOKEN, credential)) throw new ApiError('access_token_mistyped')
  const token = await automationTokens.findByHash(db, vault.keyedHash('automation-token', credential))
  const user = token && (await users.findById(db, token.user_id))
  if (!user) throw new ApiError('access_token_invalid')
  if (hasExpired(token, now())) throw new ApiError('automation_token_expired')
  const origin = { clientIp, requestId, tokenName: token.name }
  if (!isAllowed(token.allow_ips, clientIp)) {
    authFailures.record({ kind: 'ip_not_allowed', userId: user.id, isUser: true, origin })
    throw new ApiError('automation_token_address', { address: clientIp })
  }
  await automationTokens.touch(db, token.id, now())

  const scope = scopeOf(endpoint)
  if (scope === undefined) {
    recordForbidden(deps, { endpoint, origin }, user, 'not_for_tokens')
    throw new ApiError('not_for_tokens')
  }
  if (!token.scopes.includes(scope)) {
    recordForbidden(deps, { endpoint, origin }, user, 'scope_missing')
    throw new ApiError('scope_missing', { scope })
  }
  const area = areaOf(endpoint)
  const replacesReauth = area !== null && area !== undefined && AREAS[area].guarded
  return { user, automation: { id: token.id, name: token.name, scopes: token.scopes, replacesReauth } }
}

/** Lines were validated when they were stored. */
function isAllowed(allowIps: string, address: string): boolean {
  return allowIps === '' || isListed(addressList(allowIps.split('\n')), address)
}

/** Creates a token for a program. Only its hash is stored, so it is shown once. */
export async function createAutomationToken(
  { db, vault, now }: Pick<Deps, 'db' | 'vault' | 'now'>,
  actor: Actor,
  input: api.NewAutomationToken,
  origin: Origin,
): Promise<api.AutomationToken & { token: string }> {
  const at = now()
  const token = newToken(AUTOMATION_TOKEN, randomText)
  const fields = {
    user_id: actor.id,
    name: checkName(input.name),
    scopes: checkScopes(input.scopes, actor.role),
    allow_ips: checkAddresses(input.allow_ips),
    expires_at: checkExpiry(input.expired_time, at),
    hash: vault.keyedHash('automation-token', token),
    last_four: token.slice(-4),
    created_at: at,
  }
  const row = await db.transaction().execute(async (transaction) => {
    await users.lock(transaction, actor.id)
    await ensureSessionActive(transaction, actor) // a new password revokes tokens; a concurrent creation must not survive it
    await ensureBelowLimit(transaction, actor.id)
    const inserted = await automationTokens.insert(transaction, fields)
    const { name, scopes } = fields
    const event = { action: 'user.automation_token', subject: String(actor.id), details: { name, scopes } }
    await auditEvents.record(transaction, { actorId: actor.id, ...event, ...origin })
    return inserted
  })
  return { ...automationTokenView(row, at), token }
}

/** Scopes that a role can use. A scope without effect would mislead its owner. */
export function scopesFor(role: Role): typeof SCOPES {
  return SCOPES.filter((scope) => ROLES[scope.role] <= role)
}

function checkScopes(value: readonly string[], role: Role): string[] {
  if (value.length === 0) throw new ApiError('scopes_required')
  const offered = new Set(scopesFor(role).map(({ scope }) => scope))
  const wrong = value.find((scope) => !offered.has(scope))
  if (wrong !== undefined) throw new ApiError('scope_unknown', { scope: wrong.slice(0, 50) })
  return [...new Set(value)].toSorted()
}

/** The lock on the user serializes concurrent creations. */
async function ensureBelowLimit(transaction: Db, userId: number): Promise<void> {
  if ((await automationTokens.countOf(transaction, userId)) >= api.MAX_AUTOMATION_TOKENS) {
    throw new ApiError('token_limit_reached', { limit: api.MAX_AUTOMATION_TOKENS })
  }
}

export function automationTokenView(row: AutomationTokenRow, now: Date): api.AutomationToken {
  return {
    id: row.id,
    name: row.name,
    last_four: row.last_four,
    scopes: row.scopes,
    allow_ips: row.allow_ips,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    expired: hasExpired(row, now),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }
}

function hasExpired({ expires_at }: Pick<AutomationTokenRow, 'expires_at'>, now: Date): boolean {
  return expires_at !== null && expires_at <= now
}

export async function revokeAutomationToken(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  id: number,
  origin: Origin,
): Promise<void> {
  if (actor.sessionHash === undefined) throw new ApiError('session_required') // tokens cannot manage tokens
  await db.transaction().execute(async (transaction) => {
    const name = await automationTokens.remove(transaction, actor.id, id)
    if (name === undefined) throw new ApiError('token_not_found')
    const event = { action: 'user.automation_token_revoke', subject: String(actor.id), details: { name } }
    await auditEvents.record(transaction, { actorId: actor.id, ...event, ...origin })
  })
}
