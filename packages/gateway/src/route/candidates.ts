import { ApiError } from '@tidegate/contract'
import type { Catalog, CatalogChannel } from '../ports/index.ts'
import { buildPool, poolFor, tiersByPriority, type ChannelPool } from './channel-pool.ts'
import type { RouteQuestion } from './route.ts'
import type { Target } from './virtual-models.ts'

/** A model that may stand for the requested one, and the channels that serve it. */
export interface Candidates {
  readonly target: Target
  readonly pool: ChannelPool
}

/** Best target first; those nobody serves are left out. A pinned channel is the only candidate there is. */
export function findCandidates(
  catalog: Catalog,
  { caller, group }: Pick<RouteQuestion, 'caller' | 'group'>,
  { targets, prefix }: { targets: readonly Target[]; prefix: string },
): readonly Candidates[] {
  if (caller.pinnedChannelId !== undefined) {
    const channel = pinnedChannel(catalog, caller.pinnedChannelId)
    const target = targets.find(({ routed }) => channel.models.includes(routed)) ?? targets[0]!
    return [{ target, pool: buildPool([channel], tiersByPriority([channel]), target.routed) }]
  }
  return targets.flatMap((target) => {
    const pool = poolFor(catalog, { group, prefix, routed: target.routed })
    return pool ? [{ target, pool }] : []
  })
}

function pinnedChannel(catalog: Catalog, id: number): CatalogChannel {
  const channel = catalog.channels.get(id)
  if (!channel) throw new ApiError('invalid_text_request', { reason: `there is no channel ${id}` })
  if (!channel.enabled) throw new ApiError('channel_pin_disabled', { id })
  return channel
}
