import { ApiError, type Quota } from '@tidegate/contract'
import type { Usage } from '@tidegate/pricing'
import type { CreditReservation } from '../admit/credit.ts'
import type { Meter } from './usage-meter.ts'
import type { Settlement } from '../ports/index.ts'

interface GuardedRequest {
  reservation: Pick<CreditReservation, 'amount' | 'extend' | 'checkpoint'>
  meter: Pick<Meter, 'atLeast' | 'atMost' | 'outputEstimate' | 'countOutput'>
  /** The output limit that the provider received; Infinity when it received none. */
  outputBound: number
  /** The cost of a request with this usage. */
  costFor(usage: Usage): Quota
  /** The settlement of a request with this usage, for the journal. */
  settlementFor(usage: Usage): Settlement
  now(): number
}

/** Called before anything is forwarded. Returns the error when the stream can no longer be covered. */
export type CreditGuard = () => Promise<ApiError | undefined> | undefined

/** What a crash may leave unbilled of a stream: this much time, or a few tokens for a longer time. */
const CHECKPOINT_MS = 2_000
const FEW_TOKENS = 64
const SLOW_CHECKPOINT_MS = 10_000
/** How much our count of an output may exceed the provider's. */
const BOUND_ALLOWANCE = 1.5
/** Fallback step sizes, in tokens, when doubling the reservation fails. */
const SMALL_STEPS = [32, 8, 1]

/**
 * Watches the cost of a stream, event by event, at the price of a comparison. When the reservation cannot be extended,
 * everything sent so far is covered; the last event is not, and must not be sent.
 */
export function createCreditGuard({
  reservation,
  meter,
  outputBound,
  costFor,
  settlementFor,
  now,
}: GuardedRequest): CreditGuard {
  let checkpointAt = now()
  /** The first checkpoint records the prompt, which may be most of the cost. */
  let checkpointOutput = -Infinity
  let shortage: ApiError | undefined
  /** Estimated output tokens up to which the stream is covered; Infinity for a free one. */
  let coveredOutput = Infinity
  /** The cost is linear in the output, so two points show how far the credit reaches. */
  const first = costOf(1)
  const perToken = (costOf(1001) - first) / 1000
  if (perToken > 0) {
    coveredOutput = 1 + Math.floor((reservation.amount - first) / perToken)
    // Credit up to the bound is reserved. Our count may differ from the provider's; far beyond the bound, the provider
    // ignores the limit.
    if (outputBound < Infinity) coveredOutput = Math.max(coveredOutput, outputBound * BOUND_ALLOWANCE)
  }

  function costOf(output: number): number {
    return costFor({ ...meter.atMost(), output, reasoning: 0 })
  }

  /** Counts the tokens first, because the estimate is rather too high: others may need the credit. */
  async function extend(): Promise<ApiError | undefined> {
    const counted = await meter.countOutput()
    const reach = Math.floor((reservation.amount - costOf(counted)) / perToken)
    if (reach >= 0) {
      coveredOutput = meter.outputEstimate + reach
      return undefined
    }
    // Doubled, so that a long stream extends only a few times; else a small step.
    for (const step of [counted, ...SMALL_STEPS]) {
      if (await tryExtend(costOf(counted + step))) {
        coveredOutput = meter.outputEstimate + step
        return undefined
      }
    }
    return shortage
  }

  async function tryExtend(total: number): Promise<boolean> {
    try {
      const short = await reservation.extend(total)
      if (short) shortage = new ApiError(short, { needed: total })
      return short === undefined
    } catch (error) {
      shortage = error instanceof ApiError ? error : new ApiError('settlement_unavailable', {}, { cause: error })
      return false
    }
  }

  return () => {
    const elapsedMs = now() - checkpointAt
    const grown = meter.outputEstimate - checkpointOutput
    if (elapsedMs >= SLOW_CHECKPOINT_MS || (elapsedMs >= CHECKPOINT_MS && grown >= FEW_TOKENS)) {
      checkpointAt = now()
      checkpointOutput = meter.outputEstimate
      reservation.checkpoint(settlementFor(meter.atLeast()))
    }
    return meter.outputEstimate <= coveredOutput ? undefined : extend()
  }
}
