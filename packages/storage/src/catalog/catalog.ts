import type { Settings } from '@tidegate/contract'
import type { CatalogChannel } from './catalog-channel.ts'

/** Everything routing needs, as it stood at one version. Never changed, only replaced. */
export interface Catalog {
  readonly version: number
  readonly settings: Settings
  /** All channels, also the disabled ones. */
  readonly channels: ReadonlyMap<number, CatalogChannel>
  /** Groups that some enabled channel serves. */
  readonly groups: ReadonlySet<string>
  /** Enabled channels that serve the model to the group, by id. */
  channelsFor(group: string, model: string): readonly CatalogChannel[]
  /** Models some enabled channel serves to the group, by name. */
  modelsFor(group: string): readonly string[]
}

/** That a channel serves a model to a group. */
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
