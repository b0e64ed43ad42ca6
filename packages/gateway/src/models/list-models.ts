import type { Caller } from '../authenticate/authenticate.ts'
import type { Catalog } from '../ports.ts'

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

/** The models a caller can ask for: what its group is served, within the limits of its token. */
export function listModels({ catalog, caller, group }: Audience): NamedModel[] {
  const virtual = virtualModels(catalog, group)
  if (caller.modelLimitsEnabled) {
    return caller.modelLimits.map((name) => ({ id: name, root: name, virtual: virtual.includes(name) }))
  }
  const named = new Map<string, NamedModel>()
  for (const root of catalog.modelsFor(group)) {
    for (const { modelPrefix } of catalog.channelsFor(group, root)) {
      const id = modelPrefix + root
      named.set(id, { id, root, virtual: false })
    }
  }
  for (const name of virtual) named.set(name, { id: name, root: name, virtual: true })
  return [...named.values()]
}

/** Virtual names of which at least one target is served to the group. */
function virtualModels(catalog: Catalog, group: string): string[] {
  return Object.entries(catalog.settings.global_model_mapping.mapping)
    .filter(([, targets]) => targets.some(({ model }) => catalog.channelsFor(group, model).length > 0))
    .map(([name]) => name)
}
