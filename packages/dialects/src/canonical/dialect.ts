import type { UsageReport } from '@tidegate/contract'
import type { JsonObject } from '../json/json-object.ts'
import type { WireError } from './errors.ts'
import type { CanonicalEvent } from './events.ts'
import type { CanonicalRequest } from './request.ts'
import type { CanonicalResponse } from './response.ts'
import type { DialectId } from './dialect-id.ts'

/** Fields of a request that every request needs, and the original text for pass-through. */
export interface RequestHead {
  readonly dialect: DialectId
  readonly text: string
  readonly body: JsonObject
  readonly model: string
  readonly stream: boolean
  /** The client requested usage at the end of its stream. */
  readonly includeUsage: boolean
  /** Output limit of the client. 0 if it set none. */
  readonly maxTokens: number
  /** Key that the requests of one conversation share, if the client sends one. */
  readonly conversation?: string
  /** The text that a conversation begins with, in protocols whose clients may not identify it. */
  opening?(): string
  /** The response is generated without the client, which polls it. */
  readonly isBackground?: true
  /**
   * The response is a compaction of the conversation: of its own endpoint, or because the last item requests it.
   */
  readonly compaction?: 'endpoint' | 'item'
  /** Missing in protocols whose providers store nothing. */
  readonly stored?: StoredState
}

/** State that a provider stores for the account that sends the request. No other account knows it. */
export interface StoredState {
  readonly previousResponseId?: string | undefined
  /** A response whose items the request references. */
  readonly holdingResponseId?: string | undefined
  readonly conversationId?: string | undefined
  /** The response to this request is stored too. */
  readonly storesResponse: boolean
}

/** Fields that a protocol carries in the URL instead of the body. */
export interface RequestPath {
  readonly model?: string
  readonly stream?: boolean
  /** The path of the compaction endpoint. */
  readonly compacts?: boolean
}

/** Fields that the gateway sets in a pass-through request. */
export interface RequestOverrides {
  readonly model: string
  readonly stream: boolean
  /**
   * `ask` requests usage at the end of a stream. `omit` removes that option, because some providers reject it. `keep`
   * forwards what the client sent.
   */
  readonly usage: 'ask' | 'omit' | 'keep'
  readonly systemPrompt?: string
  /** The account that receives the request. It gets back only what it encrypted itself. */
  readonly account?: string | undefined
  /** Removes signed thinking: the provider rejected a signature. */
  readonly withoutThinking?: boolean | undefined
}

/** Members of the body to replace. `undefined` removes a member. */
export type BodyChanges = Record<string, unknown>

export interface StreamEvent {
  readonly name?: string
  readonly data: string
}

/** Decodes the events of a provider's stream. The decoder keeps state between events. */
export interface EventDecoder {
  (event: StreamEvent): readonly CanonicalEvent[]
  /**
   * The JSON member with the text of the last event. Undefined unless its events are one text delta, and an event that
   * differs only in this text decodes to the same delta with the other text.
   */
  textMember?(): string | undefined
}

/** Encodes a stream for a client. It returns whole frames, or an empty string if there is nothing to send. */
export interface EventEncoder {
  encode(event: CanonicalEvent): string
  /** Ends the stream with the final usage. Closes blocks that are still open. */
  end(usage: UsageReport): string
}

export interface EncodeOptions {
  /** Receives the names of tools and tool options that the provider's protocol lacks. See `findDropped`. */
  readonly dropped?: string[]
  /** The provider of this OpenAI protocol accepts explicit cache breakpoints. */
  readonly cacheBreakpoints?: boolean
}

/** Metadata of a response that is encoded for a client. */
export interface ResponseContext {
  /** Replaces the provider's response id. Unique per request. */
  readonly requestId: string
  /** Model name as the client sent it. */
  readonly model: string
  /** Unix seconds. */
  readonly createdAt: number
  readonly includeUsage: boolean
  /** The client's request. Some protocols repeat parts of it in the response. */
  readonly request: CanonicalRequest
  /** Further members of the response object. */
  readonly echo?: JsonObject | undefined
}

export interface DecodeContext {
  /** Returns a new unique alphanumeric id, for providers that omit an id that clients need. */
  newId(): string
}

/**
 * Wire protocol of clients and providers. All functions are pure. A request goes through the canonical form only if
 * client and provider use different protocols.
 */
export interface Dialect {
  readonly id: DialectId

  /**
   * Reads and validates a client's request. `body` is the parsed text, if the caller parsed it already. Throws a
   * DialectError.
   */
  readRequest(text: string, path?: RequestPath, body?: JsonObject): RequestHead
  /** Returns what to count in the prompt. */
  promptParts(head: RequestHead): PromptParts
  /** Changes to a pass-through body. Empty if nothing has to change. */
  passThroughChanges(
    head: Pick<RequestHead, 'body' | 'stream' | 'includeUsage'>,
    overrides: RequestOverrides,
  ): BodyChanges

  decodeRequest(head: RequestHead): CanonicalRequest
  /** Body for a provider. Throws a DialectError `cannot_express` for content that this protocol cannot express. */
  encodeRequest(request: CanonicalRequest, options?: EncodeOptions): JsonObject

  createDecoder(context: DecodeContext): EventDecoder
  createEncoder(context: ResponseContext): EventEncoder
  /** `undefined` if the text is not a response of this protocol. */
  decodeResponse(text: string, context: DecodeContext): CanonicalResponse | undefined
  /** `usage` is the final usage: the provider's, or our own count if the provider sent none. */
  encodeResponse(response: CanonicalResponse, usage: UsageReport, context: ResponseContext): JsonObject

  /**
   * Ends a stream that was forwarded unchanged. `terminal` is the provider's end marker, held back until the request is
   * settled. It is missing if the provider closed the stream without one after the model finished.
   */
  closeStream(end: StreamEnd): Uint8Array | string
  /** The body has no request id if `requestId` is missing. */
  renderError(error: WireError, status: number, requestId?: string): JsonObject
  /** Last event of a stream that failed. */
  errorFrame(error: WireError, status: number, requestId?: string): string
  /** Keep-alive frame that clients ignore. */
  readonly pingFrame: string
}

export interface StreamEnd {
  readonly terminal: Uint8Array | undefined
  readonly wantsUsage: boolean
  readonly sentUsage: boolean
  readonly usage: UsageReport
  /** Values that our own frames must repeat to belong to this stream. */
  readonly start: Extract<CanonicalEvent, { type: 'response-start' }> | undefined
}

/** What to count in a prompt: texts for a tokenizer, and the estimated tokens of everything else. */
export interface PromptParts {
  readonly texts: readonly string[]
  readonly otherTokens: number
}
