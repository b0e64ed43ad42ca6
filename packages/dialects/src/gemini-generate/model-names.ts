/** Aliases of whatever Google serves as the newest of a kind. */
const NEWEST = /(^|\/)gemini-(pro|flash|flash-lite)-latest$/
const NUMBERED = /(^|\/)gemini-(\d+)(?:\.(\d+))?/

/** The generation a model's name tells, 2.5 for instance; `undefined` for names that do not tell. */
export function generationOf(model: string): number | undefined {
  if (NEWEST.test(model)) return 3
  const [, , major, minor = '0'] = NUMBERED.exec(model) ?? []
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
export const MOST_OUTPUT = 65_536

/** A thinking budget within what the model takes: some cannot stop thinking, some cannot think as little as asked. */
export function clampBudget(model: string, budget: number): number {
  const { least, most, mayStop } = budgetsOf(model)
  if (budget <= 0) return mayStop ? 0 : least
  return Math.min(most, Math.max(least, Math.floor(budget)))
}

function budgetsOf(model: string) {
  if (/flash-lite/.test(model)) return { least: 512, most: 24_576, mayStop: true }
  if (/-pro(-|$)/.test(model)) return { least: 128, most: 32_768, mayStop: false }
  return { least: 1, most: 24_576, mayStop: true }
}
