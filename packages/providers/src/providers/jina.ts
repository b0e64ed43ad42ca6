import { classifyOpenai } from '../openai-compatible/classify.ts'
import { openaiModelList } from '../openai-compatible/model-list.ts'
import { openaiOperations } from '../openai-compatible/operations.ts'
import { bearer } from '../openai-compatible/create-provider.ts'
import { defineProvider } from '../provider.ts'

const HOME = 'https://api.jina.ai'

/** Finds and ranks; it holds no conversations. */
export const jina = defineProvider({
  id: 'jina',
  baseUrl: HOME,
  models: ['jina-clip-v1', 'jina-reranker-v2-base-multilingual'],
  authorize: bearer,
  operations: openaiOperations(HOME, { only: ['embeddings', 'rerank'] }),
  modelList: openaiModelList(HOME),
  classify: classifyOpenai,
})
