import type { JsonObject } from '../json/json-object.ts'
import type { CacheBreakpoint, Part } from './content.ts'
import type { DialectId } from './dialect-id.ts'

/** Request in the protocol-neutral form. Created only if client and provider use different protocols. */
export interface CanonicalRequest {
  readonly model: string
  readonly stream: boolean
  /** System messages keep their position. The leading ones are the system prompt of other protocols. */
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
  /** End user id that the client sent. */
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
      /** JSON schema as the client wrote it. */
      readonly parameters?: JsonObject
      readonly strict?: boolean
      readonly cache?: CacheBreakpoint
    }
  /** Tool with plain text input instead of JSON. Other protocols offer it as a function with one `input` string. */
  | { readonly type: 'text'; readonly name: string; readonly description?: string; readonly format?: JsonObject }
  /** Tool that the provider runs. It is left out for other providers. */
  | { readonly type: 'hosted'; readonly dialect: DialectId; readonly name: string; readonly value: JsonObject }

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

export interface Reasoning {
  /** none, minimal, low, medium, high, or any value that a provider adds. */
  readonly effort?: string
  readonly budgetTokens?: number
  /** The client wants to see the reasoning or a summary of it. */
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
