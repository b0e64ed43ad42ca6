import type { DialectId, StoredState } from '@tidegate/dialects'
import type { ImageRequest, ModelPrice } from '@tidegate/pricing'
import type { OperationId, TaskKind } from '@tidegate/providers'
import type { Caller, CatalogChannel, SkipReason, RouteDecision } from '../ports/index.ts'

export interface RouteOptions {
  readonly caller: Pick<Caller, 'userId' | 'userGroup' | 'userSetting' | 'pinnedChannelId'>
  /** The group of the request. */
  readonly group: string
  /** The name that the client requested. */
  readonly model: string
  readonly dialect: DialectId
  /** For requests that are not chats. */
  readonly operation?: OperationId
  /** For task submissions. */
  readonly task?: TaskKind
  /** The requested images. They determine the price. */
  readonly image?: ImageRequest
  /** The requested sizes of a video. They determine the price per second. */
  readonly videoSizes?: readonly string[]
  readonly promptTokens: number
  /** The client's id of the conversation. */
  readonly conversation?: string
  /** The stored state that the request continues. */
  readonly stored?: StoredState | undefined
}

/** One channel and model to send a request to. */
export interface Route {
  readonly channel: CatalogChannel
  /** The group that the request is served and billed in. */
  readonly group: string
  /** The name at the provider. */
  readonly model: string
  /** The name at the provider differs from the requested one. */
  readonly mapped: boolean
  readonly price: ModelPrice
  /** The name that the channel was looked up by. */
  readonly routed: string
  /** The channel was tried by this request before, as were all others. */
  readonly again: boolean
  /** An administrator pinned the channel. */
  readonly pinned: boolean
  readonly callerId: number
  /** The key of session affinity. */
  readonly conversation?: string
  readonly preferredKeyId?: string
  /** The hash of the conversation selects this channel. */
  readonly isHome?: boolean
}

/** The routes of a request, computed one by one. */
export interface RoutePlan {
  /** The best remaining route: to an untried channel while there is one. Undefined when all cool down. */
  next(): Route | undefined
  /** Milliseconds until there may be a route; undefined when waiting does not help. */
  readyIn(): number | undefined
  /** Every model that may serve the request, by its name at the provider, with its price. */
  prices(): readonly { readonly model: string; readonly price: ModelPrice }[]
  /** The decision so far. */
  readonly decision: RouteDecision
}

const MAX_LISTED = 20

/** Records a routing decision. A channel is listed with the first reason found. */
export class DecisionRecord {
  readonly decision: { -readonly [Field in keyof RouteDecision]: RouteDecision[Field] }
  readonly #passedOver: { channelId: number; reason: SkipReason }[] = []
  #seen: Set<number> | undefined

  constructor(candidates: number) {
    this.decision = { candidates, passedOver: this.#passedOver, passedOverCount: 0 }
  }

  setAffinityChannel(channelId: number): void {
    this.decision.kept = channelId
  }

  skip(channelId: number, reason: SkipReason): void {
    this.#seen ??= new Set() // most requests skip none
    if (this.#seen.has(channelId)) return
    this.#seen.add(channelId)
    if (this.#passedOver.length < MAX_LISTED) this.#passedOver.push({ channelId, reason })
    this.decision.passedOverCount += 1
  }
}

/** Why no channel could serve a request; the cause of its rejection. */
export class NoRoute extends Error {
  override readonly name = 'NoRoute'
  readonly decision: RouteDecision

  constructor(decision: RouteDecision) {
    super('no channel can serve the request')
    this.decision = decision
  }
}
