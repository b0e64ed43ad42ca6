import type { CatalogChannel } from '../ports/index.ts'
import type { CandidatePool, Tier } from './candidates.ts'

interface OrderOptions {
  random(): number
  /** From the second attempt on, start one tier lower. */
  readonly forceSwitch: boolean
}

export interface ChannelOrder {
  /** Opens the next channel; undefined when no usable one is left. */
  next<Result>(open: (channel: CatalogChannel) => Result | undefined): Result | undefined
  /** Counts a channel as tried that was chosen by other means. */
  markTried(channel: CatalogChannel): void
}

/**
 * The order in which channels are tried, computed step by step. Attempt k looks in the k-th priority tier and picks by
 * weight. When that tier is exhausted, it continues with the next lower one, then upwards. No channel is returned
 * twice.
 */
export function createChannelOrder(
  { tiers }: Pick<CandidatePool, 'tiers'>,
  { random, forceSwitch }: OrderOptions,
): ChannelOrder {
  const tried = new Set<CatalogChannel>()
  return {
    markTried: (channel) => void tried.add(channel),
    next(open) {
      const openUntried = (channel: CatalogChannel) => {
        const opened = tried.has(channel) ? undefined : open(channel)
        return opened === undefined ? undefined : { channel, opened }
      }
      const attempts = tried.size
      const start = Math.min(forceSwitch && attempts > 0 ? attempts + 1 : attempts, tiers.length - 1)
      for (let step = 0; step < tiers.length; step += 1) {
        const at = start + step < tiers.length ? start + step : tiers.length - 1 - step
        const picked = pickWeighted(tiers[at]!, random, openUntried)
        if (!picked) continue
        tried.add(picked.channel)
        return picked.opened
      }
      return undefined
    },
  }
}

/** Random picks before every channel is checked. */
const PICKS = 16

/**
 * Picks a usable channel at random by weight; channels without weight only when no other is left. The first pick is
 * usually usable, so the others need not be checked. Picking again after an unusable one does not change the relative
 * chances of the others.
 */
export function pickWeighted<Result>(
  tier: Tier,
  random: () => number,
  open: (channel: CatalogChannel) => Result | undefined,
): Result | undefined {
  const { channels, weightUpTo } = tier
  const total = weightUpTo.at(-1) ?? 0
  for (let picks = total > 0 ? PICKS : 0; picks > 0; picks -= 1) {
    const opened = open(channels[firstAbove(weightUpTo, random() * total)]!)
    if (opened !== undefined) return opened
  }
  return pickFromAll(tier, random, open)
}

function pickFromAll<Result>(
  { channels, weightUpTo }: Tier,
  random: () => number,
  open: (channel: CatalogChannel) => Result | undefined,
): Result | undefined {
  const all = channels.flatMap((channel, at) => {
    const opened = open(channel)
    return opened === undefined ? [] : [{ opened, weight: weightUpTo[at]! - (weightUpTo[at - 1] ?? 0) }]
  })
  const total = all.reduce((sum, { weight }) => sum + weight, 0)
  if (total === 0) return all[Math.floor(random() * all.length)]?.opened
  let point = random() * total
  return (all.find(({ weight }) => (point -= weight) < 0) ?? all.at(-1))?.opened
}

/** The index of the first number above `point` in a sorted list. */
function firstAbove(numbers: Float64Array, point: number): number {
  let low = 0
  let high = numbers.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (numbers[middle]! > point) high = middle
    else low = middle + 1
  }
  return low
}
