// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { PriceRow } from '../rows.ts'
import { alibabaPrices } from './alibaba.ts'
import { anthropicPrices } from './anthropic.ts'
import { coherePrices } from './cohere.ts'
import { deepseekPrices } from './deepseek.ts'
import { googlePrices } from './google.ts'
import { groqPrices } from './groq.ts'
import { jinaPrices } from './jina.ts'
import { minimaxPrices } from './minimax.ts'
import { mistralPrices } from './mistral.ts'
import { moonshotPrices } from './moonshot.ts'
import { openaiPrices } from './openai.ts'
import { perplexityPrices } from './perplexity.ts'
import { voyagePrices } from './voyage.ts'
import { zhipuPrices } from './zhipu.ts'
import { xaiPrices } from './xai.ts'

export const vendorPrices: Readonly<Record<string, PriceRow>> = {
  ...alibabaPrices,
  ...anthropicPrices,
  ...coherePrices,
  ...deepseekPrices,
  ...googlePrices,
  ...groqPrices,
  ...jinaPrices,
  ...minimaxPrices,
  ...mistralPrices,
  ...moonshotPrices,
  ...openaiPrices,
  ...perplexityPrices,
  ...voyagePrices,
  ...zhipuPrices,
  ...xaiPrices,
}
