import type { UsageReport } from '@tidegate/contract'
import type { JsonObject } from '../json/json-object.ts'
import type { WireError } from './errors.ts'
import type { CanonicalEvent } from './events.ts'
import type { CanonicalRequest } from './request.ts'
import type { CanonicalAnswer } from './response.ts'
import type { DialectId } from './dialect-id.ts'

/** A request as far as every call needs it understood, with the text it came in to be passed on. */
export interface RequestHead {
  readonly dialect: DialectId
  readonly text: string
  readonly tree: JsonObject
  readonly model: string
  readonly stream: boolean
  /** The client wants the counts at the end of its stream. */
  readonly includeUsage: boolean
  /** The largest answer the client allows, 0 when it does not say. */
  readonly maxTokens: number
  /** What the turns of one conversation have in common, when the client says so. */
  readonly conversation?: string
  /** Missing in protocols whose providers store nothing. */
  readonly stored?: StoredState
}

/** State that a provider stores for the account that sends the request. No other account knows it. */
export interface StoredState {
  readonly previousResponseId?: string | undefined
  readonly conversationId?: string | undefined
  /** The response to this request is stored too. */
  readonly storesResponse: boolean
}

/** What a dialect has in the address instead of the body. */
export interface RequestPath {
  readonly model?: string
  readonly stream?: boolean
}

/** What we own in a request that is passed on in the dialect it came in. */
export interface OwnedFields {
  readonly model: string
  readonly stream: boolean
  /** `ask` for the counts of a stream, `omit` for vendors that stumble over the question, `keep` what the client sent. */
  readonly usage: 'ask' | 'omit' | 'keep'
  readonly systemPrompt?: string
}

/** Members of the body to write anew; `undefined` removes one. */
export type BodyChanges = Record<string, unknown>

export interface StreamEvent {
  readonly name?: string
  readonly data: string
}

/** Reads a vendor's stream. Keeps what it must remember between events to itself. */
export type EventDecoder = (event: StreamEvent) => readonly CanonicalEvent[]

/** Writes a stream for a client. Every text it returns is whole frames, and blank when there is nothing to send. */
export interface EventEncoder {
  encode(event: CanonicalEvent): string
  /** The frames that tell the client it is over, with the final counts. Closes whatever block is still open. */
  end(usage: UsageReport): string
}

/** What an answer for a client must say of itself. */
export interface AnswerContext {
  /** Stands in for the vendor's id: unique to the call. */
  readonly requestId: string
  /** As the client asked for it. */
  readonly model: string
  /** Unix seconds. */
  readonly createdAt: number
  readonly includeUsage: boolean
  /** What was asked, for clients whose answers repeat parts of it. */
  readonly request: CanonicalRequest
}

export interface DecodeContext {
  /** A new unique text of letters and digits, for vendors that leave out an id clients need. */
  newId(): string
}

/**
 * A wire format: used at our ingress, and towards every vendor that speaks it. Pure functions; a request goes through
 * the canonical form only when client and vendor speak different ones.
 */
export interface Dialect {
  readonly id: DialectId

  /** Reads and checks what a client sent; the tree is given where the text was parsed already. Throws a DialectError. */
  readRequest(text: string, path?: RequestPath, body?: JsonObject): RequestHead
  /** What there is to count of a prompt. */
  promptParts(head: RequestHead): PromptParts
  /** Changes for a body that is passed on; nothing in it when nothing needs to change. */
  ownedChanges(head: Pick<RequestHead, 'tree' | 'stream' | 'includeUsage'>, owned: OwnedFields): BodyChanges

  decodeRequest(head: RequestHead): CanonicalRequest
  /** The body for a vendor. Throws a DialectError `cannot_express` for content this dialect has no words for. */
  encodeRequest(request: CanonicalRequest): JsonObject

  createDecoder(context: DecodeContext): EventDecoder
  createEncoder(context: AnswerContext): EventEncoder
  /** `undefined` when the text is no answer at all. */
  decodeAnswer(text: string, context: DecodeContext): CanonicalAnswer | undefined
  /** `usage` are the final counts: the answer's own, or ours when the vendor gave none. */
  encodeAnswer(answer: CanonicalAnswer, usage: UsageReport, context: AnswerContext): JsonObject

  /**
   * What ends a stream that was passed on as it came. `terminal` is the vendor's end mark, kept back until the call was
   * settled; missing when the vendor closed without one after the model had finished.
   */
  closing(end: PassedOn): Uint8Array | string
  /** Without a request id the body names none. */
  renderError(error: WireError, status: number, requestId?: string): JsonObject
  /** The last event of a stream that broke. */
  errorFrame(error: WireError, status: number, requestId?: string): string
  /** Shows that the connection is alive, and nothing else. */
  readonly pingFrame: string
}

export interface PassedOn {
  readonly terminal: Uint8Array | undefined
  readonly wantsUsage: boolean
  readonly sentUsage: boolean
  readonly usage: UsageReport
  /** What a frame of our own must repeat to belong to this stream. */
  readonly start: Extract<CanonicalEvent, { type: 'response-start' }> | undefined
}

/** What to count of a prompt: texts for a tokenizer, and the tokens everything else is known or taken to cost. */
export interface PromptParts {
  readonly texts: readonly string[]
  readonly otherTokens: number
}
