import type { UsageReport } from '@tidegate/contract'
import type { AnswerContext, CanonicalEvent, Dialect, EventEncoder, RequestHead } from '@tidegate/dialects'
import type { HeardFrame } from './event-stream.ts'
import type { Reshape } from './reshape.ts'

type ResponseStart = Extract<CanonicalEvent, { type: 'response-start' }>

/** Makes a client's stream out of a vendor's. */
export interface StreamWriter {
  /** What to send for a frame; blank when it is for us alone. */
  take(frame: HeardFrame): Uint8Array | string
  /** The last bytes, for when the call is settled. */
  closing(usage: UsageReport): Uint8Array | string
}

/** Client and vendor speak alike: frames are passed on byte for byte, short of the end mark. */
export function passingWriter(dialect: Dialect, { includeUsage }: Pick<RequestHead, 'includeUsage'>): StreamWriter {
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

/** Client and vendor speak differently, or the operator wants answers reshaped: every event is written anew. */
export function convertingWriter(dialect: Dialect, context: AnswerContext, reshape: Reshape | undefined): StreamWriter {
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
