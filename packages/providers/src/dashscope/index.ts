import { clamp } from '../clamp.ts'
import { openaiSpeaker } from '../openai-words/speaker.ts'

/** Alibaba's models, in the mode that speaks OpenAI's words. */
export const dashscope = openaiSpeaker({
  id: 'dashscope',
  baseUrl: 'https://dashscope.aliyuncs.com',
  path: '/compatible-mode/v1/chat/completions',
  models: ['qwen-turbo', 'qwen-plus', 'qwen-max', 'qwen-max-longcontext', 'text-embedding-v1'],
  streamUsage: 'ask',
  authorize: ({ key, other }) => ({
    authorization: `Bearer ${key}`,
    ...(other && { 'x-dashscope-plugin': other }),
  }),
  adapt: (body) => clamp(body, 'top_p', { min: 0.001, max: 0.999 }),
  operations: ['embeddings'],
})
