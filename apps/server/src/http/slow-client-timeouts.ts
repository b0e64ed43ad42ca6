import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

export interface ClientTimeouts {
  /** Time to receive all headers. */
  headersMs: number
  /** Time to receive the whole request: enough for the largest body at 1 Mbit/s. */
  requestMs: number
  /** Maximum time between two pieces of a body. */
  stallMs: number
}

export const CLIENT_TIMEOUTS: ClientTimeouts = { headersMs: 20_000, requestMs: 300_000, stallMs: 30_000 }
/** Node's interval for checking timeouts: the upper bound of their delay. */
export const TIMEOUT_CHECK_MS = 5_000

/** HTTP server that disconnects slow clients: slow headers, slow bodies, stalled bodies. */
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

/** Closes the connection when the body stalls. Stops watching at the end of the body: providers may be slow. */
function watchBody(request: IncomingMessage, response: ServerResponse, stallMs: number): void {
  const { socket } = request
  socket.setTimeout(stallMs)
  request.once('end', () => {
    // If the response was sent before the body was read, the idle timeout of the connection applies.
    if (!response.writableFinished) socket.setTimeout(0)
  })
}
