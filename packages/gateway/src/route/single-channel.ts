import { ApiError } from '@tidegate/contract'
import { collapseGizmo, priceOf } from '@tidegate/pricing'
import type { OperationId } from '@tidegate/providers'
import type { Catalog, CatalogChannel } from '../ports/index.ts'
import { canServe } from './evaluate-channel.ts'
import { upstreamName } from './model-names.ts'
import type { Route, RoutePlan } from './route.ts'

interface SingleChannelRequest {
  readonly channelId: number
  /** A channel that is not in the catalog; replaces `channelId`. */
  readonly unsaved?: CatalogChannel | undefined
  readonly model: string
  readonly operation?: OperationId
}

/** A plan with one channel for a test: also when it is disabled or cools down, at a price without a group. */
export function planSingleChannel(
  catalog: Catalog,
  { channelId, unsaved, model: requested, operation }: SingleChannelRequest,
): RoutePlan {
  const channel = unsaved ?? catalog.channels.get(channelId)
  if (!channel) throw new ApiError('channel_not_found')
  const routed = collapseGizmo(requested)
  const model = upstreamName(channel, routed, requested, requested)
  if (!canServe(channel, { dialect: 'openai-chat', operation, model })) {
    throw new ApiError('model_endpoint_unsupported', { model: requested })
  }
  const price = priceOf(catalog.settings, {
    modelName: requested,
    upstreamName: model,
    group: '',
    acceptUnset: true, // nothing is charged
    catalogVersion: catalog.version,
  })
  const mapped = model !== requested
  let left: Route | undefined = {
    channel,
    group: '',
    model,
    mapped,
    price,
    routed,
    again: false,
    pinned: true,
    callerId: 0,
  }
  return {
    next() {
      const route = left
      left = undefined
      return route
    },
    readyIn: () => undefined,
    prices: () => [{ model, price }],
    decision: { candidates: 1, passedOver: [], passedOverCount: 0 },
  }
}
