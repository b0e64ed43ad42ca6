import type { JsonObject } from '../json/json-object.ts'
import type { CacheMark, Part } from './content.ts'
import type { DialectId } from './dialect-id.ts'

/** What a client asks of a model, free of any wire format. Made only when client and vendor speak differently. */
export interface CanonicalRequest {
  readonly model: string
  readonly stream: boolean
  /** Instructions stand where they were given: the leading system messages are what other dialects call the system prompt. */
  readonly messages: readonly Message[]
  readonly tools: readonly Tool[]
  readonly toolChoice?: ToolChoice
  readonly parallelToolCalls?: boolean
  readonly maxTokens?: number
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly stop?: readonly string[]
  readonly seed?: number
  readonly frequencyPenalty?: number
  readonly presencePenalty?: number
  readonly reasoning?: Reasoning
  readonly output?: OutputFormat
  /** The end user, as the client names them. */
  readonly userId?: string
  readonly promptCacheKey?: string
}

export interface Message {
  readonly role: 'system' | 'user' | 'assistant'
  readonly parts: readonly Part[]
}

export type Tool =
  | {
      readonly type: 'function'
      readonly name: string
      readonly description?: string
      /** A JSON schema, as the client wrote it. */
      readonly parameters?: JsonObject
      readonly strict?: boolean
      readonly cache?: CacheMark
    }
  /** A tool whose input is plain text instead of JSON. Dialects without them offer a function of one `input` text. */
  | { readonly type: 'text'; readonly name: string; readonly description?: string; readonly format?: JsonObject }
  /** A tool the vendor runs itself. Other vendors do not have it, and it is left out for them. */
  | { readonly type: 'hosted'; readonly dialect: DialectId; readonly name: string; readonly value: JsonObject }

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

export interface Reasoning {
  /** none, minimal, low, medium, high and whatever vendors add. */
  readonly effort?: string
  readonly budgetTokens?: number
  /** The client wants to see the thoughts, or a summary of them. */
  readonly visible?: boolean
}

export type OutputFormat =
  | { readonly type: 'json' }
  | {
      readonly type: 'schema'
      readonly schema: JsonObject
      readonly name?: string
      readonly description?: string
      readonly strict?: boolean
    }
