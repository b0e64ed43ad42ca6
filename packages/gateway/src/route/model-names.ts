import { collapseGizmo } from '@tidegate/pricing'
import type { Catalog, CatalogChannel } from '../ports/index.ts'

/** A requested model name taken apart. */
export interface RoutedName {
  /** Without a prefix. */
  readonly bare: string
  /** What channels are looked up by: custom assistants are served as one family. */
  readonly routed: string
  /** The prefix that keeps the call to the channels that carry it; blank when there is none. */
  readonly prefix: string
}

/** The longest prefix of the group's channels that the name begins with wins. */
export function routeName(catalog: Catalog, group: string, requested: string): RoutedName {
  const prefix = prefixesOf(catalog, group).find((candidate) => requested.startsWith(candidate)) ?? ''
  const bare = requested.slice(prefix.length)
  return { bare, routed: collapseGizmo(bare), prefix }
}

const known = new WeakMap<Catalog, Map<string, readonly string[]>>()

/** Prefixes in use by the enabled channels of a group, longest first; worked out once per snapshot. */
function prefixesOf(catalog: Catalog, group: string): readonly string[] {
  let byGroup = known.get(catalog)
  if (!byGroup) known.set(catalog, (byGroup = new Map()))
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
 * The name a channel's provider is asked for: `asked`, unless the channel maps it to another. Follows the mapping from name
 * to name, and out of a circle.
 */
export function upstreamName(
  channel: Pick<CatalogChannel, 'modelMapping'>,
  routed: string,
  requested: string,
  asked = routed,
): string {
  if (channel.modelMapping.size === 0) return asked
  const start = [routed, asked, requested].find((name) => channel.modelMapping.has(name))
  if (start === undefined) return asked
  const seen = new Set([start])
  let name = channel.modelMapping.get(start)!
  while (!seen.has(name) && channel.modelMapping.has(name)) {
    seen.add(name)
    name = channel.modelMapping.get(name)!
  }
  return name
}
