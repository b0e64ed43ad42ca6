import type { JsonObject } from '@tidegate/dialects'

/** A piece of an answer, whatever words its vendor has for it. */
export interface Said {
  readonly id?: string
  /** Unix seconds. */
  readonly created?: number
  readonly text?: string
  readonly thoughts?: string
  readonly calls?: readonly SaidCall[]
  /** Why the model stopped, in OpenAI's word. */
  readonly finish?: string
  readonly usage?: Counts
  /** Nothing follows. */
  readonly isLast?: boolean
}

/** A call of a tool, or a piece of one. */
export interface SaidCall {
  readonly index: number
  /** Blank in the pieces that follow the first. */
  readonly id: string
  readonly name: string
  readonly arguments: string
}

export interface Counts {
  readonly prompt: number
  readonly completion: number
}

/** Counts under the names a vendor gives them; nothing where it gives none. */
export function countsIn(
  usage: JsonObject | undefined,
  prompt: string,
  completion: string,
): { readonly usage?: Counts } {
  if (!usage) return {}
  return { usage: { prompt: countOf(usage[prompt]), completion: countOf(usage[completion]) } }
}

function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.floor(value)) : 0
}
