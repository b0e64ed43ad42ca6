import { z } from 'zod'
import { cardProblems, type CardProblem } from '../../card-problems.ts'
import { RateCard } from '../../rate-card.ts'
import { DEFAULT_PRICES, SCHEDULES } from '../default-prices/index.ts'
import { flag, optionalNumber } from '../define.ts'
import { json, namedMap, namedMapSchema } from '../define-json.ts'

const prices = { tab: 'operation', section: 'prices' } as const
const fallback = { tab: 'operation', section: 'fallback-prices' } as const

const CARD_PROBLEMS_ZH: Readonly<Record<CardProblem['code'], string>> = {
  card_empty: '既没有单价也没有费用',
  output_missing: '有阶梯但没有输出单价',
  condition_missing: '阶梯没有条件',
  effect_missing: '阶梯须填写单价或倍数其中之一',
  multiplier_conditions: '倍数只能有一个条件，且不能是输入长度；请改用单价',
  schedule_unknown: '未知的时间表',
  tiers_ambiguous: '缺少同时满足这些条件的阶梯',
}

const cards = namedMapSchema(
  RateCard.omit({ effective: true, until: true }).superRefine((card, context) => {
    for (const { tier, code, message } of cardProblems(card, SCHEDULES)) {
      const params = { zh: CARD_PROBLEMS_ZH[code] }
      context.addIssue({ code: 'custom', message, params, path: tier === undefined ? [] : ['tiers', tier] })
    }
  }),
)

const figures = namedMapSchema(z.number().nonnegative())

/** What models cost. Ratio 1 is 2 USD for a million input tokens. */
export const priceOptions = {
  /** Rate cards in USD with tiers and fees, by model. They win over every other price. */
  ModelRates: json(prices, cards, namedMap({})),
  /** USD per call; a model with a price is not billed by tokens. */
  ModelPrice: json(prices, figures, namedMap(DEFAULT_PRICES.modelPrice)),
  ModelRatio: json(prices, figures, namedMap(DEFAULT_PRICES.modelRatio)),
  /** Output price as a multiple of the input price. */
  CompletionRatio: json(prices, figures, namedMap(DEFAULT_PRICES.completionRatio)),
  /** Price of cached input as a multiple of the input price. */
  CacheRatio: json(prices, figures, namedMap(DEFAULT_PRICES.cacheRatio)),

  fallback_pricing_enabled: flag(fallback, false),
  fallback_single_price: optionalNumber(fallback, { min: 0 }),
  fallback_input_ratio: optionalNumber(fallback, { min: 0 }),
  fallback_completion_ratio: optionalNumber(fallback, { min: 0 }),
  /** Bills by the name the caller asked for, not by the one it was redirected to. */
  redirect_billing_enabled: flag(fallback, false),
}
