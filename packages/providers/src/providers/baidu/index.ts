import { asJsonObject, asList, type JsonObject } from '@tidegate/dialects'
import { translateResponse } from '../../custom-protocols/translate-response.ts'
import { classifyOpenai } from '../../openai-compatible/classify.ts'
import { defineProvider } from '../../provider.ts'
import { signBaiduUrl } from './access-token.ts'
import { encodeBaidu } from './encode-request.ts'
import { baiduReader, throwOnError } from './read-response.ts'

const HOME = 'https://aip.baidubce.com'

function urlOf(baseUrl: string, path: string): string {
  return (baseUrl || HOME).replace(/\/+$/, '') + path
}

/** Baidu's first platform: every model has its own path. */
export const baidu = defineProvider({
  id: 'baidu',
  baseUrl: HOME,
  models: [
    'ERNIE-4.0-8K',
    'ERNIE-3.5-8K',
    'ERNIE-Speed-8K',
    'ERNIE-Speed-128K',
    'ERNIE-Lite-8K',
    'ERNIE-Tiny-8K',
    'BLOOMZ-7B',
    'Embedding-V1',
    'bge-large-zh',
    'bge-large-en',
    'tao-8k',
  ],
  authorize: () => ({}),
  signUrl: signBaiduUrl,
  chatApis: [
    {
      dialect: 'openai-chat',
      url: ({ baseUrl, model }) => urlOf(baseUrl, chatPath(model)),
      encode: encodeBaidu,
      unpack: (response, context) => translateResponse(response, context, baiduReader),
    },
  ],
  operations: {
    embeddings: {
      url: ({ baseUrl, model }) => urlOf(baseUrl, embeddingsPath(model)),
      encode: ({ input }: JsonObject) => ({ input: Array.isArray(input) ? input : [input] }),
      decode: (response: JsonObject, { model }: JsonObject) => decodeEmbeddings(response, model),
    },
  },
  classify: classifyOpenai,
})

function decodeEmbeddings(response: JsonObject, model: unknown): JsonObject | undefined {
  throwOnError(response)
  if (!Array.isArray(response.data)) return undefined
  const data = asList(response.data).map((entry, position) => ({
    object: 'embedding',
    index: asJsonObject(entry)?.index ?? position,
    embedding: asJsonObject(entry)?.embedding,
  }))
  return { object: 'list', data, model, ...(asJsonObject(response.usage) && { usage: response.usage }) }
}

/** Paths that differ from the model name. */
const CHAT_PATHS: Readonly<Record<string, string>> = {
  'ernie-4.0-8k': 'completions_pro',
  'ernie-bot-4': 'completions_pro',
  'ernie-3.5-8k': 'completions',
  'ernie-bot': 'completions',
  'ernie-bot-8k': 'ernie_bot_8k',
  'ernie-speed': 'ernie_speed',
  'ernie-speed-8k': 'ernie_speed',
  'ernie-lite-8k-0922': 'eb-instant',
  'ernie-bot-turbo': 'eb-instant',
  'ernie-lite-8k-0308': 'ernie-lite-8k',
  'ernie-character-8k': 'ernie-char-8k',
  'ernie-functions-8k': 'ernie-func-8k',
  'bloomz-7b': 'bloomz_7b1',
}

const EMBEDDING_PATHS: Readonly<Record<string, string>> = {
  'bge-large-zh': 'bge_large_zh',
  'bge-large-en': 'bge_large_en',
  'tao-8k': 'tao_8k',
}

/** An unknown model name is its own path, as for all newer models. */
export function chatPath(model: string): string {
  return `/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/${pathOf(CHAT_PATHS, model)}`
}

export function embeddingsPath(model: string): string {
  return `/rpc/2.0/ai_custom/v1/wenxinworkshop/embeddings/${pathOf(EMBEDDING_PATHS, model)}`
}

function pathOf(known: Readonly<Record<string, string>>, model: string): string {
  const name = model.toLowerCase()
  return (Object.hasOwn(known, name) && known[name]) || encodeURIComponent(name)
}
