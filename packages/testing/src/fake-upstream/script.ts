import type { Framing } from './frame-events.ts'
import type { ReceivedRequest } from './record.ts'

/** How one request is answered. Everything left out is what a healthy vendor would do. */
export interface Script {
  /** Answers with this status instead of 200. */
  status?: number
  headers?: Record<string, string>
  /** Replaces the whole body, also of a streamed call: an HTTP error, or an error inside a 200. */
  body?: unknown

  /** Words of the answer. Left out, they follow from the request. */
  text?: string
  /** Makes an answer of at least this many characters. */
  textLength?: number
  reasoning?: string
  toolCalls?: readonly ScriptedToolCall[]
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
  /** Sends this event instead of the rest of the stream. */
  errorEvent?: { afterEvents: number; data: unknown; name?: string }

  framing?: Framing
  /** Sizes of the writes to the socket, used in turn. They ignore characters, lines and events. */
  writeSizes?: readonly number[]
}

export interface ScriptedToolCall {
  id: string
  name: string
  arguments: string
}

/**
 * Where the counts are: in their own last chunk when the caller asked for them (`asked`), never (`missing`), on the
 * finish chunk, or as running totals on every chunk. Given counts replace those counted from the text.
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
  readonly #rules: { fits: (request: ReceivedRequest) => boolean; script: Script }[] = []

  enqueue(...scripts: Script[]): void {
    this.#queue.push(...scripts)
  }

  addRule(fits: (request: ReceivedRequest) => boolean, script: Script): void {
    this.#rules.unshift({ fits, script })
  }

  scriptFor(request: ReceivedRequest): Script {
    return this.#queue.shift() ?? this.#rules.find(({ fits }) => fits(request))?.script ?? {}
  }

  clear(): void {
    this.#queue.length = 0
    this.#rules.length = 0
  }
}
