import { openaiSpeaker } from '../openai-words/speaker.ts'

/** Assistants built on knowledge of one's own; which one is in the key. */
export const fastgpt = openaiSpeaker({
  id: 'fastgpt',
  baseUrl: 'https://fastgpt.run/api/openapi',
  operations: [],
})
