import { parameterRules } from '@tidegate/contract'
import { asJsonObject, asList, asText, type DialectId, type JsonObject } from '@tidegate/dialects'
import { openaiBatches } from '../../batch.ts'
import { endpoint } from '../../target.ts'
import { defineProvider, type Provider } from '../../provider.ts'
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
      takesCacheBreakpoints,
    },
    {
      dialect: 'openai-responses',
      url: ({ baseUrl }) => endpoint(baseUrl || HOME, '/v1/responses'),
      takesCacheBreakpoints,
      passesHeaders: ['openai-beta'],
      storesResponses: true,
      compactionUrl: ({ baseUrl }) => endpoint(baseUrl || HOME, '/v1/responses/compact'),
      adapt: adaptResponses,
      counting: {
        url: ({ baseUrl }) => endpoint(baseUrl || HOME, '/v1/responses/input_tokens'),
        encode: encodeCounted,
        result: 'input_tokens',
      },
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
  batches: openaiBatches(HOME),
  modelList: openaiModelList(HOME),
  balance: openaiBalance(HOME),
  classify: classifyOpenai,
})

/** The members that OpenAI counts. It rejects others, such as `stream`. */
const COUNTED: ReadonlySet<string> = new Set(
  `model input instructions tools tool_choice parallel_tool_calls reasoning text truncation conversation
  previous_response_id`.split(/\s+/),
)

function encodeCounted(prompt: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(prompt).filter(([name]) => COUNTED.has(name)))
}

function takesCacheBreakpoints(model: string): boolean {
  return parameterRules(model).cacheBreakpoints === true
}

type Choice = Parameters<NonNullable<Provider['prefers']>>

function preferredDialect({ model, setting }: Choice[0], { dialect, body = {} }: Choice[1]): DialectId | undefined {
  switch (setting?.openai_api) {
    case 'responses':
      return 'openai-responses'
    case 'chat':
      return 'openai-chat'
    default: {
      const { chatApi } = parameterRules(model)
      return chatApi === 'responses' || needsResponses(model, dialect, body) ? 'openai-responses' : undefined
    }
  }
}

/** Whether Chat Completions rejects the tools of a request, or cannot express them. */
function needsResponses(model: string, dialect: DialectId, body: JsonObject): boolean {
  if (dialect === 'openai-completions' || asList(body.tools ?? body.functions).length === 0) return false
  if (dialect !== 'openai-chat' && asList(body.tools).some(isHosted)) return true
  const { tools } = parameterRules(model)
  return tools === 'responses' || (tools !== undefined && body.reasoning_effort !== 'none')
}

/** A search of Anthropic or Google. Chat Completions has no such tool. */
function isHosted(value: unknown): boolean {
  const tool = asJsonObject(value) ?? {}
  const type = asText(tool.type)
  return (
    (type !== '' && type !== 'custom' && type !== 'function') ||
    tool.googleSearch !== undefined ||
    tool.google_search !== undefined
  )
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
