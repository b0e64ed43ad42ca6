import { Refusal } from '@tidegate/contract'
import type { Judgement } from './judge-channel.ts'
import type { RouteQuestion } from './route.ts'

/** Remembers what kept channels out, to tell the client what would help: waiting, a shorter prompt, or the operator. */
export class WhyNot {
  #soonestMs = Infinity
  #largestLimit = 0
  #price: Refusal | undefined

  note(judgement: Judgement): void {
    if (judgement.kind === 'cooling-down') this.#soonestMs = Math.min(this.#soonestMs, judgement.waitMs)
    else if (judgement.kind === 'prompt-too-long') this.#largestLimit = Math.max(this.#largestLimit, judgement.limit)
    else if (judgement.kind === 'no-price') this.#price ??= judgement.refusal
  }

  /** Undefined when no channel would be ready by waiting. */
  get waitMs(): number | undefined {
    return this.#soonestMs === Infinity ? undefined : this.#soonestMs
  }

  refusal({ group, model, promptTokens: tokens }: RouteQuestion): Refusal {
    if (this.waitMs !== undefined) {
      const seconds = Math.ceil(this.waitMs / 1000)
      return new Refusal('channels_cooling_down', { model, seconds }, { retryAfterSeconds: seconds })
    }
    if (this.#largestLimit > 0) {
      return new Refusal('max_input_tokens_exceeded', { tokens, model, limit: this.#largestLimit })
    }
    return this.#price ?? new Refusal('no_channel', { group, model })
  }
}
