import type { CanonicalResponse, CanonicalEvent, DecodeContext, Part } from '../../canonical/index.ts'
import { DIALECT_ID } from '../ids.ts'
import { createDecoder, type NativeParts } from '../stream/decode-events.ts'

type Mutable<Type> = { -readonly [Name in keyof Type]: Type[Name] }

/** A whole response has the format of a stream event, so the stream decoder reads both. */
export function decodeResponse(text: string, context: DecodeContext): CanonicalResponse | undefined {
  const natives: NativeParts = new WeakMap()
  const events = createDecoder(context, natives)({ data: text })
  // Nothing but the start event: this is not a response.
  if (!events.some(({ type }) => type !== 'response-start')) return undefined
  const parts = new Map<unknown, Part>()
  const response: Mutable<CanonicalResponse> = { parts: [] }
  for (const event of events) {
    switch (event.type) {
      case 'response-start':
        if (event.id !== undefined) response.id = event.id
        if (event.model !== undefined) response.model = event.model
        if (event.created !== undefined) response.created = event.created
        break
      case 'finish': {
        const { type: _finish, ...finish } = event
        response.finish = finish
        break
      }
      case 'usage':
        response.usage = event.usage
        break
      case 'error':
        response.error = event.error
        if (event.status !== undefined) response.errorStatus = event.status
        break
      case 'native': {
        const value = natives.get(event)
        if (value) parts.set(event, { type: 'native', dialect: DIALECT_ID, value })
        break
      }
      default:
        if ('block' in event) parts.set(event.block, applyEvent(parts.get(event.block), event))
    }
  }
  return { ...response, parts: [...parts.values()] }
}

function applyEvent(part: Part | undefined, event: Extract<CanonicalEvent, { block: number }>): Part {
  const text = part && 'text' in part ? part.text : ''
  switch (event.type) {
    case 'text-start':
    case 'text-end':
      return { type: 'text', text }
    case 'text-delta':
      return { type: 'text', text: text + event.text }
    case 'refusal-delta':
      return { type: 'refusal', text: text + event.text }
    case 'thinking-start':
      return { type: 'thinking', text }
    case 'thinking-delta':
      return { type: 'thinking', text: text + event.text }
    case 'thinking-end':
      return { type: 'thinking', text, ...(event.signature && { signature: event.signature }) }
    case 'tool-call-start': {
      const { id, name, signature } = event
      return { type: 'tool-call', id, name, arguments: '', ...(signature && { signature }) }
    }
    case 'tool-call-delta':
    case 'tool-call-end': {
      const call = part as Extract<Part, { type: 'tool-call' }>
      return event.type === 'tool-call-end' ? call : { ...call, arguments: call.arguments + event.text }
    }
    case 'image':
      return { type: 'image', source: { kind: 'base64', mediaType: event.mediaType, data: event.data } }
  }
}
