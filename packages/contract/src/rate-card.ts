import { z } from 'zod'
import { BUCKETS, CONDITION_VALUES, FEES, MAX_AMOUNT } from './usage.ts'

const Amount = z.number().min(0).max(MAX_AMOUNT)
const AmountsByKey = z.record(z.string(), Amount).refine((amounts) => Object.keys(amounts).length > 0, 'has no amount')
const Moment = z.union([z.iso.date(), z.iso.datetime()])
const Rates = z.partialRecord(z.enum(BUCKETS), Amount)

/** All given conditions must match. */
const TierConditions = z.strictObject({
  /** More input tokens than this; with `inclusive`, at least as many. */
  inputAbove: z.int().positive().optional(),
  inclusive: z.boolean().optional(),
  serviceTier: z.enum(CONDITION_VALUES.serviceTier).optional(),
  speed: z.enum(CONDITION_VALUES.speed).optional(),
  region: z.enum(CONDITION_VALUES.region).optional(),
  /** Name of a schedule. */
  schedule: z.string().optional(),
})

/** Replaces the named rates, or multiplies all or the named token rates. Fees do not change. */
const Tier = z.strictObject({
  when: TierConditions,
  rates: Rates.optional(),
  multiply: z.union([Amount, Rates]).optional(),
})

/** The prices of a model for a period. */
export const RateCard = z.strictObject({
  /** The first day or time in UTC; no start by default. */
  effective: Moment.optional(),
  /** The last day, or the end time. */
  until: Moment.optional(),
  /** USD per 1,000,000 tokens. */
  rates: Rates.optional(),
  tiers: z.array(Tier).optional(),
  /** USD per unit, or by a key such as the size of an image. `webSearchInputBlock` is a number of tokens. */
  fees: z.partialRecord(z.enum([...FEES, 'webSearchInputBlock']), z.union([Amount, AmountsByKey])).optional(),
  /** USD per image by quality and size, for reservations and for responses without usage. */
  imageEstimate: AmountsByKey.optional(),
})

type Output<Schema extends z.ZodType> = Readonly<z.output<Schema>>
/** USD per 1,000,000 tokens, by bucket. */
export type Rates = Output<typeof Rates>
export type TierConditions = Output<typeof TierConditions>
export type Tier = Output<typeof Tier>
export type RateCard = Output<typeof RateCard>

/** Times of day in UTC, with the weekdays they apply to. */
export interface Schedule {
  readonly utc: readonly (readonly [from: string, to: string])[]
  readonly days: 'Mon-Fri' | 'every'
}
