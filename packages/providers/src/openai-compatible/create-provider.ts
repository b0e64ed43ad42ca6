import { asJsonObject, asList, asText, type BodyChanges, type JsonObject } from '@tidegate/dialects'
import { endpoint, type Target } from '../target.ts'
import type { Operation, OperationId, Operations } from '../operation.ts'
import { type AdaptContext, type BalanceCheck, type Conversation, defineProvider, type ModelList } from '../provider.ts'
import { adaptChat, adaptResponses } from './adapt.ts'
import { classifyOpenai, classifyWithCreditCodes } from './classify.ts'

interface OpenaiCompatibleOptions {
  readonly id: string
  readonly baseUrl: string
  readonly models?: readonly string[]
  /** Where the vendor keeps its chat call. Others are beside it. */
  readonly path?: string | ((target: Target) => string)
  /** Where its other calls begin, when the path of the chat call does not tell. */
  readonly version?: string
  readonly streamUsage?: Conversation['streamUsage']
  readonly inlinesMedia?: boolean
  readonly authorize?: (target: Target) => Record<string, string>
  /** What the vendor wants said differently in a chat, on top of what everybody wants. */
  readonly adapt?: (body: JsonObject, context: AdaptContext) => BodyChanges
  /** What it does beside chats; all that OpenAI does when left out. */
  readonly operations?: readonly OperationId[]
  readonly modelList?: ModelList
  readonly balance?: BalanceCheck
  /** Codes or types of errors by which the vendor says that an account is empty, beside OpenAI's own. */
  readonly insufficientCreditCodes?: readonly unknown[]
}

/** A vendor that took over OpenAI's chat call, at an address of its own. */
export function openaiCompatibleProvider({
  id,
  baseUrl: home,
  path = '/v1/chat/completions',
  ...options
}: OpenaiCompatibleOptions) {
  const { models, streamUsage, inlinesMedia, balance, adapt, operations } = options
  const pathFor = typeof path === 'string' ? () => path : path
  const siblingPath = (target: Target, call: string) => pathFor(target).replace(/\/chat\/completions$/, call)
  const version = options.version ?? (typeof path === 'string' ? path.replace(/\/chat\/completions$/, '') : '/v1')
  return defineProvider({
    id,
    baseUrl: home,
    models,
    authorize: options.authorize ?? bearer,
    conversations: [
      {
        dialect: 'openai-chat',
        url: (target) => endpoint(target.baseUrl || home, pathFor(target)),
        streamUsage: streamUsage ?? 'omit',
        inlinesMedia,
        adapt: adapt ? (body, context) => adaptWith(adapt, body, context) : adaptChat,
      },
      {
        dialect: 'openai-responses',
        url: (target) => endpoint(target.baseUrl || home, siblingPath(target, '/responses')),
        adapt: adaptResponses,
      },
    ],
    // Few of them have the newer call, so it is used only where the operator says so.
    prefers: ({ setting }) => (setting?.openai_api === 'responses' ? 'openai-responses' : 'openai-chat'),
    operations: openaiOperations(home, { version, ...(operations && { only: operations }) }),
    modelList: options.modelList ?? openaiModelList(home, `${version}/models`),
    balance,
    classify: options.insufficientCreditCodes
      ? classifyWithCreditCodes(options.insufficientCreditCodes)
      : classifyOpenai,
  })
}

export function bearer({ key }: Target): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}

function adaptWith(adapt: NonNullable<OpenaiCompatibleOptions['adapt']>, body: JsonObject, context: AdaptContext) {
  const adapted = adaptChat(body, context)
  return { ...adapted, changes: { ...adapted.changes, ...adapt({ ...body, ...adapted.changes }, context) } }
}

const PATHS: Readonly<Record<OperationId, string>> = {
  embeddings: '/embeddings',
  moderations: '/moderations',
  rerank: '/rerank',
  'image-generation': '/images/generations',
  'image-edit': '/images/edits',
  'image-variation': '/images/variations',
  speech: '/audio/speech',
  transcription: '/audio/transcriptions',
  translation: '/audio/translations',
  realtime: '/realtime',
}

/** Few vendors took over the spoken call. */
const DEFAULT_OPERATIONS = (Object.keys(PATHS) as OperationId[]).filter((id) => id !== 'realtime')

/** Where vendors that took over OpenAI's calls keep them, beside their chat call. */
export function openaiOperations(
  home: string,
  { version = '/v1', only = DEFAULT_OPERATIONS }: { version?: string; only?: readonly OperationId[] } = {},
): Operations {
  const operation = (id: OperationId): Operation => ({
    url: ({ baseUrl }) => endpoint(baseUrl || home, version + PATHS[id]),
  })
  return Object.fromEntries(only.map((id) => [id, operation(id)]))
}

/** The list of models as OpenAI gives it: beside the chat call, where an operator entered that one in full. */
export function openaiModelList(home: string, path = '/v1/models'): ModelList {
  return {
    url({ baseUrl }) {
      const base = (baseUrl || home).replace(/\/+$/, '')
      return base.endsWith('/chat/completions') ? base.replace(/\/chat\/completions$/, '/models') : endpoint(base, path)
    },
    read: (body) =>
      asList(asJsonObject(body)?.data ?? body)
        .map((model) => asText(asJsonObject(model)?.id))
        .filter(Boolean),
  }
}

/** Any vendor of which no more is known than that it speaks the same language at its own address. */
export const openaiCompatible = openaiCompatibleProvider({ id: 'openai-compatible', baseUrl: '' })
