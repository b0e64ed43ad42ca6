import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { RateCard } from '../../rate-card.ts'
import { OptionalText } from '../../values.ts'

/** Published abilities of a model. */
export const MODEL_ABILITIES = ['vision', 'tools', 'reasoning', 'json', 'audio', 'pdf', 'cache'] as const

export const PricedModel = z.object({
  model_name: z.string(),
  /** 0 per token, 1 per request. */
  quota_type: z.union([z.literal(0), z.literal(1)]),
  model_ratio: z.number(),
  /** USD per request; 0 if billed per token. */
  model_price: z.number(),
  /** Provider of the model; blank if unknown. */
  owner_by: z.string(),
  completion_ratio: z.number(),
  /** Price of cached input as a multiple of the input price; missing if it is not cheaper. */
  cache_ratio: z.number().optional(),
  /** Groups that serve it, among those the caller may use. */
  enable_groups: z.array(z.string()),
  /** Context window and maximum output tokens, if known. */
  context: z.int().optional(),
  max_output: z.int().optional(),
  abilities: z.array(z.enum(MODEL_ABILITIES)),
  /** Current target of a virtual model. */
  stands_for: z.string().optional(),
  /**
   * The group whose ratio is in `rates`, `tiers` and `fees`: the requested one, else the caller's own, else the first.
   */
  priced_group: z.string(),
  /** USD per 1,000,000 tokens by bucket. */
  rates: RateCard.shape.rates,
  /** Rates that apply to the whole request under a condition. A `multiply` applies to `rates`. */
  tiers: RateCard.shape.tiers,
  /** USD per unit, such as a search. */
  fees: RateCard.shape.fees,
})
export type PricedModel = z.output<typeof PricedModel>

const Names = z.record(z.string(), z.string())

export const getPricing = endpoint({
  method: 'GET',
  path: '/api/pricing',
  access: 'visitor',
  summary: 'Lists models with their prices, for the groups that the caller may use.',
  query: z.object({ group: OptionalText }).partial(),
  reply: z.object({
    success: z.literal(true),
    data: z.array(PricedModel),
    group_ratio: z.record(z.string(), z.number()),
    /** Name to description. */
    usable_group: Names,
  }),
  bare: true,
  errors: [],
})

/** Metrics of a model on this site in the last 24 hours. */
export const ModelFigures = z.object({
  calls: z.int(),
  /** Share of successful requests, 0 to 1; missing without requests. */
  availability: z.number().optional(),
  /** Milliseconds to the first token of a stream: median and 95th percentile. */
  first_token_p50: z.number().optional(),
  first_token_p95: z.number().optional(),
  /** Median output tokens per second after the first token. */
  tokens_per_second: z.number().optional(),
  /** The last 24 hours, oldest first. */
  hours: z.array(z.object({ hour: z.int(), calls: z.int(), failed: z.int() })),
})
export type ModelFigures = z.output<typeof ModelFigures>

export const getModelFigures = endpoint({
  method: 'GET',
  path: '/api/pricing/figures',
  access: 'visitor',
  summary: 'Returns time to first token, speed and availability of a model on this site in the last 24 hours.',
  query: z.object({ model: OptionalText }).partial(),
  reply: ModelFigures,
  errors: ['model_not_offered'],
})
