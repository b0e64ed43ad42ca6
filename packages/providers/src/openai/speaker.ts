import { endpoint } from '../endpoint.ts'
import { defineProvider, type BalanceCheck, type Conversation, type Target } from '../provider.ts'
import { adaptChat, adaptResponses } from './adapt.ts'
import { classifyOpenai } from './classify.ts'
import { openaiModelList } from './model-list.ts'

export interface Speaker {
  readonly id: string
  readonly baseUrl: string
  readonly models?: readonly string[]
  /** Where the vendor keeps its chat call. */
  readonly path?: string
  readonly streamUsage?: Conversation['streamUsage']
  readonly inlinesMedia?: boolean
  readonly balance?: BalanceCheck
}

/** A vendor that took over OpenAI's chat call, at an address of its own. */
export function openaiSpeaker({ id, baseUrl: home, path = '/v1/chat/completions', ...speaker }: Speaker) {
  const { models, streamUsage, inlinesMedia, balance } = speaker
  return defineProvider({
    id,
    baseUrl: home,
    models,
    authorize: bearer,
    conversations: [
      {
        dialect: 'openai-chat',
        url: ({ baseUrl }) => endpoint(baseUrl || home, path),
        streamUsage: streamUsage ?? 'omit',
        inlinesMedia,
        adapt: adaptChat,
      },
      {
        dialect: 'openai-responses',
        url: ({ baseUrl }) => endpoint(baseUrl || home, path.replace(/\/chat\/completions$/, '/responses')),
        adapt: adaptResponses,
      },
    ],
    // Few of them have the newer call, so it is used only where the operator says so.
    prefers: ({ setting }) => (setting?.openai_api === 'responses' ? 'openai-responses' : 'openai-chat'),
    modelList: openaiModelList(home, path.replace(/\/chat\/completions$/, '/models')),
    balance,
    classify: classifyOpenai,
  })
}

/** Any vendor of which no more is known than that it speaks the same language at its own address. */
export const openaiCompatible = openaiSpeaker({ id: 'openai-compatible', baseUrl: '' })

function bearer({ key }: Target): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}
