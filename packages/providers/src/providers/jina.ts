import { classifyOpenai } from '../openai-compatible/classify.ts'
import { bearer, openaiModelList, openaiOperations } from '../openai-compatible/create-provider.ts'
import { defineProvider } from '../provider.ts'

const HOME = 'https://api.jina.ai'

/** Embeddings and reranking only. */
export const jina = defineProvider({
  id: 'jina',
  baseUrl: HOME,
  models: ['jina-clip-v1', 'jina-reranker-v2-base-multilingual'],
  authorize: bearer,
  operations: openaiOperations(HOME, { only: ['embeddings', 'rerank'] }),
  modelList: openaiModelList(HOME),
  classify: classifyOpenai,
})
