// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { LimitRow } from '../rows.ts'
import { alibabaLimits } from './alibaba.ts'
import { anthropicLimits } from './anthropic.ts'
import { bytedanceLimits } from './bytedance.ts'
import { cohereLimits } from './cohere.ts'
import { deepseekLimits } from './deepseek.ts'
import { googleLimits } from './google.ts'
import { groqLimits } from './groq.ts'
import { jinaLimits } from './jina.ts'
import { minimaxLimits } from './minimax.ts'
import { mistralLimits } from './mistral.ts'
import { moonshotLimits } from './moonshot.ts'
import { openaiLimits } from './openai.ts'
import { perplexityLimits } from './perplexity.ts'
import { voyageLimits } from './voyage.ts'
import { zhipuLimits } from './zhipu.ts'
import { xaiLimits } from './xai.ts'

export const vendorLimits: Readonly<Record<string, LimitRow>> = {
  ...alibabaLimits,
  ...anthropicLimits,
  ...bytedanceLimits,
  ...cohereLimits,
  ...deepseekLimits,
  ...googleLimits,
  ...groqLimits,
  ...jinaLimits,
  ...minimaxLimits,
  ...mistralLimits,
  ...moonshotLimits,
  ...openaiLimits,
  ...perplexityLimits,
  ...voyageLimits,
  ...zhipuLimits,
  ...xaiLimits,
}
