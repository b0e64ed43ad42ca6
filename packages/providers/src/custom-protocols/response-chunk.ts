import type { JsonObject } from '@tidegate/dialects'

/** A piece of an answer, whatever words its vendor has for it. */
export interface ResponseChunk {
  readonly id?: string
  /** Unix seconds. */
  readonly created?: number
  readonly text?: string
  readonly reasoning?: string
  readonly toolCalls?: readonly ToolCallDelta[]
  /** Why the model stopped, in OpenAI's word. */
  readonly finishReason?: string
  readonly usage?: TokenCounts
  /** Nothing follows. */
  readonly isLast?: boolean
}

/** A call of a tool, or a piece of one. */
export interface ToolCallDelta {
  readonly index: number
  /** Blank in the pieces that follow the first. */
  readonly id: string
  readonly name: string
  readonly arguments: string
}

export interface TokenCounts {
  readonly prompt: number
  readonly completion: number
}

/** Counts under the names a vendor gives them; nothing where it gives none. */
export function readUsage(
  usage: JsonObject | undefined,
  prompt: string,
  completion: string,
): { readonly usage?: TokenCounts } {
  if (!usage) return {}
  return { usage: { prompt: toCount(usage[prompt]), completion: toCount(usage[completion]) } }
}

function toCount(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.floor(value)) : 0
}
