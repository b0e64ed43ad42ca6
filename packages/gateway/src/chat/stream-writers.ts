import type { UsageReport } from '@tidegate/contract'
import type {
  AnswerContext,
  CanonicalAnswer,
  CanonicalEvent,
  Dialect,
  EventEncoder,
  Part,
  RequestHead,
} from '@tidegate/dialects'
import type { CatalogChannel } from '../ports/index.ts'
import type { ReceivedFrame } from './first-content.ts'

type ResponseStart = Extract<CanonicalEvent, { type: 'response-start' }>

/** Makes a client's stream out of a provider's. */
export interface StreamWriter {
  /** What to send for a frame; blank when it is for us alone. */
  take(frame: ReceivedFrame): Uint8Array | string
  /** The last bytes, for when the call is settled. */
  closing(usage: UsageReport): Uint8Array | string
}

/** Client and provider speak alike: frames are passed on byte for byte, short of the end mark. */
export function passThroughWriter(dialect: Dialect, { includeUsage }: Pick<RequestHead, 'includeUsage'>): StreamWriter {
  let terminal: Uint8Array | undefined
  let start: ResponseStart | undefined
  let sentUsage = false
  return {
    take({ bytes, events }) {
      for (const event of events) {
        if (event.type === 'done') {
          terminal = bytes
          return ''
        }
        if (event.type === 'response-start') start ??= event
      }
      const isUsageAlone = events.length > 0 && events.every(({ type }) => type === 'usage')
      // Counts the client did not ask for were asked for by us.
      if (isUsageAlone && !includeUsage) return ''
      sentUsage ||= isUsageAlone
      return bytes
    },
    closing: (usage) => dialect.closing({ terminal, wantsUsage: includeUsage, sentUsage, usage, start }),
  }
}

/** Client and provider speak differently, or the operator wants answers reshaped: every event is written anew. */
export function convertingWriter(
  dialect: Dialect,
  context: AnswerContext,
  reshape: StreamTransform | undefined,
): StreamWriter {
  const encoder = dialect.createEncoder(context)
  return {
    take: ({ events }) => encodeAll(encoder, reshape ? events.flatMap(reshape.event) : events),
    closing: (usage) => encoder.end(usage),
  }
}

function encodeAll(encoder: EventEncoder, events: readonly CanonicalEvent[]): string {
  let text = ''
  for (const event of events) text += encoder.encode(event)
  return text
}

/** A change the operator wants in a channel's answers, in both forms an answer can have. */
interface StreamTransform {
  event(event: CanonicalEvent): CanonicalEvent[]
  answer(answer: CanonicalAnswer): CanonicalAnswer
}

/** Whether answers are to be written anew even when client and provider speak alike. */
export function isRewritten({ setting }: Pick<CatalogChannel, 'setting'>): boolean {
  return setting.force_format === true || setting.thinking_to_content === true
}

export function transformFor({ setting }: Pick<CatalogChannel, 'setting'>): StreamTransform | undefined {
  return setting.thinking_to_content === true ? thinkingAsText() : undefined
}

const OPENING = '<think>\n'
const CLOSING = '\n</think>\n\n'

/** Thoughts become text between two tags, for clients that show nothing else. One text block holds thoughts and answer. */
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
    answer: (answer) => ({ ...answer, parts: answer.parts.map(thoughtAsText) }),
  }
}

function thoughtAsText(part: Part): Part {
  return part.type === 'thinking' ? { type: 'text', text: OPENING + part.text + CLOSING } : part
}
