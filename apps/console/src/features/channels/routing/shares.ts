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

/** Shares of the requests in the last hour, over all channels of the plan. Empty without requests. */
export function actualShares({ tiers, excluded }: RoutePlan): Map<number, number> {
  const channels = [...tiers.flatMap((tier) => tier.channels), ...excluded]
  const requests = new Map(channels.map((one) => [one.channel_id, one.requests_last_hour ?? 0]))
  const sum = [...requests.values()].reduce((total, count) => total + count, 0)
  return sum === 0 ? new Map() : new Map([...requests].map(([id, count]) => [id, count / sum]))
}

export const percent = (share: number): string => `${(share * 100).toFixed(1)}%`

/** Weights that differ from the plan. */
export function changedWeights(plan: RoutePlan, edited: Weights): Map<number, number> {
  const stored = new Map(plan.tiers.flatMap(({ channels }) => channels.map((one) => [one.channel_id, one.weight])))
  return new Map([...edited].filter(([id, weight]) => stored.has(id) && stored.get(id) !== weight))
}
