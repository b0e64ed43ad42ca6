import type { BodyChanges, JsonObject } from '@tidegate/dialects'
import { endpoint } from '../endpoint.ts'
import type { OperationId } from '../operation.ts'
import {
  defineProvider,
  type AdaptContext,
  type BalanceCheck,
  type Conversation,
  type ModelList,
  type Target,
} from '../provider.ts'
import { adaptChat, adaptResponses } from './adapt.ts'
import { classifyOpenai, classifyWith } from './classify.ts'
import { openaiModelList } from './model-list.ts'
import { openaiOperations } from './operations.ts'

export interface Speaker {
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
  readonly emptyAccount?: readonly unknown[]
}

/** A vendor that took over OpenAI's chat call, at an address of its own. */
export function openaiSpeaker({ id, baseUrl: home, path = '/v1/chat/completions', ...speaker }: Speaker) {
  const { models, streamUsage, inlinesMedia, balance, adapt, operations } = speaker
  const pathFor = typeof path === 'string' ? () => path : path
  const beside = (target: Target, call: string) => pathFor(target).replace(/\/chat\/completions$/, call)
  const version = speaker.version ?? (typeof path === 'string' ? path.replace(/\/chat\/completions$/, '') : '/v1')
  return defineProvider({
    id,
    baseUrl: home,
    models,
    authorize: speaker.authorize ?? bearer,
    conversations: [
      {
        dialect: 'openai-chat',
        url: (target) => endpoint(target.baseUrl || home, pathFor(target)),
        streamUsage: streamUsage ?? 'omit',
        inlinesMedia,
        adapt: adapt ? (body, context) => adaptAlso(adapt, body, context) : adaptChat,
      },
      {
        dialect: 'openai-responses',
        url: (target) => endpoint(target.baseUrl || home, beside(target, '/responses')),
        adapt: adaptResponses,
      },
    ],
    // Few of them have the newer call, so it is used only where the operator says so.
    prefers: ({ setting }) => (setting?.openai_api === 'responses' ? 'openai-responses' : 'openai-chat'),
    operations: openaiOperations(home, { version, ...(operations && { only: operations }) }),
    modelList: speaker.modelList ?? openaiModelList(home, `${version}/models`),
    balance,
    classify: speaker.emptyAccount ? classifyWith(speaker.emptyAccount) : classifyOpenai,
  })
}

/** Any vendor of which no more is known than that it speaks the same language at its own address. */
export const openaiCompatible = openaiSpeaker({ id: 'openai-compatible', baseUrl: '' })

export function bearer({ key }: Target): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}

function adaptAlso(adapt: NonNullable<Speaker['adapt']>, body: JsonObject, context: AdaptContext) {
  const adapted = adaptChat(body, context)
  return { ...adapted, changes: { ...adapted.changes, ...adapt({ ...body, ...adapted.changes }, context) } }
}
