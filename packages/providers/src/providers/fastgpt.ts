import { classifyOpenai } from '../openai-compatible/classify.ts'
import { openaiCompatibleProvider } from '../openai-compatible/create-provider.ts'
import { defineProvider } from '../provider.ts'

/** Returned with status 500 for an unknown key. */
const UNKNOWN_KEY_CODE = 514

/** Assistants with their own knowledge base; the key selects the assistant. */
export const fastgpt = defineProvider({
  ...openaiCompatibleProvider({
    id: 'fastgpt',
    baseUrl: 'https://fastgpt.run/api/openapi',
    operations: [],
  }),
  classify: (failure) => (failure.error.code === UNKNOWN_KEY_CODE ? 'auth' : classifyOpenai(failure)),
})
