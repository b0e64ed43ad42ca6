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
