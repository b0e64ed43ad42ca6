import type { RoutePlan } from '@tidegate/contract/api'

export type Tier = RoutePlan['tiers'][number]
export type Weights = ReadonlyMap<number, number>

/** Expected shares of a tier with edited weights, by channel. The server computes them in the same way. */
export function sharesOf({ channels, weight_floor: floor }: Tier, edited: Weights): Map<number, number> {
  const weights = channels.map(({ channel_id: id, weight }) => (edited.get(id) ?? weight) + floor)
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return new Map(
    channels.map(({ channel_id: id }, index) => [id, sum === 0 ? 1 / channels.length : weights[index]! / sum]),
  )
}

/** Channels of a tier, the largest share first. */
export const byShare = ({ channels }: Tier, shares: ReadonlyMap<number, number>): Tier['channels'] =>
  channels.toSorted((one, other) => shares.get(other.channel_id)! - shares.get(one.channel_id)!)

/** What the channels of a tier served in the last hour, comparable with the expected shares. */
export interface Actual {
  /** Requests that the whole tier served. */
  readonly requests: number
  /** By channel. Empty without requests. */
  readonly shares: ReadonlyMap<number, number>
}

export function actualShares({ channels }: Tier): Actual {
  const counts = channels.map((one) => [one.channel_id, one.requests_last_hour ?? 0] as const)
  const requests = counts.reduce((total, [, count]) => total + count, 0)
  return { requests, shares: requests === 0 ? new Map() : new Map(counts.map(([id, n]) => [id, n / requests])) }
}

/** Smaller differences need no attention. */
const MIN_DEVIATION = 0.05
/** Standard errors that chance hardly reaches. */
const MIN_ERRORS = 3

/** Whether the requests of a tier were distributed differently than expected, by more than chance explains. */
export function deviates(expected: number, actual: number, requests: number): boolean {
  const distance = Math.abs(actual - expected)
  const error = Math.sqrt((expected * (1 - expected)) / Math.max(requests, 1))
  return distance > MIN_DEVIATION && distance > MIN_ERRORS * error
}

export const percent = (share: number): string => `${(share * 100).toFixed(1)}%`

/** Weights that differ from the plan. */
export function changedWeights(plan: RoutePlan, edited: Weights): Map<number, number> {
  const stored = new Map(plan.tiers.flatMap(({ channels }) => channels.map((one) => [one.channel_id, one.weight])))
  return new Map([...edited].filter(([id, weight]) => stored.has(id) && stored.get(id) !== weight))
}
