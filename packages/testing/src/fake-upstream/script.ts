import type { Framing } from './frame-events.ts'
import type { ReceivedRequest } from './record.ts'

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

/** Chooses the script of a request: first the queue, then the newest rule that fits, then a plain answer. */
export class ScriptBook {
  readonly #queue: Script[] = []
  readonly #rules: { fits: (request: ReceivedRequest) => boolean; scripts: Script[] }[] = []

  enqueue(...scripts: Script[]): void {
    this.#queue.push(...scripts)
  }

  /** Several scripts answer in turn, and the last one all that follow. */
  addRule(fits: (request: ReceivedRequest) => boolean, ...scripts: Script[]): void {
    this.#rules.unshift({ fits, scripts })
  }

  scriptFor(request: ReceivedRequest): Script {
    return this.#queue.shift() ?? this.#byRule(request) ?? {}
  }

  #byRule(request: ReceivedRequest): Script | undefined {
    const scripts = this.#rules.find(({ fits }) => fits(request))?.scripts
    return scripts !== undefined && scripts.length > 1 ? scripts.shift() : scripts?.[0]
  }

  clear(): void {
    this.#queue.length = 0
    this.#rules.length = 0
  }
}
