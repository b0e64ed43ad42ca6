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
  /** Members of the client's request that have no counterpart here, by name. */
  readonly dropped?: readonly string[]
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
  /** Tool that the provider runs. Other providers can run it only if it is a search. */
  | {
      readonly type: 'hosted'
      readonly dialect: DialectId
      readonly name: string
      readonly value: JsonObject
      readonly search?: WebSearch
    }

/** Options of a web search that the provider runs. */
export interface WebSearch {
  readonly allowedDomains?: readonly string[]
  readonly blockedDomains?: readonly string[]
  /** `city`, `region`, `country` and `timezone`. */
  readonly location?: JsonObject
  /** low, medium or high. */
  readonly contextSize?: string
  readonly maxUses?: number
  /** Name of a restriction that only the client's protocol has. */
  readonly restriction?: string
}

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

/** Without signed thinking, for a provider that rejected a signature. */
export function withoutThinking(request: CanonicalRequest): CanonicalRequest {
  const messages = request.messages.map(({ role, parts }) => ({
    role,
    parts: parts.filter(({ type }) => type !== 'thinking').map(withoutSignature),
  }))
  return { ...request, messages: messages.filter(({ parts }) => parts.length > 0) }
}

function withoutSignature(part: Part): Part {
  if (part.type !== 'tool-call') return part
  const { signature: _signature, ...call } = part
  return call
}
