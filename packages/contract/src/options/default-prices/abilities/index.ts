// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
import type { AbilityRows } from '../rows.ts'
import { alibabaAbilities } from './alibaba.ts'
import { anthropicAbilities } from './anthropic.ts'
import { bytedanceAbilities } from './bytedance.ts'
import { cohereAbilities } from './cohere.ts'
import { deepseekAbilities } from './deepseek.ts'
import { googleAbilities } from './google.ts'
import { groqAbilities } from './groq.ts'
import { jinaAbilities } from './jina.ts'
import { minimaxAbilities } from './minimax.ts'
import { mistralAbilities } from './mistral.ts'
import { moonshotAbilities } from './moonshot.ts'
import { openaiAbilities } from './openai.ts'
import { perplexityAbilities } from './perplexity.ts'
import { voyageAbilities } from './voyage.ts'
import { zhipuAbilities } from './zhipu.ts'
import { xaiAbilities } from './xai.ts'

export const vendorAbilities: Readonly<Record<string, AbilityRows>> = {
  Alibaba: alibabaAbilities,
  Anthropic: anthropicAbilities,
  ByteDance: bytedanceAbilities,
  Cohere: cohereAbilities,
  DeepSeek: deepseekAbilities,
  Google: googleAbilities,
  Groq: groqAbilities,
  Jina: jinaAbilities,
  MiniMax: minimaxAbilities,
  Mistral: mistralAbilities,
  Moonshot: moonshotAbilities,
  OpenAI: openaiAbilities,
  Perplexity: perplexityAbilities,
  Voyage: voyageAbilities,
  Zhipu: zhipuAbilities,
  xAI: xaiAbilities,
}
