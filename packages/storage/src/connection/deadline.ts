/** The time until a deadline is counted in this many steps. */
const STEPS = 10

/**
 * Calls `expire` when a response takes longer. A pause in which this process was busy counts as one step: the response
 * may have arrived meanwhile, and is read first. Returns a function that stops the deadline.
 */
export function startDeadline(milliseconds: number, expire: () => void): () => void {
  let steps = 0
  const timer = setInterval(() => {
    steps += 1
    if (steps < STEPS) return
    clearInterval(timer)
    expire()
  }, milliseconds / STEPS)
  return () => clearInterval(timer)
}
