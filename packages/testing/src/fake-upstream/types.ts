import type { IncomingHttpHeaders } from 'node:http'
import type { IssuedSignatures } from './issued-signatures.ts'

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
export interface Protocol {
  readonly id: WireFormId
  /** Whether this is a conversation in this form. */
  matches(request: ReceivedRequest): boolean
  /** The key, where this form's callers put it. */
  keyOf(request: ReceivedRequest): string | undefined
  read(request: ReceivedRequest): ChatRequest
  /** Throws a ProviderError for what the real vendor would not take. */
  check(request: ReceivedRequest, vendor: UpstreamState): void
  /** The text of a body in one piece. */
  responseBody(answer: ChatResponse, vendor: UpstreamState, placement?: UsagePlacement): string
  responseStream(answer: ChatResponse, vendor: UpstreamState, wishes: StreamOptions): UpstreamStream
  errorBody(failure: Failure): unknown
  errorEvent(failure: Failure): UpstreamEvent
  /** Streams are server-sent events unless the caller asked for another framing. */
  isEventStream?(request: ReceivedRequest): boolean
}

/** What a form needs to know of the upstream it belongs to. */
export interface UpstreamState {
  /** Refuses members it does not know, as OpenAI does and vendors compatible with it do not. */
  readonly strict: boolean
  readonly signatures: IssuedSignatures
  /** The ids of stored responses, each with the key whose account stores it. */
  readonly responses: Map<string, string | undefined>
}

/** A request as far as its answer depends on it, whatever form it came in. */
export interface ChatRequest {
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
  readonly showReasoning: boolean
  /** The caller can take the thoughts back sealed. */
  readonly signReasoning: boolean
  /** Tools whose input is plain text: the `arguments` of a scripted call are written as they are. */
  readonly textTools?: ReadonlySet<string>
}

export interface StreamOptions {
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

/** One request as it came in, and what became of it. Fields under `sent` grow while the answer is written. */
export interface ReceivedRequest {
  readonly sequence: number
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** The form of the conversation, or undefined when the request is not part of one. */
  form: WireFormId | undefined
  readonly headers: IncomingHttpHeaders
  readonly rawBody: Buffer
  /** The body as JSON, or undefined when it is not JSON. */
  readonly body: unknown
  readonly receivedAt: number
  /** When the caller hung up before the answer was complete. */
  abortedAt: number | undefined
  readonly sent: SentAnswer
}

export interface SentAnswer {
  status: number | undefined
  events: number
  /** Model tokens in the events sent so far. */
  tokens: number
  text: string
  /** What the answer counted, once one was made. */
  counts: TokenCounts | undefined
  /** Why the request was refused as malformed. */
  refused: string | undefined
  bytes: number
  /** `cut` is the upstream's own doing, `aborted` the caller's. */
  outcome: 'open' | 'finished' | 'cut' | 'aborted'
}

/** What will be said, before it is put into any wire form. */
export interface ChatResponse {
  /** Unique to the request; forms make their ids of it. */
  readonly sequence: number
  readonly created: number
  readonly request: ChatRequest
  readonly text: string
  readonly reasoning: string
  /** What seals the reasoning, when the script says it; forms with seals issue their own otherwise. */
  readonly signature: string | undefined
  readonly redacted: boolean
  readonly toolCalls: readonly ScriptedToolCall[]
  readonly refusal: string
  readonly images: readonly ScriptedImage[]
  readonly finish: FinishWord | 'stop-sequence'
  readonly stopSequence: string | undefined
  /** The vendor's own word, when the script gives it. */
  readonly finishReason: string | undefined
  readonly counts: TokenCounts
  /** Counts in OpenAI's words, when the script gives them: its form repeats every detail. */
  readonly scriptedUsage: Record<string, unknown> | undefined
}

/** What a call consumed. `input` and `output` are the wholes of which the others are parts. */
export interface TokenCounts {
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
  readonly reasoning: number
}

/** How one request is answered. Everything left out is what a healthy vendor would do. */
export interface Script {
  /** Answers with this status instead of 200. */
  status?: number
  headers?: Record<string, string>
  /** Replaces the whole body, also of a streamed call: an HTTP error, or an error inside a 200. */
  body?: unknown
  /** Answers with the vendor's own error object for this status, and says 200 all the same. */
  errorInside?: { status: number; message?: string }

  /** Words of the answer. Left out, they follow from the request. */
  text?: string
  /** Makes an answer of at least this many characters. */
  textLength?: number
  reasoning?: string
  /** Reasoning tokens that are counted and never shown. The output limit of the request holds for them too. */
  hiddenReasoning?: number
  /** Produces the whole text whatever limit the request has, as some compatible servers do. */
  ignoresLimit?: boolean
  /** What seals the reasoning. Left out, the vendor makes one up where its form has seals. */
  reasoningSignature?: string
  /** Withholds the words of the reasoning, in the forms that have a block for it (Anthropic). */
  redacted?: boolean
  toolCalls?: readonly ScriptedToolCall[]
  /** What a model says that will not answer. */
  refusal?: string
  /** Pictures in the answer, in the forms that have them (Gemini). */
  images?: readonly ScriptedImage[]
  /** Why the model stops, put into each vendor's word for it. Left out, it follows from the answer. */
  finish?: FinishWord
  /** The vendor's word itself, right or wrong. */
  finishReason?: string
  /** Characters in each content delta; left out, one model token each. */
  deltaLength?: number
  usage?: UsagePlacement

  headersAfterMs?: number
  firstEventAfterMs?: number
  betweenEventsMs?: number
  /** Sends this many events and then nothing for ever. With 0 even the headers come alone. */
  stallAfterEvents?: number
  /** Never answers at all, not even with headers. */
  hang?: boolean
  /** Destroys the socket after this many events, and after some bytes of the next one. */
  cut?: { afterEvents: number; partialBytes?: number }
  /** Sends this event instead of the rest of the stream; without `data`, the vendor's own words for the status. */
  errorEvent?: { afterEvents: number; data?: unknown; name?: string; status?: number; message?: string }

  framing?: Framing
  /** Sizes of the writes to the socket, used in turn. They ignore characters, lines and events. */
  writeSizes?: readonly number[]
}

export interface ScriptedToolCall {
  id: string
  name: string
  arguments: string
}

export interface ScriptedImage {
  mediaType: string
  /** As base64. */
  data: string
}

export type FinishWord = 'stop' | 'length' | 'tool-calls' | 'refusal'

/**
 * Where the counts are: in their own last chunk when the caller asked for them (`asked`), never (`missing`), on the
 * finish chunk, or as running totals on every chunk. Given counts replace those counted from the text; other forms than
 * OpenAI's take over the wholes, cached and written cache tokens, and reasoning tokens. Vendors that give counts without
 * being asked know no place but their own, and of these words only `missing`.
 */
export type UsagePlacement =
  | 'asked'
  | 'missing'
  | 'with-finish'
  | 'running'
  | { prompt_tokens: number; completion_tokens: number; [detail: string]: unknown }

/** Ways in which vendors write server-sent events that are all allowed, or at least seen. */
export interface Framing {
  lineEnd?: '\n' | '\r\n' | '\r'
  /** False writes `data:{…}` without the usual space. */
  space?: boolean
  /** Starts the stream with a byte order mark. */
  byteOrderMark?: boolean
  /** Puts a comment line before every event. */
  comments?: boolean
  /** Writes the JSON over several `data:` lines. */
  multiLine?: boolean
  /** Gives every event this name. */
  eventName?: string
  /** False leaves out what tells that the stream is whole: `[DONE]`, or the last event of the form. */
  done?: boolean
  /** False ends the stream right after the last line, without the blank line that closes an event. */
  finalNewline?: boolean
}
