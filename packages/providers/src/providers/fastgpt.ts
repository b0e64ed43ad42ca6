import { classifyOpenai } from '../openai-compatible/classify.ts'
import { openaiCompatibleProvider } from '../openai-compatible/create-provider.ts'
import { defineProvider } from '../provider.ts'

/** What it says to a key it does not know, with a 500. */
const UNKNOWN_KEY_CODE = 514

/** Assistants built on knowledge of one's own; which one is in the key. */
export const fastgpt = defineProvider({
  ...openaiCompatibleProvider({
    id: 'fastgpt',
    baseUrl: 'https://fastgpt.run/api/openapi',
    operations: [],
  }),
  classify: (failure) => (failure.error.code === UNKNOWN_KEY_CODE ? 'auth' : classifyOpenai(failure)),
})
