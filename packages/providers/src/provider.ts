import type { Target } from './target.ts'
import type { Settings } from '@tidegate/contract'
import type { BodyChanges, DialectId, JsonObject } from '@tidegate/dialects'
import type { BatchApi } from './batch.ts'
import type { Operations } from './operation.ts'
import type { SignRequest, SignUrl } from './upstream/request-signer.ts'
import type { TaskApis } from './task.ts'
import type { UpstreamClient, UpstreamRequest, UpstreamResponse } from './upstream/types.ts'
import type { FailureClass, UpstreamFailure } from './upstream/failure.ts'

/** One chat API of a provider: its protocol and its URL. */
export interface ChatApi {
  readonly dialect: DialectId
  url(target: Target, call: { stream: boolean; settings: Settings }): string
  /**
   * Whether to request usage in streams (`ask`), or to remove the option because the provider does not know it
   * (`omit`).
   */
  readonly streamUsage?: 'ask' | 'omit'
  /** Whether a model accepts explicit cache breakpoints in an OpenAI protocol. */
  takesCacheBreakpoints?(model: string): boolean
  /** The provider does not fetch media by URL: URLs are replaced by the content. */
  readonly inlinesMedia?: boolean
  /** False if the provider cannot stream: the whole response is sent as a stream of one chunk. */
  readonly streams?: false
  /** The provider stores responses, and continues them by their id. */
  readonly storesResponses?: boolean
  /** The URL of the endpoint that compacts conversations. Requests may end with a compaction trigger, too. */
  compactionUrl?(target: Target): string
  /** Used only if a channel prefers it, not merely because the client uses this protocol. */
  readonly onlyPreferred?: boolean
  /**
   * For providers with a custom protocol: converts a request of the dialect. Throws a DialectError `cannot_express` if
   * the provider does not support something in it.
   */
  encode?(body: JsonObject, context: EncodeContext): JsonObject
  /** Sends the request, for providers that need more than one HTTP request, or a websocket. */
  readonly send?: SendRequest
  /** Converts a response in the provider's own framing or format to the dialect, including usage. */
  unpack?(response: UpstreamResponse, context: ResponseContext): UpstreamResponse
  /** Headers for every request, in addition to the key. */
  headers?(settings: Settings): Record<string, string>
  /** Client headers that are forwarded to this provider, in lower case. */
  readonly passesHeaders?: readonly string[]
  /** Changes that this provider needs: model name suffixes, required limits, settings of the operator. */
  adapt?(body: JsonObject, context: AdaptContext): RequestAdaptation
  /**
   * Whether `adapt` changes nothing in plain requests to a model: text messages, and only the options that
   * `scanRequest` accepts. Then they are forwarded without being parsed. By default only without `adapt`.
   */
  keepsPlain?(model: string, request: { readonly hasMaxTokens: boolean }): boolean
  /** How to count the tokens of a prompt, if the provider does that for free. */
  readonly counting?: TokenCounting
}

export interface TokenCounting {
  url(target: Target): string
  /** The body for the provider; the prompt alone by default. */
  encode?(prompt: JsonObject, target: Pick<Target, 'model'>): JsonObject
  /** Member of the response with the number of tokens. */
  readonly result: string
}

export type SendRequest = (
  upstream: Pick<UpstreamClient, 'open' | 'openSocket'>,
  request: UpstreamRequest,
) => Promise<UpstreamResponse>

export interface EncodeContext {
  readonly target: Target
  readonly stream: boolean
  /** A stable pseudonym of the caller. */
  caller(): string
}

export interface ResponseContext {
  /** The model name that was sent to the provider. */
  readonly model: string
  /** Whether a stream was requested from the provider. */
  readonly stream: boolean
}

export interface AdaptContext {
  readonly model: string
  /** As the client requested it. */
  readonly requestedModel: string
  readonly settings: Settings
  /** The body is passed through as the client wrote it, so change only what is required. */
  readonly isPassThrough: boolean
  /** Beta features of Anthropic that the client requests by header. */
  readonly betas?: readonly string[]
}

export interface RequestAdaptation {
  /** The model name without suffixes that only the gateway understands. */
  readonly model?: string
  readonly changes?: BodyChanges
  readonly headers?: Readonly<Record<string, string>>
  /** For the log. */
  readonly reasoningEffort?: string
}

/** A provider: its address, authentication, protocols and errors. */
export interface Provider {
  readonly id: string
  /** Empty if every channel must set it. */
  readonly baseUrl: string
  /** Model names to suggest for a new channel. */
  readonly models?: readonly string[]
  authorize(target: Target): Record<string, string>
  /** For keys that sign the request or are exchanged for a token. */
  readonly sign?: SignRequest
  /** For signatures or tokens in the URL. */
  readonly signUrl?: SignUrl
  /** In order of preference; none for providers without chat. */
  readonly chatApis?: readonly ChatApi[]
  /** The dialect to use regardless of the client's, if the channel, the model or the request requires one. */
  prefers?(
    target: Pick<Target, 'model' | 'setting'>,
    request: Pick<ChatChoice, 'dialect' | 'body'>,
  ): DialectId | undefined
  /** Endpoints other than chat. */
  readonly operations?: Operations
  /** Long-running tasks. */
  readonly tasks?: TaskApis
  /** Batches of requests. */
  readonly batches?: BatchApi
  /** How to list the models of an account. */
  readonly modelList?: ModelList
  /** How to query the remaining credit of an account. */
  readonly balance?: BalanceQuery
  classify(failure: UpstreamFailure): FailureClass
}

export interface ModelList {
  url(target: Pick<Target, 'baseUrl'>): string
  /** Returns the model names. */
  read(body: unknown): string[]
}

/** Requests one URL after the other; each response helps to build the next URL. */
export interface BalanceQuery {
  readonly steps: readonly ((target: Pick<Target, 'baseUrl'>, responses: readonly unknown[], now: Date) => string)[]
  /** In US dollars, or in the provider's own currency. */
  read(responses: readonly unknown[]): number
  /** If balance requests carry the key in another place. */
  authorize?(key: string): Record<string, string>
}

export function defineProvider(provider: Provider): Provider {
  return provider
}

interface ChatChoice {
  readonly dialect: DialectId
  /** The client's request. Missing if the choice is made for plain requests. */
  readonly body?: JsonObject
  readonly target: Pick<Target, 'model' | 'setting'>
}

/** Chooses the API that the channel prefers, else the one of the client's dialect, else the first. */
export function chooseChatApi({ chatApis = [], prefers }: Provider, request: ChatChoice): ChatApi | undefined {
  const preferred = prefers?.(request.target, request)
  return (
    chatApis.find(({ dialect }) => dialect === preferred) ??
    chatApis.find(({ dialect, onlyPreferred }) => dialect === request.dialect && !onlyPreferred) ??
    chatApis[0]
  )
}
