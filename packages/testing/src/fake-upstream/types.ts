import type { IncomingHttpHeaders } from 'node:http'
import type { IssuedSignatures } from './issued-signatures.ts'

export type ProtocolId =
  | 'openai-chat'
  | 'openai-completions'
  | 'openai-responses'
  | 'anthropic-messages'
  | 'gemini-generate'
  | 'gemini-interactions'
  | 'baidu'
  | 'dify'
  | 'hunyuan'
  | 'palm'

/** Requests, responses, streams and errors of one protocol. The path of a request selects it. */
export interface Protocol {
  readonly id: ProtocolId
  /** Whether this is a chat request of this protocol. */
  matches(request: ReceivedRequest): boolean
  /** The API key of a request. */
  keyOf(request: ReceivedRequest): string | undefined
  read(request: ReceivedRequest): ChatRequest
  /** Throws a ProviderError for requests that the real provider rejects. */
  check(request: ReceivedRequest, state: UpstreamState): void
  /** The body of a response without `stream`. */
  responseBody(response: ChatResponse, state: UpstreamState, placement?: UsagePlacement): string
  responseStream(response: ChatResponse, state: UpstreamState, options: StreamOptions): UpstreamStream
  errorBody(failure: Failure): unknown
  errorEvent(failure: Failure): UpstreamEvent
  /** Whether the stream uses server-sent events; by default it does. */
  isEventStream?(request: ReceivedRequest): boolean
}

/** State of the fake that protocols use. */
export interface UpstreamState {
  /** Rejects unknown members, as OpenAI does and compatible providers do not. */
  readonly strict: boolean
  readonly signatures: IssuedSignatures
  /** Ids of stored responses, with the key of their account. */
  readonly responses: Map<string, string | undefined>
}

/** The parts of a request that affect the response, for all protocols. */
export interface ChatRequest {
  readonly model: string
  readonly stream: boolean
  /** The client requests usage in a stream; protocols that always send it ignore this. */
  readonly includeUsage: boolean
  /** Maximum output tokens. */
  readonly limit: number
  readonly stop: readonly string[]
  readonly lastUserText: string
  readonly promptTexts: readonly string[]
  /** Whether reasoning is shown. */
  readonly showReasoning: boolean
  /** Whether reasoning is signed or encrypted for the client. */
  readonly signReasoning: boolean
  /** Tools with plain text input: scripted `arguments` are sent unchanged. */
  readonly textTools?: ReadonlySet<string>
}

export interface StreamOptions {
  placement?: UsagePlacement
  usageOnFinish?: boolean
  deltaLength?: number
}

export interface UpstreamStream {
  events: UpstreamEvent[]
  /** Last event of a complete stream, if the protocol has one. */
  endMark?: UpstreamEvent
}

/** One event of a stream, with its content and tokens. */
export interface UpstreamEvent {
  data: string
  name?: string
  /** Content of this event; blank for roles, usage and the end mark. */
  text: string
  tokens: number
}

export interface Failure {
  readonly status: number
  readonly message: string
  readonly param?: string
  readonly code?: string
}

/** A company that serves models of others, with its own addresses, keys and rules. */
export type Cloud = 'azure' | 'bedrock' | 'vertex-claude' | 'vertex-gemini'

/** A received request and its outcome. `sent` is updated while the response is written. */
export interface ReceivedRequest {
  readonly sequence: number
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** The protocol of a chat request; undefined for other requests. */
  form: ProtocolId | undefined
  /** The cloud that serves the model. `path`, `headers` and `body` are what it sends to the model. */
  readonly cloud?: Cloud | undefined
  readonly headers: IncomingHttpHeaders
  readonly rawBody: Buffer
  /** The body as JSON, or undefined when it is not JSON. */
  readonly body: unknown
  readonly receivedAt: number
  /** When the client disconnected before the response was complete. */
  abortedAt: number | undefined
  readonly sent: SentResponse
}

export interface SentResponse {
  status: number | undefined
  events: number
  /** Tokens in the events sent so far. */
  tokens: number
  text: string
  /** Usage of the response. */
  counts: TokenCounts | undefined
  /** Why the request was rejected. */
  rejection: string | undefined
  bytes: number
  /** `cut`: closed by the script. `aborted`: closed by the client. */
  outcome: 'open' | 'finished' | 'cut' | 'aborted'
}

/** A response in a protocol-neutral form. */
export interface ChatResponse {
  /** Unique number of the request, used for ids. */
  readonly sequence: number
  readonly created: number
  readonly request: ChatRequest
  readonly text: string
  readonly reasoning: string
  /** Scripted signature of the reasoning; otherwise the protocol issues one. */
  readonly signature: string | undefined
  readonly redacted: boolean
  readonly toolCalls: readonly ScriptedToolCall[]
  readonly refusal: string
  readonly images: readonly ScriptedImage[]
  readonly finish: FinishReason | 'stop-sequence'
  readonly stopSequence: string | undefined
  /** Scripted finish reason in the format of the protocol. */
  readonly finishReason: string | undefined
  readonly counts: TokenCounts
  /** Scripted usage in OpenAI's format, which its protocols copy. */
  readonly scriptedUsage: Record<string, unknown> | undefined
}

/** Usage of a request. `input` and `output` are totals that include the others. */
export interface TokenCounts {
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
  readonly reasoning: number
}

/** How the fake handles one request. Defaults are those of a healthy provider. */
export interface Script {
  /** Status instead of 200. */
  status?: number
  headers?: Record<string, string>
  /** Replaces the whole body, also of streams: an HTTP error, or an error with status 200. */
  body?: unknown
  /** Sends the provider's error object for this status, but with status 200. */
  errorInside?: { status: number; message?: string }

  /** Text of the response. By default it repeats the last user text. */
  text?: string
  /** Generates a text of this many characters. */
  textLength?: number
  reasoning?: string
  /** Reasoning tokens that are counted but not shown. They count towards the output limit. */
  hiddenReasoning?: number
  /** Ignores the output limit of the request, as some compatible servers do. */
  ignoresLimit?: boolean
  /** Signature of the reasoning. By default one is issued if the protocol has signatures. */
  reasoningSignature?: string
  /** Sends the reasoning redacted, in protocols that support it (Anthropic). */
  redacted?: boolean
  toolCalls?: readonly ScriptedToolCall[]
  /** Refusal text of the model. */
  refusal?: string
  /** Images in the response, in protocols that support them (Gemini). */
  images?: readonly ScriptedImage[]
  /** Finish reason, translated for each protocol. By default it follows from the response. */
  finish?: FinishReason
  /** Finish reason in the format of the protocol, valid or not. */
  finishReason?: string
  /** Characters per content delta; one token by default. */
  deltaLength?: number
  usage?: UsagePlacement
  /** Chat streams have usage on the finish chunk, whether or not the client asks, as those of DeepSeek. */
  usageOnFinish?: boolean

  headersAfterMs?: number
  /** Responds only after this. */
  headersAfter?: Promise<void>
  firstEventAfterMs?: number
  betweenEventsMs?: number
  /** Stalls after this many events. With 0 only headers are sent. */
  stallAfterEvents?: number
  /** Never responds, not even with headers. */
  hang?: boolean
  /** Destroys the socket after this many events and some bytes of the next one. */
  cut?: { afterEvents: number; partialBytes?: number }
  /** Sends this event instead of the rest of the stream; without `data`, the provider's error for the status. */
  errorEvent?: { afterEvents: number; data?: unknown; name?: string; status?: number; message?: string }

  framing?: Framing
  /** Sizes of socket writes, used in turn, independent of characters, lines and events. */
  writeSizes?: readonly number[]
}

/** A function decides by the request, for clients whose requests a test does not know in advance. */
export type ScriptOrFunction = Script | ((request: ReceivedRequest) => Script)

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

export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'refusal'

/**
 * Where usage is: in its own last chunk if requested (`asked`), never (`missing`), on the finish chunk, or as running
 * totals on every chunk. An object replaces the counted usage; protocols other than OpenAI's use its totals, cache
 * tokens and reasoning tokens. Protocols that always send usage support only `missing`.
 */
export type UsagePlacement =
  | 'asked'
  | 'missing'
  | 'with-finish'
  | 'running'
  | { prompt_tokens: number; completion_tokens: number; [detail: string]: unknown }

/** Variants of server-sent events that providers use. */
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
  /** False omits the end mark: `[DONE]`, or the last event of the protocol. */
  done?: boolean
  /** False ends the stream without the blank line after the last event. */
  finalNewline?: boolean
}
