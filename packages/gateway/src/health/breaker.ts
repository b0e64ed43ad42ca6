import type { FailureClass, FailureKind } from '@tidegate/providers'
import { Circuit, type Growth } from './circuit.ts'
import { RecentMap } from '../recent-map.ts'
import { EVERY_MODEL, Trouble, type Way } from './trouble.ts'

export interface Failure {
  readonly outcome: FailureClass
  /** Missing when it is not known where the exchange broke. */
  readonly kind?: FailureKind
  readonly status: number
  readonly retryAfterSeconds?: number
}

/** A call on its way. Holds the trial of a half-open circuit until it is released or has a result. */
export interface Passage {
  succeeded(): void
  failed(failure: Failure): void
  /** Without a result; after one it does nothing. */
  release(): void
}

export interface Breaker {
  /** Milliseconds until the way may be used: 0 when it may be used now. */
  waitFor(way: Way): number
  /** False for a channel without any trouble: spares looking at each of its keys. */
  isTroubled(channelId: number): boolean
  enter(way: Way, callerId: number): Passage
  /** Ways that may not be used right now. */
  openCircuits(): number
}

interface Known {
  readonly way: Way
  readonly circuit: Circuit
}

const MOST_CIRCUITS = 10_000
const SERVER_TROUBLE: Growth = { firstMs: 5_000, longestMs: 60_000 }
const KEY_TROUBLE: Growth = { firstMs: 60_000, longestMs: 600_000 }
const LONGEST_REST_MS = 600_000

/**
 * Keeps calls away from what just failed. A key that is refused or has no credit is left alone for all models; anything
 * else concerns one model of one key. Failures that are the client's own count for nothing.
 */
export function createBreaker({ now }: { now(): number }): Breaker {
  const trouble = new Trouble()
  const circuits = new RecentMap<string, Known>(MOST_CIRCUITS, (_id, { way }) => trouble.forget(way))
  let moments = 0

  function change(way: Way, work: (circuit: Circuit) => void): void {
    const id = idOf(way)
    const known = circuits.get(id) ?? { way, circuit: new Circuit() }
    work(known.circuit)
    circuits.set(id, known)
    trouble.note(way, known.circuit)
  }

  return {
    openCircuits: () => trouble.count((circuit) => circuit.waitFrom(now()) > 0),
    isTroubled: (channelId) => trouble.concerns(channelId),

    waitFor(way) {
      const [ofModel, ofKey] = trouble.find(way)
      return Math.max(ofModel?.waitFrom(now()) ?? 0, ofKey?.waitFrom(now()) ?? 0)
    },

    enter(way, callerId) {
      const wholeKey = { ...way, model: EVERY_MODEL }
      const begun = (moments += 1)
      let claimed = trouble.find(way).filter((circuit) => circuit?.claim(now()))
      const release = () => {
        for (const circuit of claimed) circuit?.release()
        claimed = []
      }
      return {
        release,
        succeeded() {
          release()
          change(way, (circuit) => circuit.succeeded(now(), begun))
          if (trouble.find(way)[1]) change(wholeKey, (circuit) => circuit.succeeded(now(), begun))
        },
        failed(failure) {
          release()
          if (failure.outcome === 'client') return
          const moment = (moments += 1)
          change(isAboutKey(failure) ? wholeKey : way, (circuit) =>
            punish(circuit, failure, { begun, moment, callerId }),
          )
        },
      }
    },
  }

  function punish(
    circuit: Circuit,
    failure: Failure,
    { callerId, ...order }: { begun: number; moment: number; callerId: number },
  ): void {
    const { outcome, retryAfterSeconds = 0 } = failure
    const incident = { ...order, now: now(), ...(canBeProvoked(failure) && { callerId }) }
    if (outcome === 'auth' || outcome === 'credit') circuit.shut({ ...incident, growth: KEY_TROUBLE })
    else if (outcome === 'rate' && retryAfterSeconds > 0)
      circuit.rest(incident.now, order.moment, Math.min(LONGEST_REST_MS, retryAfterSeconds * 1000))
    else circuit.failed({ ...incident, growth: SERVER_TROUBLE })
  }
}

/**
 * Whether a request can cause this failure at a provider that works: an error response, or a response that takes too
 * long. A connection that fails and a key or account that is rejected have nothing to do with the request, but a 403
 * may be about a file that the request names.
 */
function canBeProvoked({ outcome, kind, status }: Failure): boolean {
  if (kind === 'connect' || kind === 'reset') return false
  return outcome !== 'credit' && (outcome !== 'auth' || status === 403)
}

/** A 403 may be about one model only that the account has no access to. */
function isAboutKey({ outcome, status }: Failure): boolean {
  return outcome === 'credit' || (outcome === 'auth' && status !== 403)
}

function idOf({ channelId, keyId, model }: Way): string {
  return `${channelId} ${keyId} ${model}`
}
