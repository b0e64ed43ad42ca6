import { asList, type JsonObject } from '@tidegate/dialects'
import { endpoint } from '../target.ts'
import { openaiCompatibleProvider } from '../openai-compatible/create-provider.ts'
import { defineProvider } from '../provider.ts'

const HOME = 'http://localhost:11434'

const base = openaiCompatibleProvider({
  id: 'ollama',
  baseUrl: HOME,
  models: ['llama3-7b'],
  streamUsage: 'ask',
  inlinesMedia: true,
  operations: [],
})

/** Self-hosted models. Embeddings have their own API. */
export const ollama = defineProvider({
  ...base,
  operations: {
    embeddings: {
      url: ({ baseUrl }) => endpoint(baseUrl || HOME, '/api/embed'),
      encode: ({ input, dimensions }, { model }) => ({ model, input, ...(dimensions !== undefined && { dimensions }) }),
      decode: decodeEmbeddings,
    },
  },
})

function decodeEmbeddings(response: JsonObject): JsonObject | undefined {
  const embeddings = asList(response.embeddings)
  if (embeddings.length === 0) return undefined
  const tokens = typeof response.prompt_eval_count === 'number' ? response.prompt_eval_count : undefined
  return {
    object: 'list',
    data: embeddings.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    model: response.model,
    ...(tokens !== undefined && { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
  }
}
