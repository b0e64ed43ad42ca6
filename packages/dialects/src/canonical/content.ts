import type { JsonObject } from '../json/json-object.ts'
import type { DialectId } from './dialect-id.ts'

/** A piece of a message. Each dialect reads its own words into these, and writes them from these. */
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
  readonly cache?: CacheMark
}

/** What a model thought before it spoke. Without a signature it is only words, and no vendor takes them back as its own. */
export interface ThinkingPart {
  readonly type: 'thinking'
  readonly text: string
  readonly signature?: Signature
  /** The words are withheld: only the signature stands for them. */
  readonly redacted?: boolean
}

export interface ImagePart {
  readonly type: 'image'
  readonly source: MediaSource
  readonly detail?: string
  readonly cache?: CacheMark
}

export interface AudioPart {
  readonly type: 'audio'
  readonly source: MediaSource
}

export interface DocumentPart {
  readonly type: 'document'
  readonly source: MediaSource | { readonly kind: 'text'; readonly text: string }
  readonly filename?: string
  readonly cache?: CacheMark
}

export interface ToolCallPart {
  readonly type: 'tool-call'
  readonly id: string
  readonly name: string
  /** JSON as the model wrote it, byte for byte. */
  readonly arguments: string
  /** Some vendors sign the call itself. */
  readonly signature?: Signature
  readonly cache?: CacheMark
}

export interface ToolResultPart {
  readonly type: 'tool-result'
  readonly callId: string
  /** The tool's name, where the dialect gives it or the call it answers was seen earlier. */
  readonly name?: string
  readonly content: readonly (TextPart | ImagePart | DocumentPart)[]
  readonly isError?: boolean
  readonly cache?: CacheMark
}

export interface RefusalPart {
  readonly type: 'refusal'
  readonly text: string
}

/** Something only its own dialect can say: a hosted tool's call, a search result. Others leave it out. */
export interface NativePart {
  readonly type: 'native'
  readonly dialect: DialectId
  readonly value: JsonObject
  /** What of it a model produced, for counting. */
  readonly said?: string
}

export type MediaSource =
  | { readonly kind: 'base64'; readonly mediaType: string; readonly data: string }
  | { readonly kind: 'url'; readonly url: string; readonly mediaType?: string }
  /** A file kept by the vendor. Only the same vendor can find it. */
  | { readonly kind: 'file'; readonly id: string }

/** The prompt up to here may be kept by the vendor. */
export interface CacheMark {
  readonly ttl?: string
}

/**
 * A vendor's proof that a thought or a call is its own, to be handed back unchanged. It means something to that vendor
 * only, so it is sent back only in the dialect it came in.
 */
export interface Signature {
  readonly dialect: DialectId
  readonly value: string
  /** Where the dialect names what it signed. */
  readonly id?: string
}
