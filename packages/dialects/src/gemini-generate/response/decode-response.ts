import { createEventCollector } from '../../canonical/collect-events.ts'
import type { CanonicalResponse, DecodeContext } from '../../canonical/index.ts'
import { createDecoder } from '../stream/decode-events.ts'

/** A whole response has the format of a stream event, so the stream decoder reads both. */
export function decodeResponse(text: string, context: DecodeContext): CanonicalResponse | undefined {
  const events = createDecoder(context)({ data: text })
  // Nothing but the start event: this is not a response.
  if (!events.some(({ type }) => type !== 'response-start')) return undefined
  const collector = createEventCollector()
  for (const event of events) collector.add(event)
  return collector.response()
}
