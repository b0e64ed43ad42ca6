import { anthropic } from './anthropic/index.ts'
import { azure } from './azure/index.ts'
import { baidu } from './baidu/index.ts'
import { bedrock } from './bedrock/index.ts'
import { cloudflare } from './cloudflare/index.ts'
import { cohere } from './cohere/index.ts'
import { dashscope } from './dashscope/index.ts'
import { deepseek } from './deepseek/index.ts'
import { dify } from './dify/index.ts'
import { fastgpt } from './fastgpt/index.ts'
import { gemini } from './gemini/index.ts'
import { githubModels } from './github-models/index.ts'
import { hunyuan } from './hunyuan/index.ts'
import { iflytek } from './iflytek/index.ts'
import { jina } from './jina/index.ts'
import { midjourney, midjourneyPlus } from './midjourney/index.ts'
import { minimax } from './minimax/index.ts'
import { mistral } from './mistral/index.ts'
import { moka } from './moka/index.ts'
import { ollama } from './ollama/index.ts'
import { custom, openai } from './openai/index.ts'
import { openaiCompatible } from './openai-words/speaker.ts'
import { OPENAI_SPEAKERS } from './openai/vendors.ts'
import { openrouter } from './openrouter/index.ts'
import { palm } from './palm/index.ts'
import { perplexity } from './perplexity/index.ts'
import type { Provider } from './provider.ts'
import { suno } from './suno/index.ts'
import { vertex } from './vertex/index.ts'
import { volcano } from './volcano/index.ts'
import { zhipu } from './zhipu/index.ts'

/** Vendors by the number a channel carries. */
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
  ...OPENAI_SPEAKERS,
])

/** The vendor behind a channel type; a number nobody assigned is taken for one that speaks OpenAI's language. */
export function providerOf(channelType: number): Provider {
  return CHANNEL_TYPES.get(channelType) ?? openaiCompatible
}
