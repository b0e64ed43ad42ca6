import { asList, asJsonObject, type JsonObject } from '@tidegate/dialects'
import { classifyOpenai } from '../../openai-compatible/classify.ts'
import { translateAnswer } from '../../custom-protocols/translate-response.ts'
import { defineProvider } from '../../provider.ts'
import { signForBaidu } from './access-token.ts'
import { encodeBaidu } from './encode-request.ts'
import { chatPath, embeddingsPath } from './paths.ts'
import { baiduReader, refuseErrors } from './read-response.ts'

const HOME = 'https://aip.baidubce.com'

function at(baseUrl: string, path: string): string {
  return (baseUrl || HOME).replace(/\/+$/, '') + path
}

/** Baidu's first platform: every model at a path of its own. */
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
  signUrl: signForBaidu,
  conversations: [
    {
      dialect: 'openai-chat',
      url: ({ baseUrl, model }) => at(baseUrl, chatPath(model)),
      encode: encodeBaidu,
      unpack: (response, context) => translateAnswer(response, context, baiduReader),
    },
  ],
  operations: {
    embeddings: {
      url: ({ baseUrl, model }) => at(baseUrl, embeddingsPath(model)),
      encode: ({ input }: JsonObject) => ({ input: Array.isArray(input) ? input : [input] }),
      decode: (answer: JsonObject, { model }: JsonObject) => decodeEmbeddings(answer, model),
    },
  },
  classify: classifyOpenai,
})

function decodeEmbeddings(answer: JsonObject, model: unknown): JsonObject | undefined {
  refuseErrors(answer)
  if (!Array.isArray(answer.data)) return undefined
  const data = asList(answer.data).map((entry, place) => ({
    object: 'embedding',
    index: asJsonObject(entry)?.index ?? place,
    embedding: asJsonObject(entry)?.embedding,
  }))
  return { object: 'list', data, model, ...(asJsonObject(answer.usage) && { usage: answer.usage }) }
}
