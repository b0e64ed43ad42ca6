import { asList, asJsonObject, type JsonObject } from '@tidegate/dialects'
import { endpoint } from '../target.ts'
import { openaiCompatibleProvider } from '../openai-compatible/create-provider.ts'
import { defineProvider } from '../provider.ts'

const HOME = 'https://api.cohere.ai'

/** Cohere's own default. */
const DEFAULT_MAX_TOKENS = 4000

const base = openaiCompatibleProvider({
  id: 'cohere',
  baseUrl: HOME,
  path: '/compatibility/v1/chat/completions',
  models: [
    'command-r',
    'command-r-plus',
    'command-r-08-2024',
    'command-r-plus-08-2024',
    'c4ai-aya-23-35b',
    'rerank-v3.5',
  ],
  adapt: ({ max_tokens, max_completion_tokens }) =>
    max_tokens === undefined && max_completion_tokens === undefined ? { max_tokens: DEFAULT_MAX_TOKENS } : {},
  operations: ['embeddings'],
})

/** OpenAI-compatible chat at its own path, and the rerank API that other providers copied. */
export const cohere = defineProvider({
  ...base,
  modelList: {
    url: ({ baseUrl }) => endpoint(baseUrl || HOME, '/v1/models?page_size=1000'),
    read: (body) =>
      asList(asJsonObject(body)?.models).flatMap((model) => {
        const name = asJsonObject(model)?.name
        return typeof name === 'string' && name !== '' ? [name] : []
      }),
  },
  operations: {
    ...base.operations,
    rerank: {
      url: ({ baseUrl }) => endpoint(baseUrl || HOME, '/v1/rerank'),
      encode: ({ query, documents, top_n, return_documents, max_chunks_per_doc }: JsonObject, { model }) => ({
        model,
        query,
        documents,
        top_n: top_n ?? 1,
        return_documents: return_documents ?? true,
        ...(max_chunks_per_doc !== undefined && { max_chunks_per_doc }),
      }),
      decode: ({ results }: JsonObject) => (Array.isArray(results) ? { results } : undefined),
    },
  },
})
