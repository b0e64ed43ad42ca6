import type { UsageReport } from '@tidegate/contract'
import type {
  ResponseContext,
  CanonicalResponse,
  CanonicalEvent,
  DropCollector,
  Dialect,
  EventEncoder,
  EventFrame,
  Part,
  RequestHead,
} from '@tidegate/dialects'
import { compactionStream, sealContent } from '@tidegate/dialects'
import type { CatalogChannel } from '../ports/index.ts'

type ResponseStart = Extract<CanonicalEvent, { type: 'response-start' }>

/** Turns a provider's stream into the client's. */
export interface StreamWriter {
  /** The bytes to send for a frame; blank when it is not for the client. */
  convert(frame: EventFrame): Uint8Array | string
  /** Whether the response has no content that the client could use. */
  isUseless?(): boolean
  /** The last bytes, sent after settlement. */
  closing(usage: UsageReport): Uint8Array | string
}

/** Same protocol on both sides: frames are forwarded byte for byte, except for the end mark. */
export function passThroughWriter(
  dialect: Dialect,
  { includeUsage }: Pick<RequestHead, 'includeUsage'>,
  account: () => string,
): StreamWriter {
  const seals = dialect.id === 'openai-responses'
  let terminal: Uint8Array | undefined
  let start: ResponseStart | undefined
  let sentUsage = false
  return {
    convert({ bytes: received, events }) {
      const bytes = seals ? sealBytes(received, account) : received
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

const ENCRYPTED_MEMBER = '"encrypted_content"'

/** Encrypted content with the account that can read it. Most frames have none. */
export function sealBytes(bytes: Uint8Array, account: () => string): Uint8Array {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!buffer.includes(ENCRYPTED_MEMBER)) return bytes
  return Buffer.from(sealContent(buffer.toString('utf8'), account()))
}

/** Different protocols, or a channel with a response transform: every event is encoded again. */
export function convertingWriter(
  dialect: Dialect,
  context: ResponseContext,
  reshape: StreamTransform | undefined,
  dropped: DropCollector | undefined,
): StreamWriter {
  const encoder = dialect.createEncoder(context)
  return {
    convert({ events }) {
      if (dropped) for (const event of events) dropped.add(event)
      return encodeAll(encoder, reshape ? events.flatMap(reshape.event) : events)
    },
    closing: (usage) => encoder.end(usage),
  }
}

/** Collects a summary, which is sent as one item at the end. */
export function summaryWriter(context: ResponseContext): StreamWriter {
  const collector = createTextCollector()
  return {
    convert({ events }) {
      events.forEach(collector.add)
      return ''
    },
    isUseless: () => collector.text() === '',
    closing: (usage) => compactionStream({ context, summary: collector.text(), usage }),
  }
}

export function createTextCollector() {
  let text = ''
  return {
    add(event: CanonicalEvent): void {
      if (event.type === 'text-delta') text += event.text
    },
    text: () => text.trim(),
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
