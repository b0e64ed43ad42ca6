import type { UsageReport } from '@tidegate/contract'
import type { WireError } from './errors.ts'
import type { Signature } from './content.ts'

/** Why a model stopped, in words every dialect has one for. */
export type FinishReason = 'stop' | 'stop-sequence' | 'length' | 'tool-calls' | 'refusal' | 'pause' | 'other'

/**
 * What happens in a streamed answer. Blocks are numbered from 0 in the order they begin; a block's events carry its
 * number, and blocks may overlap only as far as the vendor lets them (parallel tool calls).
 */
export type CanonicalEvent =
  | { readonly type: 'response-start'; readonly id?: string; readonly model?: string; readonly created?: number }
  | { readonly type: 'text-start'; readonly block: number }
  | { readonly type: 'text-delta'; readonly block: number; readonly text: string }
  | { readonly type: 'text-end'; readonly block: number }
  | { readonly type: 'thinking-start'; readonly block: number }
  | { readonly type: 'thinking-delta'; readonly block: number; readonly text: string }
  | {
      readonly type: 'thinking-end'
      readonly block: number
      readonly signature?: Signature
      readonly redacted?: boolean
    }
  | {
      readonly type: 'tool-call-start'
      readonly block: number
      readonly id: string
      readonly name: string
      readonly signature?: Signature
    }
  /** A piece of the arguments, exactly as it came. */
  | { readonly type: 'tool-call-delta'; readonly block: number; readonly text: string }
  | { readonly type: 'tool-call-end'; readonly block: number }
  | { readonly type: 'refusal-delta'; readonly block: number; readonly text: string }
  | { readonly type: 'image'; readonly block: number; readonly mediaType: string; readonly data: string }
  /** Something a reader would notice and only its own dialect can say (audio, a hosted tool at work). */
  | { readonly type: 'native'; readonly text?: string }
  | {
      readonly type: 'finish'
      readonly reason: FinishReason
      /** The vendor's own word. */
      readonly raw?: string
      readonly stopSequence?: string
    }
  /** Totals so far: a later one replaces an earlier one. */
  | { readonly type: 'usage'; readonly usage: UsageReport }
  | { readonly type: 'error'; readonly error: WireError; readonly status?: number }
  /** The vendor's end mark. Nothing follows. */
  | { readonly type: 'done' }

/** Whether a reader would notice it: from the first such event on, an answer is committed. */
export function isContent(event: CanonicalEvent): boolean {
  switch (event.type) {
    case 'text-delta':
    case 'thinking-delta':
    case 'refusal-delta':
      return event.text !== ''
    case 'tool-call-start':
    case 'tool-call-delta':
    case 'image':
    case 'native':
      return true
    case 'thinking-end':
      return event.redacted === true
    default:
      return false
  }
}

/** What a model produced in an event, for counting when the vendor does not. */
export function textIn(event: CanonicalEvent): string {
  switch (event.type) {
    case 'text-delta':
    case 'thinking-delta':
    case 'tool-call-delta':
    case 'refusal-delta':
      return event.text
    case 'tool-call-start':
      return event.name
    case 'native':
      return event.text ?? ''
    default:
      return ''
  }
}
