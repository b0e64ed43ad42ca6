import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

export interface ClientTimeouts {
  /** Until the headers are all there. */
  headersMs: number
  /** Until the whole request is: at a megabit a second that is enough for the largest body. */
  requestMs: number
  /** Without a byte of a body that is still to come. */
  stallMs: number
}

export const CLIENT_TIMEOUTS: ClientTimeouts = { headersMs: 20_000, requestMs: 300_000, stallMs: 30_000 }
/** How much later than it could a client may be let go of: Node looks at all connections so often. */
export const TIMEOUT_CHECK_MS = 5_000

/** A server that lets go of clients that do not get on with what they want to say, whatever they hold up. */
export function createServerWithTimeouts(options: ServerOptions, handler: Handler, timeouts = CLIENT_TIMEOUTS): Server {
  const { headersMs, requestMs, stallMs } = timeouts
  return createServer(
    {
      ...options,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, headersMs),
    },
    (request, response) => {
      if (hasBody(request)) watchBody(request, response, stallMs)
      handler(request, response)
    },
  )
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** The connection is closed when nothing comes. Vendors may take their time: the watch ends with the body. */
function watchBody(request: IncomingMessage, response: ServerResponse, stallMs: number): void {
  const { socket } = request
  socket.setTimeout(stallMs)
  request.once('end', () => {
    // Refused early, before all was read: from the answer on the time that idle connections have counts.
    if (!response.writableFinished) socket.setTimeout(0)
  })
}
