import type { CatalogChannel } from '../ports/index.ts'
import type { ChannelPool } from './channel-pool.ts'
import { drawChannel } from './draw-channel.ts'

interface Order {
  random(): number
  /** From the second try on, look one tier further. */
  readonly forceSwitch: boolean
}

export interface DrawOrder {
  /** Opens the next channel to try; undefined when none is left that opens. */
  next<Opened>(open: (channel: CatalogChannel) => Opened | undefined): Opened | undefined
  /** Counts a channel as tried that was chosen by other means. */
  take(channel: CatalogChannel): void
}

/**
 * Channels in the order to try them, worked out one by one. Try k looks in the k-th tier of priority and draws there by
 * weight; when that tier is used up it goes on to the next lower one, then back up. None comes twice.
 */
export function createDrawOrder({ tiers }: Pick<ChannelPool, 'tiers'>, { random, forceSwitch }: Order): DrawOrder {
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
        const drawn = drawChannel(tiers[at]!, random, openUntaken)
        if (!drawn) continue
        taken.add(drawn.channel)
        return drawn.opened
      }
      return undefined
    },
  }
}
