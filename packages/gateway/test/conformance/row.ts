import type { DialectId } from '@tidegate/dialects'
import type { OperationId, TaskKind } from '@tidegate/providers'
import type { Failing } from './failures.ts'
import { chatFormat, responsesFormat, type Counting } from './openai-compatible.ts'
import type { ReceivedRequest } from './provider.ts'
import { json, type Body, type Reply, type WireFormat } from './wire-formats.ts'

/** What the suite must know of a provider to check its definition against the provider's documentation. */
export interface ProviderRow {
  /** Its channel types. */
  readonly types: readonly number[]
  /** A key in the provider's format. `url` is that of the fake provider. */
  key(url: string): string
  /** Parts of the key that must not appear anywhere, where the key itself is not sent. */
  secrets?(key: string): readonly string[]
  /** Where the key is not sent: throws unless the request is signed with it. */
  verify?(request: ReceivedRequest, key: string): void
  /** The base URL of a channel at a fake provider; by default one with a path and a trailing slash. */
  address?(url: string): string
  /** The beginning of the path at such a base URL. */
  readonly prefix?: string
  readonly other?: string
  readonly chats: readonly ChatRow[]
  readonly failing: Failing
  readonly operations: Readonly<Partial<Record<OperationId, OperationRow>>>
  readonly modelList?: { readonly path: string; readonly response: Reply; readonly names: readonly string[] }
  readonly balance?: BalanceRow
  readonly tasks?: Readonly<Partial<Record<TaskKind, TaskRow>>>
  /** Responds to token exchanges. */
  exchangeToken?(request: ReceivedRequest): Reply | undefined
}

export interface ChatRow {
  readonly dialect: DialectId
  readonly format: WireFormat
  /** Below the channel's base URL, with the query. */
  readonly path: string
  /** Where it differs. */
  readonly streamPath?: string
  /** The name at the provider; the client's model is mapped to it. */
  readonly model: string
  /** Where the body has the model name; undefined when the path or the key determines it. */
  readonly name: { find(body: Body): unknown; readonly as: string } | undefined
  /** Its whole response is turned into a stream. */
  readonly neverStreams?: boolean
  readonly overSocket?: boolean
  readonly setting?: Readonly<Record<string, unknown>>
  /** Whether the provider reports usage. */
  readonly counts: { readonly whole: boolean; readonly stream: boolean }
  /** Headers that the provider requires. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface OperationRow {
  readonly path: string
  readonly model?: string
  readonly namedInPath?: boolean
  /** In the provider's format; by default in OpenAI's. */
  response?(request: ReceivedRequest): Reply
  /** Fields that the provider does not accept. */
  readonly unsupported?: readonly string[]
  /** Fields of the provider in the body. */
  readonly body?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

/** A task submission and a poll, in the provider's format. */
export interface TaskRow {
  /** The model name of a channel. */
  readonly model: string
  /** The path and body of the client's submission. */
  readonly submission: { readonly path: string; readonly body: Readonly<Record<string, unknown>> }
  /** The number of billed units: the seconds of a video. */
  readonly times: number
  readonly failing: Failing
  readonly path: string
  readonly reply: Record<string, unknown>
  readonly upstreamId: string
  readonly poll: {
    readonly method: 'GET' | 'POST'
    readonly path: string
    readonly body?: Readonly<Record<string, unknown>>
    readonly reply: unknown
    /** The report that is read from it. */
    readonly report: Readonly<Record<string, unknown>>
  }
}

export interface BalanceRow {
  readonly steps: readonly { readonly path: RegExp; readonly reply: unknown }[]
  /** The host, where the provider has a fixed one for balances. */
  readonly host?: string
  /** The header of the key, where it differs from other requests. */
  readonly header?: string
  readonly amount: number
}

export const KEY = 'sk-provider-0123456789'
export const relayUrl = (url: string) => `${url}/relay/`

/** Where nearly all providers expect the model name. */
export const nameOfModel = (as: string): ChatRow['name'] => ({ find: ({ model }) => model, as })

interface CompatibleProvider {
  readonly types: readonly number[]
  readonly model: string
  readonly failing: Failing
  readonly counting: Counting
  /** The prefix of its paths; `/v1` by default. */
  readonly at?: string
  readonly operations?: ProviderRow['operations']
  readonly chat?: string
  readonly more?: Partial<ProviderRow>
}

const PATHS: Readonly<Record<Exclude<OperationId, 'realtime'>, string>> = {
  embeddings: '/embeddings',
  moderations: '/moderations',
  rerank: '/rerank',
  'image-generation': '/images/generations',
  'image-edit': '/images/edits',
  'image-variation': '/images/variations',
  speech: '/audio/speech',
  transcription: '/audio/transcriptions',
  translation: '/audio/translations',
}
type Single = keyof typeof PATHS

/** Operations at OpenAI's paths; all of them by default. */
export function openaiOperations(
  at = '/v1',
  only: readonly Single[] = Object.keys(PATHS) as Single[],
): ProviderRow['operations'] {
  return Object.fromEntries(only.map((id) => [id, { path: at + PATHS[id] }]))
}

export const MODEL_LIST = {
  response: json({
    object: 'list',
    data: [
      { id: 'm-1', object: 'model' },
      { id: 'm-2', object: 'model' },
    ],
  }),
  names: ['m-1', 'm-2'],
}

/** An OpenAI-compatible provider with its own base URL. */
export function compatibleRow({
  types,
  model,
  failing,
  counting,
  at = '/v1',
  operations,
  more,
  ...paths
}: CompatibleProvider): ProviderRow {
  const path = paths.chat ?? `${at}/chat/completions`
  const counts = { whole: true, stream: counting !== 'never' && counting !== 'requested' }
  return {
    types,
    key: () => KEY,
    failing,
    chats: [
      { dialect: 'openai-chat', format: chatFormat(counting), path, model, name: nameOfModel(model), counts },
      {
        dialect: 'openai-responses',
        format: responsesFormat,
        path: `${at}/responses`,
        model,
        name: nameOfModel(model),
        counts: { whole: true, stream: true },
        setting: { openai_api: 'responses' },
      },
    ],
    operations: operations ?? openaiOperations(at),
    modelList: { path: `${at}/models`, ...MODEL_LIST },
    ...more,
  }
}

/** The same with usage in streams on request. */
export function withStreamUsage(row: ProviderRow): ProviderRow {
  const [first, ...rest] = row.chats
  return { ...row, chats: [{ ...first!, counts: { whole: true, stream: true } }, ...rest] }
}
