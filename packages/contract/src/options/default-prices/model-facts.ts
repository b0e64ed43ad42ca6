import { vendorAbilities } from './abilities/index.ts'
import type { ModelAbility } from './rows.ts'

/** Whose a model is and what it can do, as its vendor publishes it. */
export interface ModelFacts {
  readonly vendor: string
  readonly abilities: readonly ModelAbility[]
}

/** By model; a model that is not here is one that nobody published anything of. */
export const DEFAULT_MODEL_FACTS: ReadonlyMap<string, ModelFacts> = new Map(
  Object.entries(vendorAbilities).flatMap(([vendor, models]) =>
    Object.entries(models).map(([model, abilities]) => [model, { vendor, abilities }] as const),
  ),
)

/** Families of names that belong to one vendor alone, such as everything that begins with `claude`. */
const FAMILIES = families()

/** Whose a model is, also when only its family is known; blank when nobody knows. */
export function vendorOf(model: string): string {
  return DEFAULT_MODEL_FACTS.get(model)?.vendor ?? FAMILIES.get(familyOf(model)) ?? ''
}

function families(): ReadonlyMap<string, string> {
  const vendors = new Map<string, Set<string>>()
  for (const [model, { vendor }] of DEFAULT_MODEL_FACTS) {
    const family = familyOf(model)
    vendors.set(family, (vendors.get(family) ?? new Set()).add(vendor))
  }
  return new Map(
    [...vendors].flatMap(([family, [only, ...others]]) => (only && others.length === 0 ? [[family, only]] : [])),
  )
}

function familyOf(model: string): string {
  return /^[a-z]+/.exec(model.toLowerCase())?.[0] ?? ''
}
