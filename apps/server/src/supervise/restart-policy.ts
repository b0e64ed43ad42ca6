const FIRST_DELAY_MS = 200
const LONGEST_DELAY_MS = 30_000
/** A process that ran this long starts the next series of delays at the beginning. */
const STABLE_AFTER_MS = 60_000
const FAILING_DEATHS = 5
const FAILING_WITHIN_MS = 60_000

/** When a process that crashed starts again. */
export interface RestartPolicy {
  /** Returns the milliseconds until the next start: longer each time. */
  recordCrash(livedMs: number): number
  /** Five crashes within a minute. */
  isFailing(): boolean
}

export function createRestartPolicy(now: () => number = Date.now): RestartPolicy {
  let delayMs = 0
  let crashes: number[] = []
  return {
    recordCrash(livedMs) {
      crashes = [...crashes.slice(1 - FAILING_DEATHS), now()]
      const isFirst = delayMs === 0 || livedMs >= STABLE_AFTER_MS
      delayMs = isFirst ? FIRST_DELAY_MS : Math.min(LONGEST_DELAY_MS, delayMs * 2)
      return delayMs
    },
    isFailing: () => crashes.length === FAILING_DEATHS && now() - crashes[0]! < FAILING_WITHIN_MS,
  }
}
