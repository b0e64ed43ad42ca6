import type { DialectId, StoredState } from '@tidegate/dialects'
import type { ImageRequest, ModelPrice } from '@tidegate/pricing'
import type { OperationId, TaskKind } from '@tidegate/providers'
import type { Caller, CatalogChannel, PassReason, RouteDecision } from '../ports/index.ts'

export interface RouteOptions {
  readonly caller: Pick<Caller, 'userId' | 'userGroup' | 'userSetting' | 'pinnedChannelId'>
  /** The group the call is made in. */
  readonly group: string
  /** As the client asked for it. */
  readonly model: string
  readonly dialect: DialectId
  /** What is asked for when it is no conversation. */
  readonly operation?: OperationId
  /** What is ordered when it takes its time. */
  readonly task?: TaskKind
  /** How images are asked for: it decides what each costs. */
  readonly image?: ImageRequest
  /** The sizes that a video is requested in: they decide what a second costs. */
  readonly videoSizes?: readonly string[]
  readonly promptTokens: number
  /** What the client's turns of one conversation have in common, in its own words. */
  readonly conversation?: string
  /** What the request continues at the account that stores it. */
  readonly stored?: StoredState | undefined
}

/** One way to serve a call. */
export interface Route {
  readonly channel: CatalogChannel
  /** The group that the request is served and billed in. */
  readonly group: string
  /** The name the provider is asked for. */
  readonly model: string
  /** The operator sends another name than the client asked for. */
  readonly mapped: boolean
  readonly price: ModelPrice
  /** The name the channel was looked up by. */
  readonly routed: string
  /** The channel has been tried in this call: every other had its turn. */
  readonly again: boolean
  /** An administrator wants this channel and no other. */
  readonly pinned: boolean
  readonly callerId: number
  /** Under what to remember where the call was served. */
  readonly conversation?: string
  readonly preferredKeyId?: string
}

/** The ways to serve a call, found one by one. */
export interface RoutePlan {
  /** The best way left: to a channel not tried in this call while there is one. Undefined when all cool down. */
  next(): Route | undefined
  /** Milliseconds until there may be a way again; undefined when waiting does not help. */
  readyIn(): number | undefined
  /** Every model that may serve the call, by its name at the provider, with its price. */
  prices(): readonly { readonly model: string; readonly price: ModelPrice }[]
  /** As far as it has been made. */
  readonly decision: RouteDecision
}

const MOST_LISTED = 20

/** Collects a decision while it is made. A channel is listed with the first reason found. */
export class DecisionRecord {
  /** As far as it has been made. */
  readonly decision: { -readonly [Field in keyof RouteDecision]: RouteDecision[Field] }
  readonly #passedOver: { channelId: number; reason: PassReason }[] = []
  #seen: Set<number> | undefined

  constructor(candidates: number) {
    this.decision = { candidates, passedOver: this.#passedOver, passedOverCount: 0 }
  }

  keep(channelId: number): void {
    this.decision.kept = channelId
  }

  passOver(channelId: number, reason: PassReason): void {
    this.#seen ??= new Set() // most calls pass over none
    if (this.#seen.has(channelId)) return
    this.#seen.add(channelId)
    if (this.#passedOver.length < MOST_LISTED) this.#passedOver.push({ channelId, reason })
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
