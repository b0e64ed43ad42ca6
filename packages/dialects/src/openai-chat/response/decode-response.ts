import { droppedNames } from '../../canonical/dropped.ts'
import type { CanonicalResponse, CanonicalEvent, DecodeContext, Part } from '../../canonical/index.ts'
import { parseJsonObject } from '../../json/json-object.ts'
import { readError, errorStatus } from '../../openai-wire/errors.ts'
import { createChunkReader, responseStart } from '../stream/decode-events.ts'

/** Decodes a whole response with the reader of the stream. */
export function decodeResponse(text: string, context: DecodeContext): CanonicalResponse | undefined {
  const body = parseJsonObject(text)
  if (!body) return undefined
  const events: CanonicalEvent[] = []
  const reader = createChunkReader(context)
  reader.read(body, events)
  events.push(...reader.close([]))

  const { id, model, created } = responseStart(body)
  const finish = events.find((event) => event.type === 'finish')
  const usage = events.findLast((event) => event.type === 'usage')?.usage
  const error = readError(body)
  return {
    id,
    model,
    created,
    parts: collectParts(events),
    finish: finish && { reason: finish.reason, raw: finish.raw },
    usage,
    dropped: droppedNames(...events.flatMap((event) => (event.type === 'dropped' ? event.name : []))),
    error,
    errorStatus: error && errorStatus(error),
  }
}

/** Parts that the events of a stream add up to, in start order. */
export function collectParts(events: readonly CanonicalEvent[]): Part[] {
  const parts = new Map<unknown, Part>()
  for (const event of events) {
    if (event.type === 'native') {
      const { text, search } = event
      parts.set(event, {
        type: 'native',
        dialect: 'openai-chat',
        value: { ...event },
        generatedText: text,
        ...(search && { search }),
      })
    } else if ('block' in event) {
      const part = applyEvent(parts.get(event.block), event)
      if (part) parts.set(event.block, part)
    }
  }
  return [...parts.values()]
}

function applyEvent(part: Part | undefined, event: Extract<CanonicalEvent, { block: number }>): Part | undefined {
  switch (event.type) {
    case 'text-delta':
      return { ...part, type: 'text', text: textOf(part) + event.text }
    case 'citation':
      return part?.type === 'text' ? { ...part, citations: [...(part.citations ?? []), event.citation] } : part
    case 'refusal-delta':
      return { type: 'refusal', text: textOf(part) + event.text }
    case 'thinking-delta':
      return { type: 'thinking', text: textOf(part) + event.text }
    case 'thinking-end': {
      const { signature, redacted } = event
      return { type: 'thinking', text: textOf(part), ...(signature && { signature }), ...(redacted && { redacted }) }
    }
    case 'tool-call-start': {
      const { id, name, signature } = event
      return { type: 'tool-call', id, name, arguments: '', ...(signature && { signature }) }
    }
    case 'tool-call-delta':
      return part?.type === 'tool-call' ? { ...part, arguments: part.arguments + event.text } : part
    case 'image':
      return { type: 'image', source: { kind: 'base64', mediaType: event.mediaType, data: event.data } }
    default:
      return part
  }
}

function textOf(part: Part | undefined): string {
  return part && 'text' in part ? part.text : ''
}
