import { openaiModelList } from '../openai-compatible/model-list.ts'
import { openaiSpeaker } from '../openai-compatible/create-provider.ts'

const HOME = 'https://models.github.ai/inference'

export const githubModels = openaiSpeaker({
  id: 'github-models',
  baseUrl: HOME,
  path: '/chat/completions',
  streamUsage: 'ask',
  operations: ['embeddings'],
  modelList: {
    ...openaiModelList(HOME),
    // The catalogue is beside the calls, not among them.
    url: ({ baseUrl }) => `${(baseUrl || HOME).replace(/\/+$/, '').replace(/\/inference$/, '')}/catalog/models`,
  },
})
