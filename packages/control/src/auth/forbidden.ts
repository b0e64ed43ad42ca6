import type { Endpoint } from '@tidegate/contract'
import type { Deps } from '../deps.ts'
import type { Origin } from '../http/actor.ts'

/** A call that not everybody may make, and where it comes from. */
export interface ProtectedCall {
  endpoint: Endpoint
  origin: Pick<Origin, 'clientIp' | 'requestId' | 'tokenName'>
}

/** Records a call that its caller may not make, by its route. */
export function recordForbidden(
  { authFailures }: Pick<Deps, 'authFailures'>,
  { endpoint, origin }: ProtectedCall,
  { id }: { id: number },
  reason: 'forbidden' | 'scope_missing' | 'not_for_tokens',
): void {
  const details = { call: `${endpoint.method} ${endpoint.path}`, reason }
  authFailures.record({ kind: 'forbidden', userId: id, isUser: true, origin, details })
}
