import { initialCacheRatio, initialCompletionRatio, initialModelPrice } from './initial-prices.ts'
import { initialModelRatio } from './initial-ratios.ts'
import type { PriceRow } from './price-row.ts'
import { anthropicPrices } from './vendors/anthropic.ts'
import { deepseekPrices } from './vendors/deepseek.ts'
import { glmPrices } from './vendors/glm.ts'
import { googlePrices } from './vendors/google.ts'
import { imagePrices } from './vendors/images.ts'
import { mistralPrices } from './vendors/mistral.ts'
import { moonshotPrices } from './vendors/moonshot.ts'
import { openaiPrices } from './vendors/openai.ts'
import { qwenPrices } from './vendors/qwen.ts'
import { xaiPrices } from './vendors/xai.ts'

/** Raised with every change to the figures, so that an operator can see which list a site started from. */
export const DEFAULT_PRICES_VERSION = '2026.11'

type Figures = Readonly<Record<string, number>>

const rows: Readonly<Record<string, PriceRow>> = {
  ...openaiPrices,
  ...anthropicPrices,
  ...googlePrices,
  ...deepseekPrices,
  ...xaiPrices,
  ...mistralPrices,
  ...moonshotPrices,
  ...qwenPrices,
  ...glmPrices,
}

/**
 * What models cost until an operator says otherwise. Audio and realtime models beyond the first list are left out: the
 * built-in audio ratios do not fit them, and a refusal is better than a wrong bill.
 */
export const DEFAULT_PRICES: Readonly<Record<'modelPrice' | 'modelRatio' | 'completionRatio' | 'cacheRatio', Figures>> =
  {
    modelPrice: { ...imagePrices, ...initialModelPrice },
    modelRatio: { ...column(0), ...initialModelRatio },
    completionRatio: { ...column(1), ...initialCompletionRatio },
    cacheRatio: { ...column(2), ...initialCacheRatio },
  }

function column(index: 0 | 1 | 2): Figures {
  return Object.fromEntries(
    Object.entries(rows).flatMap(([model, row]) => (row[index] === undefined ? [] : [[model, row[index]]])),
  )
}
