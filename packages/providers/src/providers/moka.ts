import { classifyOpenai } from '../openai-compatible/classify.ts'
import { bearer, openaiOperations } from '../openai-compatible/create-provider.ts'
import { defineProvider } from '../provider.ts'

const HOME = 'https://api.moka.ai'

/** Embeddings only. */
export const moka = defineProvider({
  id: 'moka',
  baseUrl: HOME,
  models: ['m3e-large', 'm3e-base', 'm3e-small'],
  authorize: bearer,
  operations: openaiOperations(HOME, { only: ['embeddings'] }),
  classify: classifyOpenai,
})
