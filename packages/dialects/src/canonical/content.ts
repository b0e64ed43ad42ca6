import type { JsonObject } from '../json/json-object.ts'
import type { DialectId } from './dialect-id.ts'

/** Part of a message. Each protocol decodes its content into these parts and encodes it from them. */
export type Part =
  | TextPart
  | ThinkingPart
  | ImagePart
  | AudioPart
  | DocumentPart
  | ToolCallPart
  | ToolResultPart
  | RefusalPart
  | NativePart

export interface TextPart {
  readonly type: 'text'
  readonly text: string
  readonly cache?: CacheBreakpoint
  readonly citations?: readonly Citation[]
}

/** Source of a text on the web. */
export interface Citation {
  readonly url: string
  readonly title?: string
  /** Text of the source. */
  readonly citedText?: string
  /** What the source supports in the text of the block. The whole text if missing. */
  readonly span?: { readonly start: number; readonly end: number; readonly unit: 'characters' | 'bytes' }
}

/** Web search that the provider ran. */
export interface SearchCall {
  readonly queries: readonly string[]
  readonly results: readonly { readonly url: string; readonly title?: string }[]
}

/** Reasoning of a model. A provider accepts its own reasoning back only with its signature. */
export interface ThinkingPart {
  readonly type: 'thinking'
  readonly text: string
  readonly signature?: Signature
  /** The provider withheld the text. Only the signature represents it. */
  readonly redacted?: boolean
}

export interface ImagePart {
  readonly type: 'image'
  readonly source: MediaSource
  readonly detail?: string
  readonly cache?: CacheBreakpoint
}

export interface AudioPart {
  readonly type: 'audio'
  readonly source: MediaSource
}

export interface DocumentPart {
  readonly type: 'document'
  readonly source: MediaSource | { readonly kind: 'text'; readonly text: string }
  readonly filename?: string
  readonly cache?: CacheBreakpoint
}

export interface ToolCallPart {
  readonly type: 'tool-call'
  readonly id: string
  readonly name: string
  /** JSON exactly as the model wrote it. */
  readonly arguments: string
  /** Some providers sign the tool call itself. */
  readonly signature?: Signature
  readonly cache?: CacheBreakpoint
}

export interface ToolResultPart {
  readonly type: 'tool-result'
  readonly callId: string
  /** Name of the tool, if the protocol sends it or an earlier call has this id. */
  readonly name?: string
  readonly content: readonly (TextPart | ImagePart | DocumentPart)[]
  readonly isError?: boolean
  readonly cache?: CacheBreakpoint
}

export interface RefusalPart {
  readonly type: 'refusal'
  readonly text: string
}

/** Content that only its own protocol can express, such as a call of a hosted tool. Other protocols leave it out. */
export interface NativePart {
  readonly type: 'native'
  readonly dialect: DialectId
  readonly value: JsonObject
  /** Text that the model produced, for token counting. */
  readonly generatedText?: string
  /** Other protocols can express a search. */
  readonly search?: SearchCall
}

export type MediaSource =
  | { readonly kind: 'base64'; readonly mediaType: string; readonly data: string }
  | { readonly kind: 'url'; readonly url: string; readonly mediaType?: string }
  /** File stored by a provider. Only that provider can read it. */
  | { readonly kind: 'file'; readonly id: string }

/** Cache breakpoint: the provider may cache the prompt up to here. */
export interface CacheBreakpoint {
  readonly ttl?: string
}

/**
 * Provider's signature of reasoning or of a tool call. Clients send it back unchanged. Only the provider that signed
 * can verify it, so it is sent only in the protocol it came in.
 */
export interface Signature {
  readonly dialect: DialectId
  readonly value: string
  /** Id of the signed item, in protocols that have one. */
  readonly id?: string
}
