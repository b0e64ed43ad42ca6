import { setTimeout as delay } from 'node:timers/promises'

const POLL_INTERVAL_MS = 25

/** Polls until the condition holds. Returns false if it does not within the time. */
export async function until(holds: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() > deadline) return false
    await delay(POLL_INTERVAL_MS)
  }
  return true
}
