import type { OpenBatch } from '../ports/index.ts'

export interface Concurrency {
  /** Lines of all batches that run at the same time. */
  readonly site: number
  /** Lines of one batch. */
  readonly batch: number
}

/**
 * Divides the free places among the open batches. The next place goes to the user with the fewest running lines, and of
 * that user to the oldest batch that has a waiting line. `open` has the oldest batch first.
 */
export function sharePlaces(open: readonly OpenBatch[], { site, batch: perBatch }: Concurrency): Map<string, number> {
  const shares = new Map<string, number>()
  const runningOf = new Map<number, number>()
  let free = site
  for (const { userId, running } of open) {
    runningOf.set(userId, (runningOf.get(userId) ?? 0) + running)
    free -= running
  }
  const hasRoom = ({ id, running, waiting }: OpenBatch) => {
    const share = shares.get(id) ?? 0
    return share < waiting && running + share < perBatch
  }
  for (; free > 0; free -= 1) {
    const users = new Set(open.filter(hasRoom).map(({ userId }) => userId))
    const [next] = [...users].toSorted((a, b) => runningOf.get(a)! - runningOf.get(b)!)
    if (next === undefined) break
    const { id } = open.find((one) => one.userId === next && hasRoom(one))!
    shares.set(id, (shares.get(id) ?? 0) + 1)
    runningOf.set(next, runningOf.get(next)! + 1)
  }
  return shares
}
