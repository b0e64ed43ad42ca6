import type { Settings } from '@tidegate/contract'
import type { JsonObject } from '@tidegate/dialects'
import type { Target } from './target.ts'

/** Endpoints other than chat, in OpenAI's format. */
export type OperationId =
  | 'embeddings'
  | 'moderations'
  | 'rerank'
  | 'image-generation'
  | 'image-edit'
  | 'image-variation'
  | 'speech'
  | 'transcription'
  | 'translation'
  /** Over a websocket. */
  | 'realtime'

/** Operations with one request and one response. */
export type HttpOperation = Exclude<OperationId, 'realtime'>

/** How a provider serves an operation. */
export interface Operation {
  url(target: Target, call: { readonly settings: Settings }): string
  /** Converts the request; without it, the body is sent as received. Forms are always forwarded unchanged. */
  encode?(body: JsonObject, context: { readonly model: string }): JsonObject
  /** Converts the response to OpenAI's format, including usage. Undefined if the response has no result. */
  decode?(response: JsonObject, body: JsonObject): JsonObject | undefined
  /** The provider accepts the request as a task and returns the result later. */
  readonly polling?: OperationPolling
}

/** How to submit such a task and wait for it. */
export interface OperationPolling {
  /** Headers that request asynchronous processing. */
  readonly headers: Readonly<Record<string, string>>
  /** Waits for the result and returns the response that `decode` reads. Throws an UpstreamFailure if there is none. */
  collect(submitted: JsonObject, context: PollingContext): Promise<JsonObject>
}

/** What waiting needs from outside. All of it ends when the client disconnects. */
export interface PollingContext {
  readonly target: Target
  /** The client's request. */
  readonly body: JsonObject
  /** Sends a GET request with the channel's key. */
  get(url: string): Promise<JsonObject>
  /** Downloads a result from where the provider stored it, without the key. */
  fetch(url: string): Promise<Uint8Array>
  pause(milliseconds: number): Promise<void>
}

export type Operations = Readonly<Partial<Record<OperationId, Operation>>>
