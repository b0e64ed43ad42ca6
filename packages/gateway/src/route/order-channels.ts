import type { CatalogChannel } from '../ports.ts'

/** Added to every weight, so that a channel of weight 0 still gets its share. */
const WEIGHT_FLOOR = 10

interface Order {
  random(): number
  /** From the second try on, look one tier further. */
  forceSwitch: boolean
}

/**
 * Channels in the order to try them. Try k looks in the k-th tier of priority and picks there by weighted chance; when
 * that tier is used up it goes on to the next lower one, then back up. So none comes twice before all had their turn.
 */
export function orderChannels(channels: readonly CatalogChannel[], { random, forceSwitch }: Order): CatalogChannel[] {
  const tiers = tiersByPriority(channels)
  const ordered: CatalogChannel[] = []
  while (ordered.length < channels.length) {
    const tries = ordered.length
    const wanted = Math.min(forceSwitch && tries > 0 ? tries + 1 : tries, tiers.length - 1)
    const tier = [...tiers.slice(wanted), ...tiers.slice(0, wanted).toReversed()].find(({ length }) => length > 0)!
    ordered.push(takeByWeight(tier, WEIGHT_FLOOR, random))
  }
  return ordered
}

/** Channels that share a prefix: by plain weight, whatever their priority. */
export function orderByWeight(channels: readonly CatalogChannel[], random: () => number): CatalogChannel[] {
  const left = [...channels]
  const floor = left.every(({ weight }) => weight === 0) ? 1 : 0
  return channels.map(() => takeByWeight(left, floor, random))
}

function tiersByPriority(channels: readonly CatalogChannel[]): CatalogChannel[][] {
  const tiers = Map.groupBy(channels, ({ priority }) => priority)
  return [...tiers].toSorted(([a], [b]) => b - a).map(([, tier]) => tier)
}

function takeByWeight(tier: CatalogChannel[], floor: number, random: () => number): CatalogChannel {
  const total = tier.reduce((sum, { weight }) => sum + weight + floor, 0)
  let point = random() * total
  const found = tier.findIndex(({ weight }) => (point -= weight + floor) < 0)
  return tier.splice(found === -1 ? 0 : found, 1)[0]!
}
