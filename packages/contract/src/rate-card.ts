import { z } from 'zod'
import { CONDITION_VALUES, MAX_AMOUNT } from './card-problems.ts'
import { BUCKETS, FEES } from './usage.ts'

const Amount = z.number().min(0).max(MAX_AMOUNT)
const AmountsByKey = z.record(z.string(), Amount).refine((amounts) => Object.keys(amounts).length > 0, 'has no amount')
const Moment = z.union([z.iso.date(), z.iso.datetime()])
const Rates = z.partialRecord(z.enum(BUCKETS), Amount)

/** All that are given must hold. */
const TierConditions = z.strictObject({
  /** Total input above so many tokens; with `inclusive`, at least so many. */
  inputAbove: z.int().positive().optional(),
  inclusive: z.boolean().optional(),
  serviceTier: z.enum(CONDITION_VALUES.serviceTier).optional(),
  speed: z.enum(CONDITION_VALUES.speed).optional(),
  region: z.enum(CONDITION_VALUES.region).optional(),
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
