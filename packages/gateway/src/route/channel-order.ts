import type { CatalogChannel } from '../ports/index.ts'
import type { CandidatePool, Tier } from './candidates.ts'

interface Order {
  random(): number
  /** From the second try on, look one tier further. */
  readonly forceSwitch: boolean
}

export interface ChannelOrder {
  /** Opens the next channel to try; undefined when none is left that opens. */
  next<Opened>(open: (channel: CatalogChannel) => Opened | undefined): Opened | undefined
  /** Counts a channel as tried that was chosen by other means. */
  take(channel: CatalogChannel): void
}

/**
 * Channels in the order to try them, worked out one by one. Try k looks in the k-th tier of priority and draws there by
 * weight; when that tier is used up it goes on to the next lower one, then back up. None comes twice.
 */
export function createChannelOrder(
  { tiers }: Pick<CandidatePool, 'tiers'>,
  { random, forceSwitch }: Order,
): ChannelOrder {
  const taken = new Set<CatalogChannel>()
  return {
    take: (channel) => void taken.add(channel),
    next(open) {
      const openUntaken = (channel: CatalogChannel) => {
        const opened = taken.has(channel) ? undefined : open(channel)
        return opened === undefined ? undefined : { channel, opened }
      }
      const tries = taken.size
      const wanted = Math.min(forceSwitch && tries > 0 ? tries + 1 : tries, tiers.length - 1)
      for (let step = 0; step < tiers.length; step += 1) {
        const at = wanted + step < tiers.length ? wanted + step : tiers.length - 1 - step
        const drawn = pickWeighted(tiers[at]!, random, openUntaken)
        if (!drawn) continue
        taken.add(drawn.channel)
        return drawn.opened
      }
      return undefined
    },
  }
}

/** Draws before every channel is looked at. */
const PICKS = 16

/**
 * Draws one of the channels that open, each as likely as its weight; those of no weight only when no other is left.
 * Most often the first draw opens, and the others need not be looked at. Drawing again after one that did not leaves the
 * chances of the others among each other as they are.
 */
export function pickWeighted<Opened>(
  tier: Tier,
  random: () => number,
  open: (channel: CatalogChannel) => Opened | undefined,
): Opened | undefined {
  const { channels, weightUpTo } = tier
  const total = weightUpTo.at(-1) ?? 0
  for (let draws = total > 0 ? PICKS : 0; draws > 0; draws -= 1) {
    const opened = open(channels[firstAbove(weightUpTo, random() * total)]!)
    if (opened !== undefined) return opened
  }
  return pickFromAll(tier, random, open)
}

function pickFromAll<Opened>(
  { channels, weightUpTo }: Tier,
  random: () => number,
  open: (channel: CatalogChannel) => Opened | undefined,
): Opened | undefined {
  const all = channels.flatMap((channel, at) => {
    const opened = open(channel)
    return opened === undefined ? [] : [{ opened, weight: weightUpTo[at]! - (weightUpTo[at - 1] ?? 0) }]
  })
  const total = all.reduce((sum, { weight }) => sum + weight, 0)
  if (total === 0) return all[Math.floor(random() * all.length)]?.opened
  let point = random() * total
  return (all.find(({ weight }) => (point -= weight) < 0) ?? all.at(-1))?.opened
}

/** Where the first number stands that is larger than `point`, of numbers that do not fall. */
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
