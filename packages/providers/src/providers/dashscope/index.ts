import { clamp } from '../../clamp.ts'
import { openaiSpeaker } from '../../openai-compatible/create-provider.ts'
import { defineProvider } from '../../provider.ts'
import { classifyDashscope } from './failures.ts'
import { dashscopeImages } from './images.ts'

const HOME = 'https://dashscope.aliyuncs.com'

const speaker = openaiSpeaker({
  id: 'dashscope',
  baseUrl: HOME,
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

/** Alibaba's models, in the mode that speaks OpenAI's words; pictures have words of their own. */
export const dashscope = defineProvider({
  ...speaker,
  operations: { ...speaker.operations, 'image-generation': dashscopeImages(HOME) },
  classify: classifyDashscope,
})
