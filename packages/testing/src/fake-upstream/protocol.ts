import type { IssuedSignatures } from './issued-signatures.ts'
import type { Answer } from './compose-response.ts'
import type { ReceivedRequest } from './record.ts'
import type { UsagePlacement } from './script.ts'

export type WireFormId =
  | 'openai-chat'
  | 'openai-completions'
  | 'openai-responses'
  | 'anthropic-messages'
  | 'gemini-generate'
  | 'baidu'
  | 'dify'
  | 'hunyuan'
  | 'palm'

/** The way one vendor writes requests, answers, streams and errors. One upstream speaks them all, told apart by path. */
export interface WireForm {
  readonly id: WireFormId
  /** Whether this is a conversation in this form. */
  serves(request: ReceivedRequest): boolean
  /** The key, where this form's callers put it. */
  keyOf(request: ReceivedRequest): string | undefined
  read(request: ReceivedRequest): Asked
  /** Throws a ProviderError for what the real vendor would not take. */
  check(request: ReceivedRequest, vendor: Vendor): void
  /** The text of a body in one piece. */
  wholeAnswer(answer: Answer, vendor: Vendor, placement?: UsagePlacement): string
  streamOf(answer: Answer, vendor: Vendor, wishes: StreamWishes): UpstreamStream
  errorBody(failure: Failure): unknown
  errorEvent(failure: Failure): UpstreamEvent
  /** Streams are server-sent events unless the caller asked for another framing. */
  isEventStream?(request: ReceivedRequest): boolean
}

/** What a form needs to know of the upstream it belongs to. */
export interface Vendor {
  /** Refuses members it does not know, as OpenAI does and vendors compatible with it do not. */
  readonly strict: boolean
  readonly signatures: IssuedSignatures
  /** The ids of stored responses, each with the key whose account stores it. */
  readonly responses: Map<string, string | undefined>
}

/** A request as far as its answer depends on it, whatever form it came in. */
export interface Asked {
  readonly model: string
  readonly stream: boolean
  /** The caller wants the counts of a stream; forms that always give them ignore it. */
  readonly includeUsage: boolean
  /** Tokens the answer may have. */
  readonly limit: number
  readonly stop: readonly string[]
  readonly lastUserText: string
  readonly promptTexts: readonly string[]
  /** The thoughts may be shown; forms that ask first leave them out otherwise. */
  readonly showThoughts: boolean
  /** The caller can take the thoughts back sealed. */
  readonly sealThoughts: boolean
  /** Tools whose input is plain text: the `arguments` of a scripted call are written as they are. */
  readonly textTools?: ReadonlySet<string>
}

export interface StreamWishes {
  placement?: UsagePlacement
  deltaLength?: number
}

export interface UpstreamStream {
  events: UpstreamEvent[]
  /** What tells the caller that the stream is whole; missing in forms that simply end. */
  endMark?: UpstreamEvent
}

/** One event of a stream, with what it adds to the count of what was said. */
export interface UpstreamEvent {
  data: string
  name?: string
  /** Content text in this event; blank for roles, counts and the end mark. */
  text: string
  tokens: number
}

export interface Failure {
  readonly status: number
  readonly message: string
  readonly param?: string
  readonly code?: string
}

/** A request the vendor will not take. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly failure: Failure

  constructor(message: string, more: Partial<Failure> = {}) {
    super(message)
    this.failure = { status: 400, message, ...more }
  }
}

/** Throws a ProviderError unless the condition holds. */
export function demand(condition: unknown, message: string, param?: string): asserts condition {
  if (!condition) throw new ProviderError(message, { param })
}
