import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { RateCard } from '../../rate-card.ts'
import { OptionalText } from '../../values.ts'

/** Built-in price presets. */
export const PRICE_SOURCES = ['flexible', 'openrouter', 'mixed', 'legacy'] as const
export type PriceSource = (typeof PRICE_SOURCES)[number]

const NumbersByName = z.record(z.string(), z.number())

export const PricePreset = z.object({
  source: z.enum(PRICE_SOURCES),
  /** Version of the price list. */
  version: z.string(),
  /** Maps by model, in the format of the options with the same names. */
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
  summary: 'Returns a built-in price preset. Stores nothing.',
  query: z.object({ source: z.enum(PRICE_SOURCES) }),
  reply: PricePreset,
  errors: [],
})

export const ListPrice = z.object({
  /** When the price list was collected. */
  version: z.string(),
  /** Name in the price list; missing if the list does not contain the model. */
  model: z.string().optional(),
  /** Current price of the list, in USD. */
  list: RateCard.optional(),
  /** Next announced price of the list. */
  next: RateCard.optional(),
  /** Current price of the site in USD, without a group ratio; missing if there is none. */
  current: RateCard.optional(),
  /** Schedules by name, for tiers. */
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
  summary: 'Returns the rate card of a model: in the price list, and as billed now.',
  query: z.object({ model: OptionalText }).partial(),
  reply: ListPrice,
  errors: [],
})

export const resetModelRatio = endpoint({
  settingsArea: 'prices',
  method: 'POST',
  path: '/api/option/rest_model_ratio',
  access: 'root',
  summary: 'Resets the model ratios to the built-in ones.',
  reply: z.undefined(),
  done: { zh: '重置模型倍率成功', en: 'The model ratios are the built-in ones again.' },
  errors: [],
})

/** A number of a form, also as text. */
const NumberText = z.union([z.string(), z.number()]).transform(String).default('')

export const validateFallbackPricing = endpoint({
  settingsArea: 'prices',
  method: 'POST',
  path: '/api/option/validate_fallback_pricing',
  access: 'root',
  summary: 'Checks whether fallback prices are valid together. Stores nothing.',
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

/** Price options. `redirect_billing_enabled` is not among them: sums do not contain the requested name. */
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
  /** The billed model name. */
  model_name: z.string(),
  group: z.string(),
  requests: z.int(),
  tokens: z.int(),
  /** Actual cost, in quota. */
  billed: z.int(),
  /** Cost at current and at proposed prices; missing if requests would be rejected for a missing price. */
  before: z.int().optional(),
  after: z.int().optional(),
  /**
   * `requests`: every request was priced. `sample`: the effect of tiers and fees is estimated from a sample. `sums`: no
   * request is in the log, so tiers follow the average request and fees are left out.
   */
  basis: z.enum(['requests', 'sample', 'sums']),
})
export type SimulatedRow = z.output<typeof SimulatedRow>

export const simulatePrices = endpoint({
  settingsArea: 'prices',
  method: 'POST',
  path: '/api/option/simulate_prices',
  access: 'root',
  summary: 'Simulates other prices on the requests of the last seven days, by model and group. Stores nothing.',
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
    /** Unix seconds: start of the data, and now. */
    from: z.int(),
    to: z.int(),
    billed: z.int(),
    before: z.int(),
    after: z.int(),
    /** Sorted by the change of cost, largest first. */
    rows: z.array(SimulatedRow),
    /** Number and sums of further rows. */
    others: z.object({ rows: z.int(), billed: z.int(), before: z.int(), after: z.int() }),
  }),
  errors: ['option_invalid', 'option_guard_fallback_mixed', 'option_guard_fallback_incomplete'],
})
