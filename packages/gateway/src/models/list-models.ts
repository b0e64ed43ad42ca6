import { groupsToTry, ApiError } from '@tidegate/contract'
import type { Catalog, CatalogChannel, Caller } from '../ports/index.ts'
import { knownPrice } from '../route/known-prices.ts'
import { upstreamName } from '../route/model-names.ts'

export interface Audience {
  readonly catalog: Catalog
  readonly caller: Caller
  readonly group: string
}

export interface NamedModel {
  readonly id: string
  /** The name without the prefix of its channels. */
  readonly root: string
  /** It stands for others, chosen by the operator. */
  readonly virtual: boolean
}

/** The models a caller can call: those of its groups that have a price, within the limits of its token. */
export function listModels(audience: Audience): NamedModel[] {
  const { catalog, caller, group } = audience
  const groups = groupsToTry(catalog.settings, caller.userGroup, group)
  const virtual = virtualModels(audience, groups)
  if (caller.modelLimitsEnabled) {
    return caller.modelLimits.map((name) => ({ id: name, root: name, virtual: virtual.includes(name) }))
  }
  const named = new Map<string, NamedModel>()
  for (const name of groups) {
    for (const root of catalog.modelsFor(name)) {
      for (const channel of catalog.channelsFor(name, root)) {
        const id = channel.modelPrefix + root
        if (named.has(id) || !hasPrice({ ...audience, group: name }, channel, { id, root })) continue
        named.set(id, { id, root, virtual: false })
      }
    }
  }
  for (const name of virtual) named.set(name, { id: name, root: name, virtual: true })
  return [...named.values()]
}

/** Virtual names of which at least one target is served to one of the groups and has a price. */
function virtualModels(audience: Audience, groups: readonly string[]): string[] {
  const { catalog } = audience
  const isServed = (id: string, root: string) =>
    groups.some((group) =>
      catalog.channelsFor(group, root).some((channel) => hasPrice({ ...audience, group }, channel, { id, root })),
    )
  return Object.entries(catalog.settings.global_model_mapping.mapping)
    .filter(([id, targets]) => targets.some(({ model }) => isServed(id, model)))
    .map(([name]) => name)
}

/** Whether a request by this name would be billed on the channel, or rejected for want of a price. */
function hasPrice(
  { catalog, caller, group }: Audience,
  channel: CatalogChannel,
  { id, root }: Pick<NamedModel, 'id' | 'root'>,
): boolean {
  const { userGroup, userSetting } = caller
  const upstream = upstreamName(channel, root, id)
  try {
    knownPrice(catalog, {
      modelName: id,
      upstreamName: upstream,
      group,
      userGroup,
      acceptUnset: userSetting.acceptUnsetRatio,
    })
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}
