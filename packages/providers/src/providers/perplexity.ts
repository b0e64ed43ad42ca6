import { clamp } from '../clamp.ts'
import { openaiSpeaker } from '../openai-compatible/create-provider.ts'

export const perplexity = openaiSpeaker({
  id: 'perplexity',
  baseUrl: 'https://api.perplexity.ai',
  path: '/chat/completions',
  models: [
    'llama-3-sonar-small-32k-chat',
    'llama-3-sonar-small-32k-online',
    'llama-3-sonar-large-32k-chat',
    'llama-3-sonar-large-32k-online',
  ],
  adapt: (body) => clamp(body, 'top_p', { max: 0.99 }),
  operations: [],
})
