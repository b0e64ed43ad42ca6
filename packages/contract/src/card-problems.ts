import type { RateCard, Schedule, Tier } from './rate-card.ts'

/** Without zod: the console checks a card in the browser with the same rules as the server. */

export interface CardProblem {
  /** Index of the tier; undefined for the whole card. */
  readonly tier?: number
  readonly code:
    | 'card_empty'
    | 'output_missing'
    | 'condition_missing'
    | 'effect_missing'
    | 'multiplier_conditions'
    | 'schedule_unknown'
    | 'tiers_ambiguous'
  readonly message: string
}

/** Problems of a rate card that its schema does not detect. */
export function cardProblems(card: RateCard, schedules: Readonly<Record<string, Schedule>>): CardProblem[] {
  const { rates, tiers, fees } = card
  const problems = tierProblems(card, schedules)
  if (!rates && !fees) problems.push({ code: 'card_empty', message: 'has neither rates nor fees' })
  if (rates?.input !== undefined && rates.output === undefined && tiers) {
    problems.push({ code: 'output_missing', message: 'has tiers and no output rate' })
  }
  return problems
}

/** Problems of the tiers of a card. */
export function tierProblems(
  { tiers = [] }: Pick<RateCard, 'tiers'>,
  schedules: Readonly<Record<string, Schedule>>,
): CardProblem[] {
  const problems = tiers.flatMap(({ when, rates, multiply }, tier) => {
    const found: CardProblem[] = []
    const conditions = dimensionsOf(when)
    if (conditions.length === 0) {
      found.push({ tier, code: 'condition_missing', message: 'a tier without a condition' })
    }
    if ((rates === undefined) === (multiply === undefined)) {
      found.push({ tier, code: 'effect_missing', message: 'a tier has either rates or a multiplier' })
    }
    if (multiply !== undefined && conditions.length > 0 && (conditions.length > 1 || when.inputAbove !== undefined)) {
      const message = 'a multiplier has one condition, and not the input length: use rates'
      found.push({ tier, code: 'multiplier_conditions', message })
    }
    if (when.schedule !== undefined && !Object.hasOwn(schedules, when.schedule)) {
      found.push({ tier, code: 'schedule_unknown', message: `unknown schedule ${when.schedule}` })
    }
    return found
  })
  return [...problems, ...ambiguousTiers(tiers)]
}

/** Two tiers that replace rates and can match together need a third that names the conditions of both. */
function ambiguousTiers(tiers: readonly Tier[]): CardProblem[] {
  const replacing = tiers.flatMap(({ when, rates }, tier) => (rates === undefined ? [] : [{ tier, when }]))
  return replacing.flatMap((one, index) =>
    replacing.slice(index + 1).flatMap((other): CardProblem[] => {
      const [ofOne, ofOther] = [dimensionsOf(one.when), dimensionsOf(other.when)]
      if (ofOne.length !== ofOther.length || ofOne.every((name) => ofOther.includes(name))) return []
      const both = new Set([...ofOne, ...ofOther])
      const isNamed = replacing.some(({ when }) => [...both].every((name) => dimensionsOf(when).includes(name)))
      const message = `no tier for ${[...both].join(' with ')}`
      return isNamed ? [] : [{ tier: other.tier, code: 'tiers_ambiguous', message }]
    }),
  )
}

const dimensionsOf = (when: object): string[] => Object.keys(when).filter((name) => name !== 'inclusive')
