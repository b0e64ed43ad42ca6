import { Refusal } from '@tidegate/contract'
import type { Usage } from '@tidegate/pricing'
import type { Grant } from '../admit/grant.ts'
import type { Meter } from '../meter/meter.ts'
import type { Settlement } from '../ports.ts'

interface Covered {
  grant: Pick<Grant, 'amount' | 'extend' | 'checkpoint'>
  meter: Pick<Meter, 'atLeast' | 'atMost' | 'outputGuess' | 'total'>
  settlementFor(usage: Usage): Settlement
  now(): number
}

/** Asked after every event. Answers why nothing more can be held, and nothing while the stream may go on. */
export type KeepCovered = () => Promise<Refusal | undefined> | undefined

/** What a process that dies can leave unbilled of a stream. */
const CHECKPOINT_MS = 2_000
/** The least that is asked for when a stream outgrows what is held for it, in tokens. */
const SMALLEST_STEP = 32
/** And near the end of a balance, when every token has been counted. */
const LAST_STEPS = [8, 1]

/**
 * Watches a stream's cost as it grows, event by event, at the price of a comparison. When nothing more can be held for
 * it, what was sent so far is covered, and what would come next is not.
 */
export function keepCovered({ grant, meter, settlementFor, now }: Covered): KeepCovered {
  let notedAt = now()
  let shortage: Refusal | undefined
  /** Output tokens, as they are guessed, up to which the stream is known to be covered. */
  let coveredOutput = Infinity
  /** A cost grows evenly with the output, so two prices tell how far the credit reaches. */
  const perToken = (costOf(1001) - costOf(1)) / 1000
  if (perToken > 0) coveredOutput = outputCovered() // else it is free, or has one price for the whole call

  function costOf(output: number): number {
    return settlementFor({ ...meter.atMost(), output, reasoning: 0 }).receipt.quota
  }

  function outputCovered(): number {
    return 1 + Math.floor((grant.amount - costOf(1)) / perToken)
  }

  async function extend(): Promise<Refusal | undefined> {
    const output = meter.outputGuess
    // Twice as far as it has come, so that a long stream asks only a few times; else a small step.
    for (const target of [output * 2, output + SMALLEST_STEP]) {
      if (await canHold(costOf(target))) {
        coveredOutput = Math.max(target, outputCovered())
        return undefined
      }
    }
    return extendByCount()
  }

  /** The guess is rather too high: before a stream is ended for it, its tokens are counted. */
  async function extendByCount(): Promise<Refusal | undefined> {
    const cost = settlementFor(await meter.total()).receipt.quota
    const reach = () => Math.floor((grant.amount - cost) / perToken)
    for (const step of LAST_STEPS) {
      if (reach() > 0 || (await canHold(Math.ceil(cost + step * perToken)))) break
    }
    coveredOutput = meter.outputGuess + reach()
    return reach() > 0 ? undefined : shortage
  }

  async function canHold(total: number): Promise<boolean> {
    try {
      shortage = new Refusal('insufficient_user_quota', { needed: total })
      return await grant.extend(total)
    } catch (error) {
      shortage = error instanceof Refusal ? error : new Refusal('settlement_unavailable', {}, { cause: error })
      return false
    }
  }

  return () => {
    if (now() - notedAt >= CHECKPOINT_MS) {
      notedAt = now()
      grant.checkpoint(settlementFor(meter.atLeast()))
    }
    return meter.outputGuess <= coveredOutput ? undefined : extend()
  }
}
