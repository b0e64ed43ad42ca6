import type { PassReason, RouteDecision } from '../ports/index.ts'

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
