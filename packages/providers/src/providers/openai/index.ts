import type { DialectId } from '@tidegate/dialects'
import { endpoint, type Target } from '../../target.ts'
import { defineProvider } from '../../provider.ts'
import { adaptChat, adaptResponses, keepsPlainChat } from '../../openai-compatible/adapt.ts'
import { openaiBalance } from './balance.ts'
import { classifyOpenai } from '../../openai-compatible/classify.ts'
import { OPENAI_MODELS } from '../../openai-compatible/models.ts'
import { openaiCompatible, openaiModelList, openaiOperations } from '../../openai-compatible/create-provider.ts'
import { openaiVideos } from './videos.ts'

const HOME = 'https://api.openai.com'

export const openai = defineProvider({
  id: 'openai',
  baseUrl: HOME,
  models: OPENAI_MODELS,
  authorize: ({ key, organization }) => ({
    authorization: `Bearer ${key}`,
    ...(organization && { 'openai-organization': organization }),
  }),
  chatApis: [
    {
      dialect: 'openai-chat',
      url: ({ baseUrl }) => endpoint(baseUrl || HOME, '/v1/chat/completions'),
      streamUsage: 'ask',
      adapt: adaptChat,
      keepsPlain: keepsPlainChat,
    },
    {
      dialect: 'openai-responses',
      url: ({ baseUrl }) => endpoint(baseUrl || HOME, '/v1/responses'),
      passesHeaders: ['openai-beta'],
      adapt: adaptResponses,
    },
    {
      dialect: 'openai-completions',
      url: ({ baseUrl }) => endpoint(baseUrl || HOME, '/v1/completions'),
      streamUsage: 'ask',
    },
  ],
  prefers: preferredDialect,
  operations: {
    ...openaiOperations(HOME),
    realtime: {
      url: ({ baseUrl, model }) => `${endpoint(baseUrl || HOME, '/v1/realtime')}?model=${encodeURIComponent(model)}`,
    },
  },
  tasks: { video: openaiVideos(HOME) },
  modelList: openaiModelList(HOME),
  balance: openaiBalance(HOME),
  classify: classifyOpenai,
})

/** Models that only the Responses API serves. */
const RESPONSES_ONLY =
  /^(o1-pro|o3-pro|o3-deep-research|o4-mini-deep-research|codex-mini|computer-use|gpt-[\d.]+-(pro|codex))/

function preferredDialect({ model, setting }: Pick<Target, 'model' | 'setting'>): DialectId | undefined {
  switch (setting?.openai_api) {
    case 'responses':
      return 'openai-responses'
    case 'chat':
      return 'openai-chat'
    default:
      return RESPONSES_ONLY.test(model) ? 'openai-responses' : undefined
  }
}

/** One full URL for every request, in which `{model}` is replaced by the model name. */
export const custom = defineProvider({
  ...openaiCompatible,
  id: 'custom',
  models: [],
  chatApis: [
    {
      dialect: 'openai-chat',
      url: ({ baseUrl, model }) => baseUrl.replaceAll('{model}', encodeURIComponent(model)),
      streamUsage: 'omit',
      adapt: adaptChat,
      keepsPlain: keepsPlainChat,
    },
  ],
  prefers: undefined,
  operations: undefined,
  balance: openaiBalance(''),
})
