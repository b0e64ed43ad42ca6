import { anthropic } from './providers/anthropic.ts'
import { azure } from './providers/azure.ts'
import { baidu } from './providers/baidu/index.ts'
import { bedrock } from './providers/bedrock/index.ts'
import { cloudflare } from './providers/cloudflare.ts'
import { cohere } from './providers/cohere.ts'
import { dashscope } from './providers/dashscope.ts'
import { deepseek } from './providers/deepseek.ts'
import { dify } from './providers/dify/index.ts'
import { fastgpt } from './providers/fastgpt.ts'
import { gemini } from './providers/gemini.ts'
import { githubModels, OPENAI_COMPATIBLE_PROVIDERS, perplexity, volcano } from './providers/openai-compatible.ts'
import { hunyuan } from './providers/hunyuan/index.ts'
import { iflytek } from './providers/iflytek/index.ts'
import { jina } from './providers/jina.ts'
import { midjourney, midjourneyPlus } from './providers/midjourney/index.ts'
import { minimax } from './providers/minimax.ts'
import { mistral } from './providers/mistral.ts'
import { moka } from './providers/moka.ts'
import { ollama } from './providers/ollama.ts'
import { custom, openai } from './providers/openai/index.ts'
import { openaiCompatible } from './openai-compatible/create-provider.ts'
import { openrouter } from './providers/openrouter.ts'
import { palm } from './providers/palm.ts'
import type { Provider } from './provider.ts'
import { suno } from './providers/suno.ts'
import { vertex } from './providers/vertex/index.ts'
import { zhipu } from './providers/zhipu.ts'

/** Providers by channel type. */
export const CHANNEL_TYPES: ReadonlyMap<number, Provider> = new Map<number, Provider>([
  [1, openai],
  [2, midjourney],
  [3, azure],
  [4, ollama],
  [5, midjourneyPlus],
  [8, custom],
  [11, palm],
  [14, anthropic],
  [15, baidu],
  [16, zhipu],
  [17, dashscope],
  [18, iflytek],
  [20, openrouter],
  [22, fastgpt],
  [23, hunyuan],
  [24, gemini],
  [26, zhipu],
  [27, perplexity],
  [33, bedrock],
  [34, cohere],
  [35, minimax],
  [36, suno],
  [37, dify],
  [38, jina],
  [39, cloudflare],
  [41, vertex],
  [42, mistral],
  [43, deepseek],
  [44, moka],
  [45, volcano],
  [49, githubModels],
  ...OPENAI_COMPATIBLE_PROVIDERS,
])

/** The provider of a channel type. Unknown types are treated as OpenAI-compatible. */
export function providerOf(channelType: number): Provider {
  return CHANNEL_TYPES.get(channelType) ?? openaiCompatible
}
