import { api, areaOf, AREAS, AUTOMATION_TOKEN, isMistyped, ApiError, scopeOf } from '@tidegate/contract'
import { automationTokens, users, type UserRow } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import { recordForbidden, type ProtectedCall } from './forbidden.ts'
import type { AutomationGrant } from '../http/actor.ts'
import { addressList, isListed } from '../http/ip-address.ts'
import { hasExpired } from './automation-token-view.ts'

export function isAutomationToken(credential: string): boolean {
  return credential.startsWith(api.AUTOMATION_TOKEN_PREFIX)
}

/** The owner of a token that may make this call from this address. The owner's own role is looked at as well, later. */
export async function admitAutomationToken(
  deps: Pick<Deps, 'db' | 'vault' | 'now' | 'authFailures'>,
  credential: string,
  { endpoint, origin: { clientIp, requestId } }: ProtectedCall,
): Promise<{ user: UserRow; grant: AutomationGrant }> {
  const { db, vault, now, authFailures } = deps
  if (isMistyped(AUTOMATION_TOKEN, credential)) throw new ApiError('access_token_mistyped')
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
  const standsForProof = area !== null && area !== undefined && AREAS[area].guarded
  return { user, grant: { id: token.id, name: token.name, scopes: token.scopes, standsForProof } }
}

/** Lines were checked when they were stored. */
function isAllowed(allowIps: string, address: string): boolean {
  return allowIps === '' || isListed(addressList(allowIps.split('\n')), address)
}
