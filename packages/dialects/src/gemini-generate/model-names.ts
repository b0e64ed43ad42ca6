/** Aliases of the latest models. */
const LATEST_ALIAS = /(^|\/)gemini-(pro|flash|flash-lite)-latest$/
const VERSIONED_NAME = /(^|\/)gemini-(\d+)(?:\.(\d+))?/

/** Generation in a model name, such as 2.5. `undefined` if the name has none. */
export function generationOf(model: string): number | undefined {
  if (LATEST_ALIAS.test(model)) return 3
  const [, , major, minor = '0'] = VERSIONED_NAME.exec(model) ?? []
  return major === undefined ? undefined : Number(`${major}.${minor}`)
}

/** From the third generation on, calls must be signed, results may contain images, and thinking has levels. */
export function isThirdGeneration(model: string): boolean {
  return (generationOf(model) ?? 0) >= 3
}

/** Models without thinking reject a thinking config. */
export function canThink(model: string): boolean {
  const generation = generationOf(model)
  return generation === undefined || generation >= 2.5 || model.includes('thinking')
}

/** Output limit of thinking models if nothing more specific is known. */
export const MAX_OUTPUT_TOKENS = 65_536

/** Limits a thinking budget to the model's range. Some models cannot disable thinking. */
export function clampBudget(model: string, budget: number): number {
  const { min, max, canDisable } = budgetLimits(model)
  if (budget <= 0) return canDisable ? 0 : min
  return Math.min(max, Math.max(min, Math.floor(budget)))
}

function budgetLimits(model: string) {
  if (/flash-lite/.test(model)) return { min: 512, max: 24_576, canDisable: true }
  if (/-pro(-|$)/.test(model)) return { min: 128, max: 32_768, canDisable: false }
  return { min: 1, max: 24_576, canDisable: true }
}
