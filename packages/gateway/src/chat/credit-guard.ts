import { ApiError, type Quota } from '@tidegate/contract'
import type { Usage } from '@tidegate/pricing'
import type { CreditReservation } from '../admit/credit.ts'
import type { Meter } from './usage-meter.ts'
import type { Settlement } from '../ports/index.ts'

interface GuardedRequest {
  reservation: Pick<CreditReservation, 'amount' | 'extend' | 'checkpoint'>
  meter: Pick<Meter, 'atLeast' | 'atMost' | 'outputGuess' | 'countOutput'>
  /** The output limit that the provider received; Infinity when it received none. */
  outputBound: number
  /** What a call that used this much costs. */
  costFor(usage: Usage): Quota
  /** The same with its row of the log, for the journal. */
  settlementFor(usage: Usage): Settlement
  now(): number
}

/** Asked before anything is passed on. Answers why no more can be held for it, and nothing while the stream may go on. */
export type CreditGuard = () => Promise<ApiError | undefined> | undefined

/** What a process that dies can leave unbilled of a stream: so much time, or so few tokens for a while longer. */
const CHECKPOINT_MS = 2_000
const FEW_TOKENS = 64
const SLOW_CHECKPOINT_MS = 10_000
/** How much more than the provider our own count of an output may be. */
const BOUND_ALLOWANCE = 1.5
/** What is asked for when there is not enough to double what is held, in tokens. */
const SMALL_STEPS = [32, 8, 1]

/**
 * Watches a stream's cost as it grows, event by event, at the price of a comparison. When nothing more can be held for
 * it, what was sent so far is covered, and what came last is not and must not be sent.
 */
export function createCreditGuard({
  reservation,
  meter,
  outputBound,
  costFor,
  settlementFor,
  now,
}: GuardedRequest): CreditGuard {
  let notedAt = now()
  /** The first note tells of the prompt, which may be most of the cost. */
  let notedOutput = -Infinity
  let shortage: ApiError | undefined
  /** Output tokens, as they are guessed, up to which the stream is known to be covered; a free one always is. */
  let coveredOutput = Infinity
  /** A cost grows evenly with the output, so two prices tell how far the credit reaches. */
  const first = costOf(1)
  const perToken = (costOf(1001) - first) / 1000
  if (perToken > 0) {
    coveredOutput = 1 + Math.floor((reservation.amount - first) / perToken)
    // Credit for all of the bound is reserved. Our count may differ from the provider's; far beyond it, the provider
    // ignores the limit.
    if (outputBound < Infinity) coveredOutput = Math.max(coveredOutput, outputBound * BOUND_ALLOWANCE)
  }

  function costOf(output: number): number {
    return costFor({ ...meter.atMost(), output, reasoning: 0 })
  }

  /**
   * The guess is rather too high, so the tokens are counted first: credit that is not needed is not asked for, because
   * others may be waiting for it.
   */
  async function extend(): Promise<ApiError | undefined> {
    const counted = await meter.countOutput()
    const reach = Math.floor((reservation.amount - costOf(counted)) / perToken)
    if (reach >= 0) {
      coveredOutput = meter.outputGuess + reach
      return undefined
    }
    // As much again, so that a long stream asks only a few times; else a small step.
    for (const step of [counted, ...SMALL_STEPS]) {
      if (await canHold(costOf(counted + step))) {
        coveredOutput = meter.outputGuess + step
        return undefined
      }
    }
    return shortage
  }

  async function canHold(total: number): Promise<boolean> {
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
    const silentFor = now() - notedAt
    const grown = meter.outputGuess - notedOutput
    if (silentFor >= SLOW_CHECKPOINT_MS || (silentFor >= CHECKPOINT_MS && grown >= FEW_TOKENS)) {
      notedAt = now()
      notedOutput = meter.outputGuess
      reservation.checkpoint(settlementFor(meter.atLeast()))
    }
    return meter.outputGuess <= coveredOutput ? undefined : extend()
  }
}
