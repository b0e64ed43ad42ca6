import { api, AUTOMATION_TOKEN, newToken, ApiError, ROLES, SCOPES, type Role } from '@tidegate/contract'
import { auditEvents, automationTokens, users, type Db } from '@tidegate/storage'
import { refuseEndedSession } from './reauthenticate.ts'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { randomText } from '../tokens/random-text.ts'
import { checkAddresses, checkExpiry, checkName } from '../tokens/token-fields.ts'
import { automationTokenView } from './automation-token-view.ts'

/** Makes a token for a program. Only its hash is kept, so this answer is the one time it is seen. */
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
    await refuseEndedSession(transaction, actor) // a new password ends tokens: one under way must not come after it
    await refuseTooMany(transaction, actor.id)
    const inserted = await automationTokens.insert(transaction, fields)
    const { name, scopes } = fields
    const event = { action: 'user.automation_token', subject: String(actor.id), details: { name, scopes } }
    await auditEvents.record(transaction, { actorId: actor.id, ...event, ...origin })
    return inserted
  })
  return { ...automationTokenView(row, at), token }
}

/** What a role can be given: a scope that opens nothing to its owner would only mislead. */
export function scopesFor(role: Role): typeof SCOPES {
  return SCOPES.filter((scope) => ROLES[scope.role] <= role)
}

function checkScopes(given: readonly string[], role: Role): string[] {
  if (given.length === 0) throw new ApiError('scopes_required')
  const offered = new Set(scopesFor(role).map(({ scope }) => scope))
  const wrong = given.find((scope) => !offered.has(scope))
  if (wrong !== undefined) throw new ApiError('scope_unknown', { scope: wrong.slice(0, 50) })
  return [...new Set(given)].toSorted()
}

/** The lock on the user lets two who count at the same time see each other. */
async function refuseTooMany(transaction: Db, userId: number): Promise<void> {
  if ((await automationTokens.countOf(transaction, userId)) >= api.MAX_AUTOMATION_TOKENS) {
    throw new ApiError('token_limit_reached', { limit: api.MAX_AUTOMATION_TOKENS })
  }
}
