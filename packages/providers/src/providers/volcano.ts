import { openaiSpeaker } from '../openai-compatible/create-provider.ts'

/** Doubao. A name that begins with `bot` is an assistant of the operator's, kept apart from the models. */
export const volcano = openaiSpeaker({
  id: 'volcano',
  baseUrl: 'https://ark.cn-beijing.volces.com',
  path: ({ model }) => (model.startsWith('bot') ? '/api/v3/bots/chat/completions' : '/api/v3/chat/completions'),
  version: '/api/v3',
  models: [
    'Doubao-pro-128k',
    'Doubao-pro-32k',
    'Doubao-pro-4k',
    'Doubao-lite-128k',
    'Doubao-lite-32k',
    'Doubao-lite-4k',
    'Doubao-embedding',
  ],
  streamUsage: 'ask',
  emptyAccount: ['AccountOverdueError'],
  operations: ['embeddings', 'image-generation'],
})
