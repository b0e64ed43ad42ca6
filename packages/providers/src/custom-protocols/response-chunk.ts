import type { JsonObject } from '@tidegate/dialects'

/** A part of a response, independent of the provider's format. */
export interface ResponseChunk {
  readonly id?: string
  /** Unix seconds. */
  readonly created?: number
  readonly text?: string
  readonly reasoning?: string
  readonly toolCalls?: readonly ToolCallDelta[]
  /** In OpenAI's terms, such as `stop` or `length`. */
  readonly finishReason?: string
  readonly usage?: PromptAndCompletionTokens
  readonly isLast?: boolean
}

/** A tool call, or a part of one. */
export interface ToolCallDelta {
  readonly index: number
  /** Empty in every part after the first. */
  readonly id: string
  readonly name: string
  readonly arguments: string
}

export interface PromptAndCompletionTokens {
  readonly prompt: number
  readonly completion: number
}

/** Token counts under the provider's field names; empty if it sends none. */
export function readUsage(
  usage: JsonObject | undefined,
  prompt: string,
  completion: string,
): { readonly usage?: PromptAndCompletionTokens } {
  if (!usage) return {}
  return { usage: { prompt: toCount(usage[prompt]), completion: toCount(usage[completion]) } }
}

function toCount(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.floor(value)) : 0
}
