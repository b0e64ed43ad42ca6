import type { FailureClass, FailureKind } from '@tidegate/providers'
import type { CatalogChannel } from '../ports/index.ts'
import { type AutoDisable, createAutoDisable } from './auto-disable.ts'
import { createChannelKeys, keyIdsOf } from './channel-keys.ts'
import { createChannelMetrics, type ChannelMetrics, type AttemptSample } from './channel-metrics.ts'
import { createCircuitBreaker, type CircuitState, type HealthOptions } from './circuit-breaker.ts'
import { EVERY_MODEL } from './open-circuits.ts'
import { type SessionAffinity, createSessionAffinity } from './session-affinity.ts'

export type { ChannelMinute } from './channel-metrics.ts'

/** The circuits of one model of a channel, over all keys. */
export interface ChannelCircuit {
  /** The best state of a key. */
  readonly state: CircuitState
  /** Keys whose circuit is not closed. */
  readonly trippedKeys: number
}

export interface LeaseRequest {
  readonly channel: Pick<CatalogChannel, 'id' | 'keys'>
  /** The name at the provider. */
  readonly model: string
  /** The name that the channel was looked up by. */
  readonly routed: string
  /** The channel is used also while it cools down. */
  readonly pinned: boolean
  readonly callerId: number
  /** The conversation to tie to the channel when the attempt succeeds. */
  readonly conversation?: string
  readonly preferredKeyId?: string
  /** The hash of the conversation selects this channel and the preferred key. */
  readonly isHome?: boolean
}

export interface AttemptResult extends AttemptSample {
  readonly outcome: 'served' | FailureClass
  /** Where the exchange failed. */
  readonly kind?: FailureKind
  readonly status: number
  readonly retryAfterSeconds?: number
}

/** One attempt at one provider, with the key to use. */
export interface AttemptLease {
  readonly key: string
  /** Called when the response begins or fails, and again when a response that had begun fails. */
  report(result: AttemptResult): void
  /** Ends the attempt. A probe without a report is released to another request. */
  end(): void
}

/** The recent health of channels, models and keys, as seen by this process. */
export interface Health {
  /** Milliseconds until the caller may use any key of the channel for the model: 0 when one may be used now. */
  coolingDown(channel: Pick<CatalogChannel, 'id' | 'keys'>, model: string, callerId: number): number
  /** Whether the provider rejected every key of the channel, or its account. */
  rejectsAccount(channel: Pick<CatalogChannel, 'id' | 'keys'>): boolean
  /** The state for administrators; it does not depend on a caller. */
  circuitOf(channel: Pick<CatalogChannel, 'id' | 'keys'>, model: string): ChannelCircuit
  /** Undefined when no key may be used: another request acquired the only probe meanwhile. */
  acquireKey(request: LeaseRequest): AttemptLease | undefined
  /** Circuits that may not be used now. */
  openCircuits(): number
  /** Attempts at a channel that have not ended. */
  inFlight(channelId: number): number
  readonly affinity: SessionAffinity
  readonly autoDisable: AutoDisable
  readonly metrics: ChannelMetrics
}

export function createHealth(options: HealthOptions): Health {
  const breaker = createCircuitBreaker(options)
  const keys = createChannelKeys(breaker)
  const affinity = createSessionAffinity(options)
  const metrics = createChannelMetrics(options)
  const inFlight = new Map<number, number>()
  const count = (channelId: number, change: 1 | -1) => {
    const left = (inFlight.get(channelId) ?? 0) + change
    if (left === 0) inFlight.delete(channelId)
    else inFlight.set(channelId, left)
  }

  return {
    openCircuits: breaker.openCircuits,
    coolingDown({ id: channelId, keys: texts }, model, callerId) {
      if (!breaker.hasOpenCircuit(channelId)) return 0
      let soonest = Infinity
      for (const keyId of keyIdsOf(texts)) {
        soonest = Math.min(soonest, breaker.waitFor({ channelId, keyId, model }, callerId))
        if (soonest === 0) break
      }
      return soonest
    },

    rejectsAccount: ({ id: channelId, keys: texts }) =>
      keyIdsOf(texts).every((keyId) => breaker.stateOf({ channelId, keyId, model: EVERY_MODEL }) === 'open'),

    circuitOf({ id: channelId, keys: texts }, model) {
      const states = keyIdsOf(texts).map((keyId) => breaker.stateOf({ channelId, keyId, model }))
      const closed = states.filter((state) => state === 'closed').length
      const best = states.find((state) => state === 'half_open') ?? states[0] ?? 'closed'
      return { state: closed > 0 ? 'closed' : best, trippedKeys: states.length - closed }
    },

    acquireKey({ channel, model, routed, pinned, callerId, conversation, preferredKeyId, isHome = false }) {
      const channelId = channel.id
      const picked =
        keys.pick(channel, model, callerId, preferredKeyId) ?? (pinned ? keys.pickAnyway(channel) : undefined)
      if (!picked) return undefined
      const permit = breaker.acquire({ channelId, keyId: picked.id, model }, callerId)
      let ended = false
      count(channelId, 1)
      return {
        key: picked.key,
        report(result) {
          metrics.add(channelId, result)
          const { outcome } = result
          if (outcome === 'served') {
            permit.recordSuccess()
            if (conversation === undefined) return
            if (isHome && picked.id === preferredKeyId) affinity.clear(conversation)
            else affinity.remember(conversation, { channelId, keyId: picked.id, routed })
          } else {
            permit.recordFailure({ ...result, outcome })
            if (conversation === undefined || outcome === 'client') return
            const leavesHome = isHome && affinity.recall(conversation) === undefined
            if (leavesHome) affinity.remember(conversation, { channelId, keyId: picked.id, routed, failed: true })
            else affinity.forget(conversation, channelId)
          }
        },
        end() {
          if (ended) return
          ended = true
          permit.release()
          count(channelId, -1)
        },
      }
    },

    inFlight: (channelId) => inFlight.get(channelId) ?? 0,
    affinity,
    autoDisable: createAutoDisable(options),
    metrics,
  }
}
