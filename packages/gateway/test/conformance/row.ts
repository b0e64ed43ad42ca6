import type { DialectId } from '@tidegate/dialects'
import type { OperationId, TaskKind } from '@tidegate/providers'
import type { Failing } from './failures.ts'
import { chatWords, responsesWords, type Counting } from './openai-compatible.ts'
import type { Received } from './provider.ts'
import { json, type Body, type Reply, type Words } from './wire-formats.ts'

/** All that the suite must know of a provider to hold its record against what the provider documents. */
export interface ProviderRow {
  /** Channel types that lead to it. */
  readonly types: readonly number[]
  /** A key of the shape the provider gives out. `url` is where the fake provider is. */
  key(url: string): string
  /** Parts of the key that must not be seen anywhere, where the key itself is not sent. */
  secrets?(key: string): readonly string[]
  /** Where the key is not sent: throws unless the request proves that its sender has it. */
  proves?(request: Received, key: string): void
  /** The address of a channel at a fake provider; one with a path and a slash too many when left out. */
  address?(url: string): string
  /** What the path begins with at such an address. */
  readonly prefix?: string
  readonly other?: string
  readonly chats: readonly ChatRow[]
  readonly failing: Failing
  readonly operations: Readonly<Partial<Record<OperationId, OperationRow>>>
  readonly modelList?: { readonly path: string; readonly response: Reply; readonly names: readonly string[] }
  readonly balance?: BalanceRow
  readonly tasks?: Readonly<Partial<Record<TaskKind, TaskRow>>>
  /** Answers the calls by which a key is traded. */
  aside?(request: Received): Reply | undefined
}

export interface ChatRow {
  readonly dialect: DialectId
  readonly words: Words
  /** Under the channel's address, with the query. */
  readonly path: string
  /** Where it differs. */
  readonly streamPath?: string
  /** As the provider knows it; what clients ask for is mapped to it. */
  readonly model: string
  /** Where the provider looks for the name in the body; undefined when it is in the path, or behind the key. */
  readonly name: { find(body: Body): unknown; readonly as: string } | undefined
  /** Its whole answer is made into a stream. */
  readonly neverStreams?: boolean
  readonly overSocket?: boolean
  readonly setting?: Readonly<Record<string, unknown>>
  /** Whether the provider counts. */
  readonly counts: { readonly whole: boolean; readonly stream: boolean }
  /** Headers the provider insists on. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface OperationRow {
  readonly path: string
  readonly model?: string
  readonly namedInPath?: boolean
  /** In the provider's own words; as OpenAI answers when left out. */
  response?(request: Received): Reply
  /** Members that the provider does not take. */
  readonly refuses?: readonly string[]
  /** Members of the provider's own in the body. */
  readonly body?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

/** An order and a look at it, as the provider has them. */
export interface TaskRow {
  /** What a channel calls it. */
  readonly model: string
  /** Where clients order it, and what they send. */
  readonly call: { readonly path: string; readonly body: Readonly<Record<string, unknown>> }
  /** How often the price is paid: for every second of a video. */
  readonly times: number
  readonly failing: Failing
  readonly path: string
  readonly reply: Record<string, unknown>
  readonly vendorId: string
  readonly look: {
    readonly method: 'GET' | 'POST'
    readonly path: string
    readonly body?: Readonly<Record<string, unknown>>
    readonly reply: unknown
    /** What is read in it. */
    readonly report: Readonly<Record<string, unknown>>
  }
}

export interface BalanceRow {
  readonly steps: readonly { readonly path: RegExp; readonly reply: unknown }[]
  /** Where the provider tells it at an address of its own, whatever a channel says. */
  readonly host?: string
  /** Where the key is, when elsewhere than in other calls. */
  readonly header?: string
  readonly amount: number
}

export const KEY = 'sk-provider-0123456789'
export const relayed = (url: string) => `${url}/relay/`

/** Where nearly all look for the name. */
export const named = (as: string): ChatRow['name'] => ({ find: ({ model }) => model, as })

interface Speaking {
  readonly types: readonly number[]
  readonly model: string
  readonly failing: Failing
  readonly counting: Counting
  /** Where its calls begin; `/v1` when left out. */
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

/** Operations at the paths OpenAI has them at; all of them when none is named. */
export function usual(at = '/v1', only: readonly Single[] = Object.keys(PATHS) as Single[]): ProviderRow['operations'] {
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

/** A provider that took over OpenAI's calls at an address of its own. */
export function speaking({
  types,
  model,
  failing,
  counting,
  at = '/v1',
  operations,
  more,
  ...paths
}: Speaking): ProviderRow {
  const path = paths.chat ?? `${at}/chat/completions`
  const counts = { whole: true, stream: counting !== 'never' && counting !== 'asked' }
  return {
    types,
    key: () => KEY,
    failing,
    chats: [
      { dialect: 'openai-chat', words: chatWords(counting), path, model, name: named(model), counts },
      {
        dialect: 'openai-responses',
        words: responsesWords,
        path: `${at}/responses`,
        model,
        name: named(model),
        counts: { whole: true, stream: true },
        setting: { openai_api: 'responses' },
      },
    ],
    operations: operations ?? usual(at),
    modelList: { path: `${at}/models`, ...MODEL_LIST },
    ...more,
  }
}

/** The same where it is asked to count in streams. */
export function asking(row: ProviderRow): ProviderRow {
  const [first, ...rest] = row.chats
  return { ...row, chats: [{ ...first!, counts: { whole: true, stream: true } }, ...rest] }
}
