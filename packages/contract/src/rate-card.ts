import { z } from 'zod'
import { BUCKETS, FEES } from './usage.ts'

const Amount = z.number().min(0).max(100_000)
const AmountsByKey = z.record(z.string(), Amount).refine((amounts) => Object.keys(amounts).length > 0, 'has no amount')
const Moment = z.union([z.iso.date(), z.iso.datetime()])
const Rates = z.partialRecord(z.enum(BUCKETS), Amount)

/** All that are given must hold. */
const TierConditions = z.strictObject({
  /** Total input above so many tokens; with `inclusive`, at least so many. */
  inputAbove: z.int().positive().optional(),
  inclusive: z.boolean().optional(),
  serviceTier: z.enum(['priority', 'ultrafast', 'flex', 'batch']).optional(),
  speed: z.literal('fast').optional(),
  region: z.enum(['us', 'eu']).optional(),
  /** A named set of hours. */
  schedule: z.string().optional(),
})

/** Replaces the rates it names, or multiplies all token rates or those it names. Fees stay as they are. */
const Tier = z.strictObject({
  when: TierConditions,
  rates: Rates.optional(),
  multiply: z.union([Amount, Rates]).optional(),
})

/** The prices of a model for a period. */
export const RateCard = z.strictObject({
  /** The first day or moment in UTC; from the beginning when left out. */
  effective: Moment.optional(),
  /** The last day, or the moment it ends. */
  until: Moment.optional(),
  /** USD per 1,000,000 tokens. */
  rates: Rates.optional(),
  tiers: z.array(Tier).optional(),
  /** USD per unit, or by a key such as the size of an image. `webSearchInputBlock` is a number of tokens. */
  fees: z.partialRecord(z.enum([...FEES, 'webSearchInputBlock']), z.union([Amount, AmountsByKey])).optional(),
  /** USD per image by quality and size, to reserve and where a response reports no usage. */
  imageEstimate: AmountsByKey.optional(),
})

type Output<Schema extends z.ZodType> = Readonly<z.output<Schema>>
/** USD per 1,000,000 tokens, by bucket. */
export type Rates = Output<typeof Rates>
export type TierConditions = Output<typeof TierConditions>
export type Tier = Output<typeof Tier>
export type RateCard = Output<typeof RateCard>

/** Hours of weekdays in UTC, from and to. */
export interface Schedule {
  readonly utc: readonly (readonly [from: string, to: string])[]
  readonly days: 'Mon-Fri' | 'every'
}

/** What is wrong with the tiers of a card, one line each. */
export function tierProblems({ tiers = [] }: RateCard, schedules: Readonly<Record<string, Schedule>>): string[] {
  const problems: string[] = []
  for (const { when, rates, multiply } of tiers) {
    if (Object.keys(when).every((name) => name === 'inclusive')) problems.push('a tier without a condition')
    if ((rates === undefined) === (multiply === undefined)) problems.push('a tier has either rates or a multiplier')
    const conditions = Object.keys(when).filter((name) => name !== 'inclusive')
    if (multiply !== undefined && (conditions.length !== 1 || when.inputAbove !== undefined)) {
      problems.push('a multiplier has one condition, and not the input length: use rates')
    }
    if (when.schedule !== undefined && !Object.hasOwn(schedules, when.schedule)) {
      problems.push(`unknown schedule ${when.schedule}`)
    }
  }
  return [...problems, ...ambiguousTiers(tiers)]
}

/** Two tiers that replace rates and can match together need a third that names the conditions of both. */
function ambiguousTiers(tiers: readonly Tier[]): string[] {
  const replacing = tiers.filter(({ rates }) => rates !== undefined).map(({ when }) => when)
  const dimensions = (when: object) => Object.keys(when).filter((name) => name !== 'inclusive')
  return replacing.flatMap((one, index) =>
    replacing.slice(index + 1).flatMap((other) => {
      const [ofOne, ofOther] = [dimensions(one), dimensions(other)]
      if (ofOne.length !== ofOther.length || ofOne.every((name) => ofOther.includes(name))) return []
      const both = new Set([...ofOne, ...ofOther])
      const isNamed = replacing.some((when) => [...both].every((name) => dimensions(when).includes(name)))
      return isNamed ? [] : [`no tier for ${[...both].join(' with ')}`]
    }),
  )
}
