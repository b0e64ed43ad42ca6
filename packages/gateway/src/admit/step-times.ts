import type { EarlyStep } from '../ports/index.ts'

/** Takes the time of one step after the other. */
export class StepClock {
  readonly times: Partial<Record<EarlyStep, number>> = {}
  #since = performance.now()

  /** The step that ran until now; one that comes in two parts is added up. */
  done(step: EarlyStep): void {
    const now = performance.now()
    this.times[step] = Math.round(((this.times[step] ?? 0) + now - this.#since) * 100) / 100
    this.#since = now
  }
}
