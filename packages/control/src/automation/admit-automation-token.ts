import { api, areaOf, AREAS, Refusal, scopeOf, type Endpoint } from '@tidegate/contract'
import { automationTokens, users, type UserRow } from '@tidegate/storage'
import ipaddr from 'ipaddr.js'
import type { Deps } from '../deps.ts'
import type { AutomationGrant } from '../http/actor.ts'
import { hasExpired } from './automation-token-view.ts'

export function isAutomationToken(credential: string): boolean {
  return credential.startsWith(api.AUTOMATION_TOKEN_PREFIX)
}

/** The owner of a token that may make this call from this address. The owner's own role is looked at as well, later. */
export async function admitAutomationToken(
  { db, vault, now }: Pick<Deps, 'db' | 'vault' | 'now'>,
  credential: string,
  { endpoint, clientIp }: { endpoint: Endpoint; clientIp: string },
): Promise<{ user: UserRow; grant: AutomationGrant }> {
  const token = await automationTokens.findByHash(db, vault.keyedHash('automation-token', credential))
  const user = token && (await users.findById(db, token.user_id))
  if (!user) throw new Refusal('access_token_invalid')
  if (hasExpired(token, now())) throw new Refusal('automation_token_expired')
  if (!isAllowed(token.allow_ips, clientIp)) throw new Refusal('automation_token_address', { address: clientIp })
  await automationTokens.touch(db, token.id, now())

  const scope = scopeOf(endpoint)
  if (scope === undefined) throw new Refusal('not_for_tokens')
  if (!token.scopes.includes(scope)) throw new Refusal('scope_missing', { scope })
  const area = areaOf(endpoint)
  const standsForProof = area !== null && area !== undefined && AREAS[area].guarded
  return { user, grant: { name: token.name, scopes: token.scopes, standsForProof } }
}

/** Lines were checked when they were stored. An address that cannot be read is in no range. */
function isAllowed(allowIps: string, address: string): boolean {
  if (allowIps === '') return true
  if (!ipaddr.isValid(address)) return false
  const caller = ipaddr.process(address)
  return allowIps.split('\n').some((line) => {
    const [network, bits] = line.includes('/') ? ipaddr.parseCIDR(line) : rangeOfOne(line)
    return network.kind() === caller.kind() && caller.match(network, bits)
  })
}

function rangeOfOne(line: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.process(line)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
