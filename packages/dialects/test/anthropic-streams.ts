import type { ResponseContext, CanonicalEvent, Part, StreamEvent } from '../src/canonical/index.ts'
import { createDecoder } from '../src/anthropic-messages/stream/decode-events.ts'

/** Splits a stream in its simplest framing. Other framings are tested with the frame reader. */
export function framesIn(stream: string): StreamEvent[] {
  return stream.split('\n\n').flatMap((frame) => {
    const lines = frame.split('\n')
    const data = lines.find((line) => line.startsWith('data: '))?.slice(6)
    return data === undefined ? [] : [{ name: lines.find((line) => line.startsWith('event: '))?.slice(7), data }]
  })
}

export function decodeStream(stream: string): CanonicalEvent[] {
  const decode = createDecoder()
  return framesIn(stream).flatMap((event) => decode(event))
}

/** Parts that the events add up to. */
export function partsOf(events: readonly CanonicalEvent[]): Part[] {
  const parts = new Map<number, Part>()
  for (const event of events) {
    switch (event.type) {
      case 'text-start':
        parts.set(event.block, { type: 'text', text: '' })
        break
      case 'thinking-start':
        parts.set(event.block, { type: 'thinking', text: '' })
        break
      case 'tool-call-start': {
        const { id, name, signature } = event
        parts.set(event.block, { type: 'tool-call', id, name, arguments: '', ...(signature && { signature }) })
        break
      }
      case 'text-delta':
      case 'thinking-delta':
      case 'tool-call-delta': {
        const part = parts.get(event.block)
        if (part?.type === 'tool-call') parts.set(event.block, { ...part, arguments: part.arguments + event.text })
        else if (part && 'text' in part) parts.set(event.block, { ...part, text: part.text + event.text })
        break
      }
      case 'thinking-end': {
        const { signature, redacted } = event
        const thinking = parts.get(event.block) as Part & { type: 'thinking' }
        parts.set(event.block, { ...thinking, ...(signature && { signature }), ...(redacted && { redacted }) })
        break
      }
      default:
    }
  }
  return [...parts.values()]
}

/** Block as a client assembles it. The arguments of a call stay text. */
export type ClientBlock = Record<string, unknown>

/** Content that a client assembles from a stream. Throws if blocks overlap or leave gaps. */
export function contentOf(stream: string): ClientBlock[] {
  const content: ClientBlock[] = []
  let open: number | undefined
  for (const { name, data } of framesIn(stream)) {
    const { type, index, content_block, delta } = JSON.parse(data) as Frame
    if (type !== name) throw new Error(`${type} is called ${name}`)
    if (!type.startsWith('content_block')) continue
    const expected = type === 'content_block_start' ? content.length : open
    if (index !== expected || (type === 'content_block_start' && open !== undefined)) throw new Error(`stray ${data}`)
    if (content_block) content.push({ ...content_block })
    const block = content[index]!
    for (const [member, piece] of Object.entries(delta ?? {})) {
      if (member !== 'type') block[member] = ((block[member] as string | undefined) ?? '') + piece
    }
    open = type === 'content_block_stop' ? undefined : index
  }
  if (open !== undefined) throw new Error(`block ${open} never ends`)
  return content
}

interface Frame {
  readonly type: string
  readonly index: number
  readonly content_block?: object
  readonly delta?: Record<string, string>
}

export const CONTEXT: ResponseContext = {
  requestId: 'r1',
  model: 'claude',
  createdAt: 1_700_000_000,
  includeUsage: true,
  request: { model: 'claude', stream: true, messages: [], tools: [] },
}
