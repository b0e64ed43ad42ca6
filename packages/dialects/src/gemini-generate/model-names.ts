/** Aliases of whatever Google serves as the newest of a kind. */
const LATEST_ALIAS = /(^|\/)gemini-(pro|flash|flash-lite)-latest$/
const VERSIONED_NAME = /(^|\/)gemini-(\d+)(?:\.(\d+))?/

/** The generation a model's name tells, 2.5 for instance; `undefined` for names that do not tell. */
export function generationOf(model: string): number | undefined {
  if (LATEST_ALIAS.test(model)) return 3
  const [, , major, minor = '0'] = VERSIONED_NAME.exec(model) ?? []
  return major === undefined ? undefined : Number(`${major}.${minor}`)
}

/** From the third generation on, calls must be signed, results may hold images, and thinking has levels. */
export function isThirdGeneration(model: string): boolean {
  return (generationOf(model) ?? 0) >= 3
}

/** Models before thinking refuse to be told how to think. */
export function canThink(model: string): boolean {
  const generation = generationOf(model)
  return generation === undefined || generation >= 2.5 || model.includes('thinking')
}

/** The longest answer of the models that think, where nothing nearer is known. */
export const MAX_OUTPUT_TOKENS = 65_536

/** A thinking budget within what the model takes: some cannot stop thinking, some cannot think as little as asked. */
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
