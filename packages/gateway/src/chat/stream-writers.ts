import type { UsageReport } from '@tidegate/contract'
import type {
  ResponseContext,
  CanonicalResponse,
  CanonicalEvent,
  Dialect,
  EventEncoder,
  Part,
  RequestHead,
} from '@tidegate/dialects'
import type { CatalogChannel } from '../ports/index.ts'
import type { ReceivedFrame } from './first-content.ts'

type ResponseStart = Extract<CanonicalEvent, { type: 'response-start' }>

/** Turns a provider's stream into the client's. */
export interface StreamWriter {
  /** The bytes to send for a frame; blank when it is not for the client. */
  convert(frame: ReceivedFrame): Uint8Array | string
  /** The last bytes, sent after settlement. */
  closing(usage: UsageReport): Uint8Array | string
}

/** Same protocol on both sides: frames are forwarded byte for byte, except for the end mark. */
export function passThroughWriter(dialect: Dialect, { includeUsage }: Pick<RequestHead, 'includeUsage'>): StreamWriter {
  let terminal: Uint8Array | undefined
  let start: ResponseStart | undefined
  let sentUsage = false
  return {
    convert({ bytes, events }) {
      for (const event of events) {
        if (event.type === 'done') {
          terminal = bytes
          return ''
        }
        if (event.type === 'response-start') start ??= event
      }
      const isUsageAlone = events.length > 0 && events.every(({ type }) => type === 'usage')
      // The gateway requested usage that the client did not.
      if (isUsageAlone && !includeUsage) return ''
      sentUsage ||= isUsageAlone
      return bytes
    },
    closing: (usage) => dialect.closeStream({ terminal, wantsUsage: includeUsage, sentUsage, usage, start }),
  }
}

/** Different protocols, or a channel with a response transform: every event is encoded again. */
export function convertingWriter(
  dialect: Dialect,
  context: ResponseContext,
  reshape: StreamTransform | undefined,
): StreamWriter {
  const encoder = dialect.createEncoder(context)
  return {
    convert: ({ events }) => encodeAll(encoder, reshape ? events.flatMap(reshape.event) : events),
    closing: (usage) => encoder.end(usage),
  }
}

function encodeAll(encoder: EventEncoder, events: readonly CanonicalEvent[]): string {
  let text = ''
  for (const event of events) text += encoder.encode(event)
  return text
}

/** A change of a channel's responses, streamed or whole. */
interface StreamTransform {
  event(event: CanonicalEvent): CanonicalEvent[]
  response(response: CanonicalResponse): CanonicalResponse
}

/** Whether responses are encoded again even when both protocols are the same. */
export function isRewritten({ setting }: Pick<CatalogChannel, 'setting'>): boolean {
  return setting.force_format === true || setting.thinking_to_content === true
}

export function transformFor({ setting }: Pick<CatalogChannel, 'setting'>): StreamTransform | undefined {
  return setting.thinking_to_content === true ? thinkingAsText() : undefined
}

const OPENING = '<think>\n'
const CLOSING = '\n</think>\n\n'

/** Turns reasoning into text between tags, for clients that show only text. One text block holds both. */
function thinkingAsText(): StreamTransform {
  return {
    event(event) {
      switch (event.type) {
        case 'thinking-start':
          return [
            { type: 'text-start', block: event.block },
            { type: 'text-delta', block: event.block, text: OPENING },
          ]
        case 'thinking-delta':
          return [{ type: 'text-delta', block: event.block, text: event.text }]
        case 'thinking-end':
          return [
            { type: 'text-delta', block: event.block, text: CLOSING },
            { type: 'text-end', block: event.block },
          ]
        default:
          return [event]
      }
    },
    response: (response) => ({ ...response, parts: response.parts.map(thoughtAsText) }),
  }
}

function thoughtAsText(part: Part): Part {
  return part.type === 'thinking' ? { type: 'text', text: OPENING + part.text + CLOSING } : part
}
