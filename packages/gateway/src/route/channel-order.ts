import type { CatalogChannel } from '../ports/index.ts'
import type { CandidatePool, Tier } from './candidates.ts'
import type { Rendezvous } from './rendezvous.ts'

interface OrderOptions {
  random(): number
  /** From the second attempt on, start one tier lower. */
  readonly forceSwitch: boolean
  /** Replaces the random choice within a tier. */
  readonly rendezvous?: Rendezvous | undefined
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
  { random, forceSwitch, rendezvous }: OrderOptions,
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
        const picked = rendezvous
          ? pickByConversation(tiers[at]!, rendezvous, openUntried)
          : pickWeighted(tiers[at]!, random, openUntried)
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

/** The first usable channel in the order that the conversation determines. */
function pickByConversation<Result>(
  tier: Tier,
  rendezvous: Rendezvous,
  open: (channel: CatalogChannel) => Result | undefined,
): Result | undefined {
  for (const channel of orderByConversation(tier, rendezvous)) {
    const opened = open(channel)
    if (opened !== undefined) return opened
  }
  return undefined
}

/** The channel that the conversation selects in a tier, usable or not. */
export function firstOfTier(tier: Tier, rendezvous: Rendezvous): CatalogChannel | undefined {
  return orderByConversation(tier, rendezvous).next().value ?? undefined
}

interface Weighted {
  readonly id: number
  readonly weight: number
}

interface Bucket extends Weighted {
  readonly channels: readonly (Weighted & { readonly channel: CatalogChannel })[]
}

const BUCKETS = 64
const bucketsByTier = new WeakMap<Tier, readonly Bucket[]>()

/**
 * The conversation orders buckets of channels first, then the channels of a bucket: a request computes about a hundred
 * scores for thousands of channels. The chances of a channel are still proportional to its weight.
 */
function* orderByConversation(tier: Tier, rendezvous: Rendezvous): Generator<CatalogChannel, undefined> {
  for (const { channels } of byScore(bucketsOf(tier), rendezvous)) {
    for (const { channel } of byScore(channels, rendezvous)) yield channel
  }
}

/** The best one without sorting: it is usually the only one that is used. */
function* byScore<Item extends Weighted>(items: readonly Item[], { score }: Rendezvous): Generator<Item> {
  const scores = items.map(({ id, weight }) => score(id, weight))
  let best = 0
  for (let at = 1; at < scores.length; at += 1) if (scores[at]! < scores[best]!) best = at
  yield items[best]!
  const others = items.map((item, at) => ({ item, score: scores[at]! })).filter((_, at) => at !== best)
  for (const { item } of others.toSorted((one, other) => one.score - other.score)) yield item
}

/** Once per catalog. A channel stays in its bucket when others are added or removed. */
function bucketsOf(tier: Tier): readonly Bucket[] {
  let buckets = bucketsByTier.get(tier)
  if (!buckets) {
    const weighted = tier.channels.map((channel, at) => ({ channel, id: channel.id, weight: weightAt(tier, at) }))
    const groups = Map.groupBy(weighted, ({ id }) => id % BUCKETS)
    buckets = [...groups].map(([id, channels]) => {
      const weight = channels.reduce((sum, channel) => sum + channel.weight, 0)
      return { id: -1 - id, weight, channels } // another number than that of a channel
    })
    bucketsByTier.set(tier, buckets)
  }
  return buckets
}

function weightAt({ weightUpTo }: Tier, at: number): number {
  return weightUpTo[at]! - (weightUpTo[at - 1] ?? 0)
}

function pickFromAll<Result>(
  tier: Tier,
  random: () => number,
  open: (channel: CatalogChannel) => Result | undefined,
): Result | undefined {
  const all = tier.channels.flatMap((channel, at) => {
    const opened = open(channel)
    return opened === undefined ? [] : [{ opened, weight: weightAt(tier, at) }]
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
