import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { RateCard } from '../../rate-card.ts'
import { OptionalText } from '../../values.ts'

/** Price lists that come with the product, to fill in from. */
export const PRICE_SOURCES = ['flexible', 'openrouter', 'mixed', 'legacy'] as const
export type PriceSource = (typeof PRICE_SOURCES)[number]

const NumbersByName = z.record(z.string(), z.number())

export const PricePreset = z.object({
  source: z.enum(PRICE_SOURCES),
  /** Of the list the figures come from. */
  version: z.string(),
  /** Maps by model, as the options of the same names hold them; empty where the source has none. */
  model_price: NumbersByName,
  model_ratio: NumbersByName,
  completion_ratio: NumbersByName,
  cache_ratio: NumbersByName,
})
export type PricePreset = z.output<typeof PricePreset>

export const getPricePreset = endpoint({
  settingsArea: 'prices',
  method: 'GET',
  path: '/api/option/price_preset',
  access: 'root',
  summary: 'One of the price lists that come with the product; nothing is stored.',
  query: z.object({ source: z.enum(PRICE_SOURCES) }),
  reply: PricePreset,
  errors: [],
})

export const ListPrice = z.object({
  /** When the price list was collected. */
  version: z.string(),
  /** The name in the price list; missing when the list does not have the model. */
  model: z.string().optional(),
  /** The price of the list that is valid now, in USD. */
  list: RateCard.optional(),
  /** The next price of the list, when one is announced. */
  next: RateCard.optional(),
  /** What the model costs now without the ratio of a group, in USD; missing when it has no price. */
  current: RateCard.optional(),
  /** Named sets of hours that tiers can refer to. */
  schedules: z.record(
    z.string(),
    z.object({ utc: z.array(z.tuple([z.string(), z.string()])), days: z.enum(['Mon-Fri', 'every']) }),
  ),
})
export type ListPrice = z.output<typeof ListPrice>

export const getListPrice = endpoint({
  settingsArea: 'prices',
  method: 'GET',
  path: '/api/option/list_price',
  access: 'root',
  summary: 'The rate card of a model: of the price list, and as it is billed now.',
  query: z.object({ model: OptionalText }).partial(),
  reply: ListPrice,
  errors: [],
})

export const resetModelRatio = endpoint({
  settingsArea: 'prices',
  method: 'POST',
  path: '/api/option/rest_model_ratio',
  access: 'root',
  summary: 'Sets the model ratios back to those that come with the product.',
  reply: z.undefined(),
  done: { zh: '重置模型倍率成功', en: 'The model ratios are the built-in ones again.' },
  errors: [],
})

/** A figure of a form: a number, or what was typed for one. */
const NumberText = z.union([z.string(), z.number()]).transform(String).default('')

export const validateFallbackPricing = endpoint({
  settingsArea: 'prices',
  method: 'POST',
  path: '/api/option/validate_fallback_pricing',
  access: 'root',
  summary: 'Whether these fallback prices could be stored together; nothing is.',
  scope: 'read',
  body: z.object({
    enabled: z.union([z.boolean(), z.string()]).transform(String).default('false'),
    single_price: NumberText,
    input_ratio: NumberText,
    completion_ratio: NumberText,
  }),
  reply: z.undefined(),
  errors: ['option_invalid', 'option_guard_fallback_mixed', 'option_guard_fallback_incomplete'],
})

/** Options that say what calls cost. Which name is billed cannot be told from sums, so that switch is not among them. */
export const SIMULATED_OPTIONS = [
  'ModelRates',
  'ModelPrice',
  'ModelRatio',
  'CompletionRatio',
  'CacheRatio',
  'GroupRatio',
  'QuotaPerUnit',
  'fallback_pricing_enabled',
  'fallback_single_price',
  'fallback_input_ratio',
  'fallback_completion_ratio',
] as const

export const SimulatedRow = z.object({
  /** The name the price is looked up by. */
  model_name: z.string(),
  group: z.string(),
  requests: z.int(),
  tokens: z.int(),
  /** What calls really cost, in quota. */
  billed: z.int(),
  /** The same calls at the prices of now and at the proposed ones; missing where they would be refused for want of a price. */
  before: z.int().optional(),
  after: z.int().optional(),
  /**
   * `requests`: every request was priced by itself. `sample`: the effect of tiers and fees is estimated from a sample.
   * `sums`: no request is in the log, so tiers follow the average request and fees are left out.
   */
  basis: z.enum(['requests', 'sample', 'sums']),
})
export type SimulatedRow = z.output<typeof SimulatedRow>

export const simulatePrices = endpoint({
  settingsArea: 'prices',
  method: 'POST',
  path: '/api/option/simulate_prices',
  access: 'root',
  summary:
    'What the calls of the last seven days would have cost with other prices, by model and group; nothing is stored.',
  scope: 'read',
  body: z.object({
    changes: z
      .array(
        z.object({
          key: z.enum(SIMULATED_OPTIONS),
          value: z.union([z.string(), z.number(), z.boolean()]).transform(String),
        }),
      )
      .min(1)
      .max(SIMULATED_OPTIONS.length),
  }),
  reply: z.object({
    /** Unix seconds: the first day that is known, and now. */
    from: z.int(),
    to: z.int(),
    billed: z.int(),
    before: z.int(),
    after: z.int(),
    /** Those whose cost changes most come first. */
    rows: z.array(SimulatedRow),
    /** How many rows there are beside those, with what they come to. */
    others: z.object({ rows: z.int(), billed: z.int(), before: z.int(), after: z.int() }),
  }),
  errors: ['option_invalid', 'option_guard_fallback_mixed', 'option_guard_fallback_incomplete'],
})
