import { openaiOperations, openaiSpeaker } from '../openai-compatible/create-provider.ts'
import { defineProvider } from '../provider.ts'
import type { Target } from '../target.ts'

const HOME = 'https://api.cloudflare.com'

/** The account is in the path. */
const account = ({ other = '' }: Pick<Target, 'other'>) => `/client/v4/accounts/${encodeURIComponent(other)}/ai/v1`

const speaker = openaiSpeaker({
  id: 'cloudflare',
  baseUrl: HOME,
  path: (target) => `${account(target)}/chat/completions`,
  streamUsage: 'ask',
})

/** Workers AI. */
export const cloudflare = defineProvider({
  ...speaker,
  modelList: undefined,
  operations: {
    embeddings: {
      url: (target, call) => openaiOperations(HOME, { version: account(target) }).embeddings!.url(target, call),
    },
  },
})
