import type { CatalogChannel } from '../ports/index.ts'
import type { Tier } from './channel-pool.ts'

/** Draws before every channel is looked at. */
const DRAWS = 16

/**
 * Draws one of the channels that open, each as likely as its weight; those of no weight only when no other is left.
 * Most often the first draw opens, and the others need not be looked at. Drawing again after one that did not leaves the
 * chances of the others among each other as they are.
 */
export function drawChannel<Opened>(
  tier: Tier,
  random: () => number,
  open: (channel: CatalogChannel) => Opened | undefined,
): Opened | undefined {
  const { channels, weightUpTo } = tier
  const total = weightUpTo.at(-1) ?? 0
  for (let draws = total > 0 ? DRAWS : 0; draws > 0; draws -= 1) {
    const opened = open(channels[firstAbove(weightUpTo, random() * total)]!)
    if (opened !== undefined) return opened
  }
  return drawFromAll(tier, random, open)
}

function drawFromAll<Opened>(
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
