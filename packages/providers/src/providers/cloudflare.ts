import { openaiOperations, openaiCompatibleProvider } from '../openai-compatible/create-provider.ts'
import { defineProvider } from '../provider.ts'
import type { Target } from '../target.ts'

const HOME = 'https://api.cloudflare.com'

/** The account id is part of the path. */
const accountPath = ({ other = '' }: Pick<Target, 'other'>) => `/client/v4/accounts/${encodeURIComponent(other)}/ai/v1`

const base = openaiCompatibleProvider({
  id: 'cloudflare',
  baseUrl: HOME,
  path: (target) => `${accountPath(target)}/chat/completions`,
  streamUsage: 'ask',
})

/** Workers AI. */
export const cloudflare = defineProvider({
  ...base,
  modelList: undefined,
  operations: {
    embeddings: {
      url: (target, call) => openaiOperations(HOME, { version: accountPath(target) }).embeddings!.url(target, call),
    },
  },
})
