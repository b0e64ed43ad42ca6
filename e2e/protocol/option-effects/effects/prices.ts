import { billFor } from '../send-chat.ts'
import type { Rows } from '../effect.ts'
import { ALIAS, CACHED, PLAIN, UNPRICED } from '../channels.ts'

const json = JSON.stringify
const twoRatios = { fallback_input_ratio: '2', fallback_completion_ratio: '3', fallback_pricing_enabled: 'true' }

/** A request has 100 prompt tokens, 40 of them cached if requested, and 10 output tokens. */
export const priceEffects = {
  ModelRates: {
    value: json({ [PLAIN]: { rates: { input: 4, output: 14 } } }),
    probe: (site) => billFor(site, { model: PLAIN }),
    before: 110,
    after: 270,
  },
  ModelPrice: {
    value: json({ [PLAIN]: 0.02 }),
    probe: (site) => billFor(site, { model: PLAIN }),
    before: 110,
    after: 10_000,
  },
  ModelRatio: {
    value: json({ [PLAIN]: 2.5 }),
    probe: (site) => billFor(site, { model: PLAIN }),
    before: 110,
    after: 275,
  },
  CompletionRatio: {
    value: json({ [PLAIN]: 4 }),
    probe: (site) => billFor(site, { model: PLAIN }),
    before: 110,
    after: 140,
  },
  CacheRatio: {
    value: json({ [CACHED]: 0.25 }),
    probe: (site) => billFor(site, { model: CACHED }),
    before: 110,
    after: 80,
  },

  fallback_pricing_enabled: {
    given: { fallback_single_price: '0.01' },
    value: 'true',
    probe: (site) => billFor(site, { model: UNPRICED }),
    before: undefined, // rejected
    after: 5_000,
  },
  fallback_single_price: {
    given: { fallback_single_price: '0.01', fallback_pricing_enabled: 'true' },
    value: '0.03',
    probe: (site) => billFor(site, { model: UNPRICED }),
    before: 5_000,
    after: 15_000,
  },
  fallback_input_ratio: {
    given: twoRatios,
    value: '4',
    probe: (site) => billFor(site, { model: UNPRICED }),
    before: 260,
    after: 520,
  },
  fallback_completion_ratio: {
    given: twoRatios,
    value: '5',
    probe: (site) => billFor(site, { model: UNPRICED }),
    before: 260,
    after: 300,
  },
  redirect_billing_enabled: {
    given: { ModelRatio: json({ [ALIAS]: 7, 'm-target': 1 }), CompletionRatio: json({ [ALIAS]: 1, 'm-target': 1 }) },
    value: 'true',
    probe: (site) => billFor(site, { model: ALIAS }),
    before: 110,
    after: 770,
  },
} satisfies Rows
