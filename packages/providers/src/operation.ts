import type { Settings } from '@tidegate/contract'
import type { JsonObject } from '@tidegate/dialects'
import type { Target } from './target.ts'

/** What can be asked of a vendor that is no conversation: asked once and answered once, in OpenAI's words. */
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
  /** Over a connection that both sides speak on. */
  | 'realtime'

/** Those that are asked once and answered once. */
export type SingleOperation = Exclude<OperationId, 'realtime'>

/** How a vendor does one of them. */
export interface Operation {
  url(target: Target, call: { readonly settings: Settings }): string
  /** The request in the vendor's words; as it came where the vendor takes OpenAI's. Forms are always passed on. */
  encode?(body: JsonObject, context: { readonly model: string }): JsonObject
  /** The answer in the words the client knows, counts included. Undefined when it is none. */
  decode?(answer: JsonObject, body: JsonObject): JsonObject | undefined
  /** The vendor takes an order and has the answer later. */
  readonly order?: Order
}

/** How an order is placed and waited for. */
export interface Order {
  /** What makes the vendor take one. */
  readonly headers: Readonly<Record<string, string>>
  /** From what it said to the order to the answer that `decode` reads. Throws an UpstreamFailure when there is none. */
  collect(receipt: JsonObject, desk: OrderDesk): Promise<JsonObject>
}

/** What waiting for an order takes from outside. All of it ends when the client leaves. */
export interface OrderDesk {
  readonly target: Target
  /** As the client asked. */
  readonly body: JsonObject
  /** Asks with the channel's key. */
  ask(url: string): Promise<JsonObject>
  /** Fetches what the vendor made from where it put it, without the key. */
  fetch(url: string): Promise<Uint8Array>
  pause(milliseconds: number): Promise<void>
}

export type Operations = Readonly<Partial<Record<OperationId, Operation>>>
