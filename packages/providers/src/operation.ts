import type { Settings } from '@tidegate/contract'
import type { Tree } from '@tidegate/dialects'
import type { Target } from './provider.ts'

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
  encode?(body: Tree, context: { readonly model: string }): Tree
  /** The answer in the words the client knows, counts included. Undefined when it is none. */
  decode?(answer: Tree, body: Tree): Tree | undefined
}

export type Operations = Readonly<Partial<Record<OperationId, Operation>>>
