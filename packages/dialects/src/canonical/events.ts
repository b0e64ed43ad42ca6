import type { UsageReport } from '@tidegate/contract'
import type { WireError } from './errors.ts'
import type { Citation, NativePart, SearchCall, Signature } from './content.ts'

/** Why a model stopped. */
export type FinishReason = 'stop' | 'stop-sequence' | 'length' | 'tool-calls' | 'refusal' | 'pause' | 'other'

/**
 * Event of a streamed response. Blocks are numbered from 0 in the order they start, and the events of a block carry its
 * number. Blocks overlap only if the provider sends parallel tool calls.
 */
export type CanonicalEvent =
  | { readonly type: 'response-start'; readonly id?: string; readonly model?: string; readonly created?: number }
  | { readonly type: 'text-start'; readonly block: number }
  | { readonly type: 'text-delta'; readonly block: number; readonly text: string }
  /** Source of the block's text so far. */
  | { readonly type: 'citation'; readonly block: number; readonly citation: Citation }
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
  /** Part of the arguments, exactly as the provider sent it. */
  | { readonly type: 'tool-call-delta'; readonly block: number; readonly text: string }
  | { readonly type: 'tool-call-end'; readonly block: number }
  | { readonly type: 'refusal-delta'; readonly block: number; readonly text: string }
  | { readonly type: 'image'; readonly block: number; readonly mediaType: string; readonly data: string }
  /** Visible output that only its own protocol can express, such as audio or a hosted tool call other than a search. */
  | {
      readonly type: 'native'
      readonly text?: string
      readonly search?: SearchCall
      /** The whole content, if its protocol streams it in a form that clients may send back. */
      readonly part?: NativePart
    }
  /** Part of the response that has no canonical form, by its name in the provider's protocol. */
  | { readonly type: 'dropped'; readonly name: string }
  | {
      readonly type: 'finish'
      readonly reason: FinishReason
      /** The provider's own value. */
      readonly raw?: string
      readonly stopSequence?: string
    }
  /** Running totals. A later event replaces an earlier one. */
  | { readonly type: 'usage'; readonly usage: UsageReport }
  | { readonly type: 'error'; readonly error: WireError; readonly status?: number }
  /** The provider's end marker. Nothing follows. */
  | { readonly type: 'done' }

/** Whether the event is visible to a client. After the first such event the gateway no longer retries. */
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

/** Text that the model produced in an event. Used to count tokens if the provider sends no usage. */
export function readGeneratedText(event: CanonicalEvent): string {
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
