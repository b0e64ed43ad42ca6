import { asJsonObject, asList, asText, type BodyChanges, type JsonObject } from '@tidegate/dialects'
import { endpoint, type Target } from '../target.ts'
import type { Operation, OperationId, Operations } from '../operation.ts'
import { type AdaptContext, type BalanceQuery, type ChatApi, defineProvider, type ModelList } from '../provider.ts'
import { adaptChat, adaptResponses, keepsPlainChat } from './adapt.ts'
import { classifyOpenai, classifyWithCreditCodes } from './classify.ts'

interface OpenaiCompatibleOptions {
  readonly id: string
  readonly baseUrl: string
  readonly models?: readonly string[]
  /** Path of the chat endpoint. Other endpoints are siblings of it. */
  readonly path?: string | ((target: Target) => string)
  /** Path prefix of the other endpoints, if it differs from that of the chat endpoint. */
  readonly version?: string
  readonly streamUsage?: ChatApi['streamUsage']
  readonly inlinesMedia?: boolean
  readonly authorize?: (target: Target) => Record<string, string>
  /** Changes to chat bodies, in addition to those for every provider. */
  readonly adapt?: (body: JsonObject, context: AdaptContext) => BodyChanges
  /** Supported operations; all of OpenAI's by default. */
  readonly operations?: readonly OperationId[]
  readonly modelList?: ModelList
  readonly balance?: BalanceQuery
  /** Error codes or types for an account without credit, in addition to OpenAI's. */
  readonly insufficientCreditCodes?: readonly unknown[]
}

/** Creates a provider with an OpenAI-compatible chat endpoint. */
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
    chatApis: [
      {
        dialect: 'openai-chat',
        url: (target) => endpoint(target.baseUrl || home, pathFor(target)),
        streamUsage: streamUsage ?? 'omit',
        inlinesMedia,
        ...(adapt
          ? { adapt: (body, context) => adaptWith(adapt, body, context) }
          : { adapt: adaptChat, keepsPlain: keepsPlainChat }),
      },
      {
        dialect: 'openai-responses',
        url: (target) => endpoint(target.baseUrl || home, siblingPath(target, '/responses')),
        adapt: adaptResponses,
      },
    ],
    // Few providers have the Responses API, so it is used only if the operator enables it.
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

/** Few providers have the realtime API. */
const DEFAULT_OPERATIONS = (Object.keys(PATHS) as OperationId[]).filter((id) => id !== 'realtime')

/** OpenAI's endpoints next to the chat endpoint. */
export function openaiOperations(
  home: string,
  { version = '/v1', only = DEFAULT_OPERATIONS }: { version?: string; only?: readonly OperationId[] } = {},
): Operations {
  const operation = (id: OperationId): Operation => ({
    url: ({ baseUrl }) => endpoint(baseUrl || home, version + PATHS[id]),
  })
  return Object.fromEntries(only.map((id) => [id, operation(id)]))
}

/** OpenAI's model list. If the operator entered the full chat URL, the list is a sibling of it. */
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

/** Any provider that is only known to be OpenAI-compatible. */
export const openaiCompatible = openaiCompatibleProvider({ id: 'openai-compatible', baseUrl: '' })
