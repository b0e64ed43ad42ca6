import type { NativePart, Part } from './content.ts'
import type { CanonicalEvent } from './events.ts'
import type { CanonicalResponse } from './response.ts'

type Mutable<Type> = { -readonly [Name in keyof Type]: Type[Name] }

/** Collects the events of a stream as a whole response. */
export interface EventCollector {
  add(event: CanonicalEvent): void
  response(): CanonicalResponse
}

export function createEventCollector(): EventCollector {
  const parts = new Map<unknown, Part>()
  const dropped: string[] = []
  const response: Mutable<Omit<CanonicalResponse, 'parts'>> = {}
  return {
    add(event) {
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
        case 'dropped':
          dropped.push(event.name)
          break
        case 'error':
          response.error = event.error
          if (event.status !== undefined) response.errorStatus = event.status
          break
        case 'native': {
          const part = nativePart(event)
          if (part) parts.set(event, part)
          break
        }
        default:
          if ('block' in event) parts.set(event.block, applyEvent(parts.get(event.block), event))
      }
    },
    response: () => ({ ...response, parts: [...parts.values()], ...(dropped.length > 0 && { dropped }) }),
  }
}

/** Undefined for output that cannot be written again. */
function nativePart({ part, search }: Extract<CanonicalEvent, { type: 'native' }>): NativePart | undefined {
  if (!search) return part
  return { ...(part ?? { type: 'native', dialect: 'openai-chat', value: {} }), search }
}

function applyEvent(part: Part | undefined, event: Extract<CanonicalEvent, { block: number }>): Part {
  const text = part && 'text' in part ? part.text : ''
  switch (event.type) {
    case 'text-start':
      return { type: 'text', text }
    case 'text-end':
      return part ?? { type: 'text', text }
    case 'text-delta':
      return { ...(part?.type === 'text' ? part : undefined), type: 'text', text: text + event.text }
    case 'citation': {
      const citations = part?.type === 'text' ? (part.citations ?? []) : []
      return { type: 'text', text, citations: [...citations, event.citation] }
    }
    case 'refusal-delta':
      return { type: 'refusal', text: text + event.text }
    case 'thinking-start':
      return { type: 'thinking', text }
    case 'thinking-delta':
      return { type: 'thinking', text: text + event.text }
    case 'thinking-end': {
      const { signature, redacted } = event
      return { type: 'thinking', text, ...(signature && { signature }), ...(redacted && { redacted }) }
    }
    case 'tool-call-start': {
      const { id, name, signature } = event
      return { type: 'tool-call', id, name, arguments: '', ...(signature && { signature }) }
    }
    case 'tool-call-delta':
    case 'tool-call-end': {
      const call = part?.type === 'tool-call' ? part : ({ type: 'tool-call', id: '', name: '', arguments: '' } as const)
      return event.type === 'tool-call-end' ? call : { ...call, arguments: call.arguments + event.text }
    }
    case 'image':
      return { type: 'image', source: { kind: 'base64', mediaType: event.mediaType, data: event.data } }
  }
}
