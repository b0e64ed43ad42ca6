import type { ModelMapping, Settings } from '@tidegate/contract'
import { collapseGizmo } from '@tidegate/pricing'
import type { Rendezvous } from './rendezvous.ts'

/** A model that a requested model resolves to. */
export interface Target {
  /** The name that channels are looked up by. */
  readonly routed: string
  /** The name at the provider, unless the channel maps it. */
  readonly unmapped: string
}

interface RotationOptions {
  /** The target of session affinity. It comes first among its equals, and does not advance the rotation. */
  readonly preferred?: string
  /** Does not advance the rotation. */
  readonly peek?: boolean
  /** Selects among equals by the conversation, and does not advance the rotation. */
  readonly rendezvous?: Rendezvous | undefined
}

export interface VirtualModels {
  /** Models to try in order: by descending priority, equal ones in rotation. Other names resolve to themselves. */
  targetsOf(
    settings: Pick<Settings, 'global_model_mapping'>,
    name: string,
    rotation?: RotationOptions,
  ): readonly Target[]
}

/** Resolves virtual model names. The rotation restarts when the mapping changes. */
export function createVirtualModels(): VirtualModels {
  let current: ModelMapping | undefined
  let text = ''
  let ranked = new Map<string, readonly (readonly Target[])[]>()
  const rotations = new Map<string, number>()

  function update(mapping: ModelMapping): void {
    if (mapping === current) return
    current = mapping
    ranked = new Map(Object.entries(mapping.mapping).map(([name, targets]) => [name, byPriority(targets)]))
    // Every catalog has a new object, mostly with the same mapping.
    const newText = JSON.stringify(mapping)
    if (newText !== text) rotations.clear()
    text = newText
  }

  return {
    targetsOf({ global_model_mapping: mapping }, name, { preferred, peek = false, rendezvous } = {}) {
      update(mapping)
      const family = collapseGizmo(name)
      const known = ranked.has(name) ? name : family
      const ranks = ranked.get(known)
      if (!ranks) return [{ routed: family, unmapped: name }]
      const rotation = rotations.get(known) ?? 0
      const advances = !peek && !rendezvous && !ranks[0]!.some(({ routed }) => routed === preferred)
      if (advances) rotations.set(known, rotation + 1)
      return ranks.flatMap((equals) => {
        const found = equals.findIndex(({ routed }) => routed === preferred)
        if (found !== -1) return rotate(equals, found)
        return rotate(equals, rendezvous?.pick(equals.map(({ routed }) => routed)) ?? rotation)
      })
    },
  }
}

function byPriority(targets: ModelMapping['mapping'][string]): Target[][] {
  const ranks = Map.groupBy(targets, ({ priorities }) => priorities)
  return [...ranks]
    .toSorted(([a], [b]) => b - a)
    .map(([, equals]) => equals.map(({ model }) => ({ routed: collapseGizmo(model), unmapped: model })))
}

function rotate<Item>(items: readonly Item[], by: number): readonly Item[] {
  const at = by % items.length
  return at === 0 ? items : [...items.slice(at), ...items.slice(0, at)]
}
