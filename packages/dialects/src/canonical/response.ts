import type { UsageReport } from '@tidegate/contract'
import type { WireError } from './errors.ts'
import type { Part } from './content.ts'
import { type CanonicalEvent, type FinishReason, isContent } from './events.ts'

/** Whole response in the protocol-neutral form. */
export interface CanonicalResponse {
  readonly id?: string
  readonly model?: string
  readonly created?: number
  readonly parts: readonly Part[]
  /** Missing if the provider sent none. */
  readonly finish?: { readonly reason: FinishReason; readonly raw?: string; readonly stopSequence?: string }
  readonly usage?: UsageReport
  /** Parts that have no canonical form, by their names in the provider's protocol. */
  readonly dropped?: readonly string[] | undefined
  /** The provider sent an error with a success status. */
  readonly error?: WireError
  readonly errorStatus?: number
}

/** Returns the events that a stream of this response would have, without the end marker. */
export function eventsOf(response: CanonicalResponse): CanonicalEvent[] {
  const { id, model, created } = response
  const events: CanonicalEvent[] = [{ type: 'response-start', id, model, created }]
  response.parts.forEach((part, block) => events.push(...eventsOfPart(part, block)))
  for (const name of response.dropped ?? []) events.push({ type: 'dropped', name })
  if (response.finish) events.push({ type: 'finish', ...response.finish })
  if (response.usage) events.push({ type: 'usage', usage: response.usage })
  return events
}

function eventsOfPart(part: Part, block: number): CanonicalEvent[] {
  switch (part.type) {
    case 'text':
      return [
        { type: 'text-start', block },
        { type: 'text-delta', block, text: part.text },
        ...(part.citations ?? []).map((citation) => ({ type: 'citation', block, citation }) as const),
        { type: 'text-end', block },
      ]
    case 'thinking':
      return [
        { type: 'thinking-start', block },
        { type: 'thinking-delta', block, text: part.text },
        { type: 'thinking-end', block, signature: part.signature, redacted: part.redacted },
      ]
    case 'tool-call':
      return [
        { type: 'tool-call-start', block, id: part.id, name: part.name, signature: part.signature },
        { type: 'tool-call-delta', block, text: part.arguments },
        { type: 'tool-call-end', block },
      ]
    case 'refusal':
      return [{ type: 'refusal-delta', block, text: part.text }]
    case 'image':
      return part.source.kind === 'base64'
        ? [{ type: 'image', block, mediaType: part.source.mediaType, data: part.source.data }]
        : []
    case 'native':
      return [{ type: 'native', text: part.generatedText, part, ...(part.search && { search: part.search }) }]
    default:
      return []
  }
}

/**
 * Whether the provider neither produced anything nor finished. A finish reason without content is a response, and the
 * provider bills it: a stop sequence may come at once, and reasoning may use up the whole limit.
 */
export function isEmptyResponse(events: readonly CanonicalEvent[]): boolean {
  return !events.some((event) => isContent(event) || event.type === 'finish')
}
