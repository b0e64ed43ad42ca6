import { ApiError } from '@tidegate/contract'
import { type ModelPrice, priceOf, type PriceQuery } from '@tidegate/pricing'
import type { Catalog, CatalogChannel } from '../ports/index.ts'
import { upstreamName } from './model-names.ts'
import type { RouteOptions } from './route.ts'
import type { Target } from './virtual-models.ts'

/** A target of the requested model, and the channels that serve it. */
export interface Candidates {
  readonly target: Target
  readonly pool: CandidatePool
}

/** Best target first. Targets without a channel are omitted. A pinned channel is the only candidate. */
export function findCandidates(
  catalog: Catalog,
  { caller, group }: Pick<RouteOptions, 'caller' | 'group'>,
  { targets, prefix }: { targets: readonly Target[]; prefix: string },
): readonly Candidates[] {
  if (caller.pinnedChannelId !== undefined) {
    const channel = pinnedChannel(catalog, caller.pinnedChannelId)
    const target = targets.find(({ routed }) => channel.models.includes(routed)) ?? targets[0]!
    return [{ target, pool: buildPool([channel], tiersByPriority([channel]), target.routed) }]
  }
  return targets.flatMap((target) => {
    const pool = candidatePoolFor(catalog, { group, prefix, routed: target.routed })
    return pool ? [{ target, pool }] : []
  })
}

function pinnedChannel(catalog: Catalog, id: number): CatalogChannel {
  const channel = catalog.channels.get(id)
  if (!channel) throw new ApiError('invalid_text_request', { reason: `there is no channel ${id}` })
  if (!channel.enabled) throw new ApiError('channel_pin_disabled', { id })
  return channel
}

/** Channels of one priority, chosen at random by weight. */
export interface Tier {
  readonly channels: readonly CatalogChannel[]
  /** Cumulative weights. */
  readonly weightUpTo: Float64Array
}

/** The enabled channels that serve a model to a group. */
export interface CandidatePool {
  readonly size: number
  /** By descending priority. */
  readonly tiers: readonly Tier[]
  has(channelId: number): boolean
  /** The smallest input limit of a channel; Infinity when there is none. */
  readonly smallestInputLimit: number
  /** The model names at the providers, without duplicates. */
  upstreamNames(requested: string, unmapped: string): readonly string[]
}

interface PoolName {
  readonly group: string
  /** Only channels with this prefix; blank for all. */
  readonly prefix: string
  readonly routed: string
}

/** Added to every weight, so that channels of weight 0 are used too. */
const WEIGHT_FLOOR = 10
/** Cached names of one pool: prefixed and virtual forms of one model. */
const MAX_CACHED_NAMES = 100

const poolsByCatalog = new WeakMap<Catalog, Map<string, CandidatePool>>()

/** Undefined when there is no such channel. Computed once per catalog. */
export function candidatePoolFor(catalog: Catalog, { group, prefix, routed }: PoolName): CandidatePool | undefined {
  let pools = poolsByCatalog.get(catalog)
  if (!pools) poolsByCatalog.set(catalog, (pools = new Map()))
  const name = `${group}\n${prefix}\n${routed}`
  const pool = pools.get(name)
  if (pool) return pool
  const serving = catalog.channelsFor(group, routed)
  const channels = prefix === '' ? serving : serving.filter(({ modelPrefix }) => modelPrefix === prefix)
  if (channels.length === 0) return undefined // not cached: clients can send any number of names
  const built = buildPool(channels, prefix === '' ? tiersByPriority(channels) : [plainTier(channels)], routed)
  pools.set(name, built)
  return built
}

export function buildPool(channels: readonly CatalogChannel[], tiers: readonly Tier[], routed: string): CandidatePool {
  const ids = new Set(channels.map(({ id }) => id))
  const limits = channels.map(({ maxInputTokens }) => maxInputTokens).filter((limit) => limit > 0)
  const names = new Map<string, readonly string[]>()
  return {
    size: channels.length,
    tiers,
    has: (channelId) => ids.has(channelId),
    smallestInputLimit: limits.reduce((smallest, limit) => Math.min(smallest, limit), Infinity),
    upstreamNames(requested, unmapped) {
      const id = `${requested}\n${unmapped}`
      const cached = names.get(id)
      if (cached) return cached
      const found = [...new Set(channels.map((channel) => upstreamName(channel, routed, requested, unmapped)))]
      if (names.size < MAX_CACHED_NAMES) names.set(id, found)
      return found
    },
  }
}

export function tiersByPriority(channels: readonly CatalogChannel[]): Tier[] {
  const tiers = Map.groupBy(channels, ({ priority }) => priority)
  return [...tiers].toSorted(([a], [b]) => b - a).map(([, tier]) => tierOf(tier, WEIGHT_FLOOR))
}

/** Channels that share a prefix: by plain weight, without priorities, and with equal chances when all weights are 0. */
export function plainTier(channels: readonly CatalogChannel[]): Tier {
  return tierOf(channels, channels.every(({ weight }) => weight <= 0) ? 1 : 0)
}

function tierOf(channels: readonly CatalogChannel[], floor: number): Tier {
  let sum = 0
  return { channels, weightUpTo: Float64Array.from(channels, ({ weight }) => (sum += Math.max(0, weight) + floor)) }
}

/** Cached prices of one catalog. */
const MAX_CACHED_PRICES = 20_000

const pricesByCatalog = new WeakMap<Catalog, Map<string, ModelPrice>>()

/** The price by tokens or per request, computed once per catalog. Throws for a model without a price. */
export function knownPrice(catalog: Catalog, routeOptions: PriceQuery): ModelPrice {
  let prices = pricesByCatalog.get(catalog)
  if (!prices) pricesByCatalog.set(catalog, (prices = new Map()))
  const { modelName, upstreamName, group, userGroup = '', acceptUnset } = routeOptions
  const name = `${acceptUnset ? 'any' : 'set'}\n${userGroup}\n${group}\n${upstreamName}\n${modelName}`
  const cached = prices.get(name)
  if (cached) return cached
  const price = priceOf(catalog.settings, routeOptions)
  if (prices.size < MAX_CACHED_PRICES) prices.set(name, price)
  return price
}
