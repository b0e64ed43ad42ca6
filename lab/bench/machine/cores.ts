import { availableParallelism } from 'node:os'

/** Which core does what, as `taskset` takes it. */
export interface Cores {
  /** Load generator and upstream. */
  readonly load: string
  readonly target: string
  /** A second process of the target; shares the first one's core where there are few. */
  readonly secondTarget: string
  readonly database: string
}

/** The target has a core to itself; on two cores everything else shares the other. */
export function layOutCores(count = availableParallelism()): Cores {
  if (count === 1) return { load: '0', target: '0', secondTarget: '0', database: '0' }
  return {
    load: '0',
    target: '1',
    secondTarget: count > 3 ? '2' : '1',
    database: count > 2 ? String(count - 1) : '0',
  }
}
