import type { TimeStep } from '@tidegate/contract/api'

/** The time the charts show, cut as they show it. */
export interface ShownTime {
  step: TimeStep
  /** Long spans come summed up by the days of UTC. */
  inUtc: boolean
  /** Unix seconds: the first step may have begun before, and is shown from here only. */
  from: number
}
