import { setTimeout as delay } from 'node:timers/promises'
import { ApiError } from '@tidegate/contract'
import type { ApiRequest } from '../http/api-request.ts'
import type { Endpoint } from '../http/endpoints.ts'
import { requireField } from '../http/read-body.ts'
import type { Caller, ResponseStore, StoredResponse } from '../ports/index.ts'
import type { EventFormat } from './event-format.ts'
import { type TurnFormat, turnFormat } from './turn-format.ts'

const POLL_EVERY_MS = 300
const PING_EVERY_MS = 15_000

type StoredResponseEndpoint = Extract<Endpoint, { kind: 'stored-response' }>

/** Sends the events of a background response after the last one that the client has, until the response ends. */
export async function resumeStream(
  store: ResponseStore,
  incoming: ApiRequest,
  { id, protocol }: Pick<StoredResponseEndpoint, 'id' | 'protocol'>,
  { userId }: Pick<Caller, 'userId'>,
): Promise<void> {
  const format = turnFormat(protocol)
  const { events: eventFormat } = format
  const load = () => find(store, { userId, id, format })
  let after = lastNumberIn(incoming, eventFormat)
  let stored = await load()
  let events = await store.findEvents(userId, id, -1)
  requireField(
    events.length > 0 && stored.response.background === true,
    `stream is only possible for a ${format.object} that was created with background and stream`,
  )
  const { writer } = incoming
  // The first ping sends the headers: there may be no event for long.
  writer.keepAlive({ frame: incoming.dialect.pingFrame, everyMs: PING_EVERY_MS, firstMs: 0 })
  for (;;) {
    for (const { first, events: chunk } of events) {
      for (const [index, event] of chunk.entries()) {
        if (first + index <= after) continue
        after = first + index
        await writer.write(eventFormat.frame(event))
        if (eventFormat.isEnd(event)) return writer.end('')
      }
    }
    // Read before the status: the last events are stored before the status changes.
    if (!isRunning(stored)) {
      // Its own end is not stored: its process ended, or the stream was too long.
      const last = eventFormat.numbered(eventFormat.end(stored.response), after + 1, { id })
      return writer.end(eventFormat.frame(last))
    }
    await delay(POLL_EVERY_MS, undefined, { signal: incoming.signal })
    stored = await load()
    events = await store.findEvents(userId, id, after)
  }
}

/** Whether the client requests the stream of a stored response. */
export function isStreamRequest(
  { request: { url = '' } }: Pick<ApiRequest, 'request'>,
  endpoint: Endpoint,
): endpoint is StoredResponseEndpoint {
  if (endpoint.kind !== 'stored-response' || endpoint.action !== 'show') return false
  return new URL(url, 'http://gateway').searchParams.get('stream') === 'true'
}

/** The number of the last event that the client has; -1 without one. */
function lastNumberIn({ request: { url = '' } }: ApiRequest, { resumedAfter, numberIn }: EventFormat): number {
  const parameter = new URL(url, 'http://gateway').searchParams.get(resumedAfter)
  if (parameter === null) return -1
  const number = numberIn(parameter)
  if (number !== undefined) return number
  throw new ApiError('invalid_text_request', { reason: `${resumedAfter} must name an event of the stream` })
}

async function find(
  store: ResponseStore,
  { userId, id, format }: { readonly userId: number; readonly id: string; readonly format: TurnFormat },
): Promise<StoredResponse> {
  const stored = await store.find(userId, id)
  if (stored?.response.object !== format.object) throw new ApiError(format.notFound, { id })
  return stored
}

function isRunning({ status }: StoredResponse): boolean {
  return status === 'queued' || status === 'in_progress'
}
