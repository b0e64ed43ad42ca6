import { collapseGizmo } from '@tidegate/pricing'
import type { Catalog, CatalogChannel } from '../ports/index.ts'

/** The parts of a requested model name. */
export interface RoutedName {
  /** Without the prefix. */
  readonly bare: string
  /** The name that channels are looked up by: custom assistants share one family name. */
  readonly routed: string
  /** Limits the request to channels with this prefix; blank when there is none. */
  readonly prefix: string
}

/** Splits a name at the longest prefix of the group's channels. */
export function routeName(catalog: Catalog, group: string, requested: string): RoutedName {
  const prefix = prefixesOf(catalog, group).find((candidate) => requested.startsWith(candidate)) ?? ''
  const bare = requested.slice(prefix.length)
  return { bare, routed: collapseGizmo(bare), prefix }
}

const prefixesByCatalog = new WeakMap<Catalog, Map<string, readonly string[]>>()

/** Prefixes of the enabled channels of a group, longest first. Computed once per catalog. */
function prefixesOf(catalog: Catalog, group: string): readonly string[] {
  let byGroup = prefixesByCatalog.get(catalog)
  if (!byGroup) prefixesByCatalog.set(catalog, (byGroup = new Map()))
  let prefixes = byGroup.get(group)
  if (!prefixes) {
    const inUse = [...catalog.channels.values()]
      .filter((channel) => channel.enabled && channel.modelPrefix !== '' && channel.groups.includes(group))
      .map(({ modelPrefix }) => modelPrefix)
    prefixes = [...new Set(inUse)].toSorted((a, b) => b.length - a.length)
    byGroup.set(group, prefixes)
  }
  return prefixes
}

/**
 * The model name at a channel's provider: `unmapped`, unless the channel maps it. Mappings are followed from name to name,
 * until a cycle.
 */
export function upstreamName(
  channel: Pick<CatalogChannel, 'modelMapping'>,
  routed: string,
  requested: string,
  unmapped = routed,
): string {
  if (channel.modelMapping.size === 0) return unmapped
  const start = [routed, unmapped, requested].find((name) => channel.modelMapping.has(name))
  if (start === undefined) return unmapped
  const seen = new Set([start])
  let name = channel.modelMapping.get(start)!
  while (!seen.has(name) && channel.modelMapping.has(name)) {
    seen.add(name)
    name = channel.modelMapping.get(name)!
  }
  return name
}
