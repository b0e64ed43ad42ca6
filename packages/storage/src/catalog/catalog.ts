import type { Settings } from '@tidegate/contract'
import type { CatalogChannel } from './catalog-channel.ts'

/** An immutable snapshot, at one version, of everything that routing needs. */
export interface Catalog {
  readonly version: number
  readonly settings: Settings
  /** All channels, including disabled ones. */
  readonly channels: ReadonlyMap<number, CatalogChannel>
  /** Groups that at least one enabled channel serves. */
  readonly groups: ReadonlySet<string>
  /** Enabled channels that serve the model in the group, ordered by ID. */
  channelsFor(group: string, model: string): readonly CatalogChannel[]
  /** Models that at least one enabled channel serves in the group, ordered by name. */
  modelsFor(group: string): readonly string[]
}

/** States that a channel serves a model in a group. */
export interface Ability {
  group: string
  model: string
  channelId: number
}

export function buildCatalog(parts: {
  version: number
  settings: Settings
  channels: readonly CatalogChannel[]
  /** Enabled abilities only. */
  abilities: readonly Ability[]
}): Catalog {
  const channels = new Map(parts.channels.map((channel) => [channel.id, channel]))
  const index = indexAbilities(parts.abilities, channels)
  return {
    version: parts.version,
    settings: parts.settings,
    channels,
    groups: new Set(index.keys()),
    channelsFor: (group, model) => index.get(group)?.get(model) ?? [],
    modelsFor: (group) => [...(index.get(group)?.keys() ?? [])].toSorted(),
  }
}

type Index = Map<string, Map<string, CatalogChannel[]>>

function indexAbilities(abilities: readonly Ability[], channels: ReadonlyMap<number, CatalogChannel>): Index {
  const index: Index = new Map()
  for (const { group, model, channelId } of abilities.toSorted((a, b) => a.channelId - b.channelId)) {
    const channel = channels.get(channelId)
    if (!channel?.enabled) continue
    const models = index.get(group) ?? new Map<string, CatalogChannel[]>()
    index.set(group, models)
    const serving = models.get(model)
    if (serving) serving.push(channel)
    else models.set(model, [channel])
  }
  return index
}
