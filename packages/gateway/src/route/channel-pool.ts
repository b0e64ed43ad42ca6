import type { Catalog, CatalogChannel } from '../ports/index.ts'
import { upstreamName } from './model-names.ts'

/** Channels that are drawn from by chance, each as likely as its weight. */
export interface Tier {
  readonly channels: readonly CatalogChannel[]
  /** For each channel, its weight and all those before it. */
  readonly weightUpTo: Float64Array
}

/** The enabled channels that serve a model to a group. */
export interface ChannelPool {
  readonly size: number
  /** By falling priority. */
  readonly tiers: readonly Tier[]
  has(channelId: number): boolean
  /** The smallest prompt that some channel refuses for its length; Infinity when none does. */
  readonly smallestInputLimit: number
  /** The names vendors may be asked for, each once. */
  upstreamNames(requested: string, asked: string): readonly string[]
}

interface PoolName {
  readonly group: string
  /** Keeps to the channels that carry it; blank for all. */
  readonly prefix: string
  readonly routed: string
}

/** Added to every weight, so that a channel of weight 0 still gets its share. */
const WEIGHT_FLOOR = 10
/** Prefixed and virtual forms of one model; past that they are worked out each time. */
const MOST_NAMES_KEPT = 100

const known = new WeakMap<Catalog, Map<string, ChannelPool>>()

/** Undefined when there is no such channel. Worked out once per snapshot. */
export function poolFor(catalog: Catalog, { group, prefix, routed }: PoolName): ChannelPool | undefined {
  let pools = known.get(catalog)
  if (!pools) known.set(catalog, (pools = new Map()))
  const name = `${group}\n${prefix}\n${routed}`
  const pool = pools.get(name)
  if (pool) return pool
  const able = catalog.channelsFor(group, routed)
  const channels = prefix === '' ? able : able.filter(({ modelPrefix }) => modelPrefix === prefix)
  if (channels.length === 0) return undefined // clients can think of any number of names: those are not kept
  const built = buildPool(channels, prefix === '' ? tiersByPriority(channels) : [plainTier(channels)], routed)
  pools.set(name, built)
  return built
}

export function buildPool(channels: readonly CatalogChannel[], tiers: readonly Tier[], routed: string): ChannelPool {
  const ids = new Set(channels.map(({ id }) => id))
  const limits = channels.map(({ maxInputTokens }) => maxInputTokens).filter((limit) => limit > 0)
  const names = new Map<string, readonly string[]>()
  return {
    size: channels.length,
    tiers,
    has: (channelId) => ids.has(channelId),
    smallestInputLimit: limits.reduce((smallest, limit) => Math.min(smallest, limit), Infinity),
    upstreamNames(requested, asked) {
      const id = `${requested}\n${asked}`
      const kept = names.get(id)
      if (kept) return kept
      const found = [...new Set(channels.map((channel) => upstreamName(channel, routed, requested, asked)))]
      if (names.size < MOST_NAMES_KEPT) names.set(id, found)
      return found
    },
  }
}

export function tiersByPriority(channels: readonly CatalogChannel[]): Tier[] {
  const tiers = Map.groupBy(channels, ({ priority }) => priority)
  return [...tiers].toSorted(([a], [b]) => b - a).map(([, tier]) => tierOf(tier, WEIGHT_FLOOR))
}

/** Channels that share a prefix: by plain weight, whatever their priority, and alike when none has a weight. */
export function plainTier(channels: readonly CatalogChannel[]): Tier {
  return tierOf(channels, channels.every(({ weight }) => weight <= 0) ? 1 : 0)
}

function tierOf(channels: readonly CatalogChannel[], floor: number): Tier {
  let sum = 0
  return { channels, weightUpTo: Float64Array.from(channels, ({ weight }) => (sum += Math.max(0, weight) + floor)) }
}
