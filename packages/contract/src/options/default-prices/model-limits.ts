import { vendorLimits } from './limits/index.ts'

/** How much a model takes and gives, in tokens, as its vendor publishes it. */
export interface ModelLimits {
  readonly context: number
  readonly maxOutput?: number
}

/** By model; a model that is not here has limits nobody published. */
export const DEFAULT_MODEL_LIMITS: Readonly<Record<string, ModelLimits>> = Object.fromEntries(
  Object.entries(vendorLimits).map(([model, [context, maxOutput]]) => [
    model,
    maxOutput === undefined ? { context } : { context, maxOutput },
  ]),
)
