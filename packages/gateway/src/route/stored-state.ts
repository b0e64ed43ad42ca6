import { ApiError, type ErrorCode } from '@tidegate/contract'
import type { SessionAffinity, StoredResponseEntry } from '../health/session-affinity.ts'
import { keyIdsOf } from '../health/channel-keys.ts'
import type { Catalog } from '../ports/index.ts'
import { buildPool, type Candidates, tiersByPriority } from './candidates.ts'
import type { RouteOptions } from './route.ts'

interface StoredMatch {
  readonly id: string
  readonly entry: StoredResponseEntry
}

/**
 * Finds the account that stores what a request continues. Rejects ids of other users as the provider rejects ids of
 * other accounts. Undefined when the request continues nothing, or nothing that this process knows.
 */
export function findStored(
  affinity: Pick<SessionAffinity, 'findStored'>,
  { caller, stored }: Pick<RouteOptions, 'caller' | 'stored'>,
): StoredMatch | undefined {
  const find = (id: string | undefined, notFound: ErrorCode): StoredMatch | undefined => {
    const entry = id === undefined ? undefined : affinity.findStored(id)
    if (id === undefined || !entry) return undefined
    if (entry.userId !== caller.userId) throw new ApiError(notFound, { id })
    return { id, entry }
  }
  const response = find(stored?.holdingResponseId ?? stored?.previousResponseId, 'previous_response_not_found')
  const conversation = find(stored?.conversationId, 'conversation_not_found')
  return response ?? conversation
}

/** Leaves only the channel and the key that store the state: no other account knows it. */
export function onlyWhereStored(
  candidates: readonly Candidates[],
  catalog: Catalog,
  { id, entry }: StoredMatch,
): readonly Candidates[] {
  const channel = catalog.channels.get(entry.channelId)
  const key = channel?.keys[keyIdsOf(channel.keys).indexOf(entry.keyId)]
  const serving = candidates.filter(({ pool }) => pool.has(entry.channelId))
  if (!channel || key === undefined || serving.length === 0) throw new ApiError('stored_response_unavailable', { id })
  const account = [{ ...channel, keys: [key] }]
  return serving.map(({ target }) => ({ target, pool: buildPool(account, tiersByPriority(account), target.routed) }))
}
