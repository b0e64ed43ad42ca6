import { type IncomingMessage, request as sendRequest, type RequestListener, type ServerResponse } from 'node:http'
import { errorMessage, preferredLanguage } from '@tidegate/contract'

/** The address of the client. Believed only on the socket of control, which no other user can open. */
const CLIENT_HEADER = 'x-tidegate-client'
/** Headers of one connection, which are not forwarded. */
const HOP_BY_HOP = new Set(
  'connection,keep-alive,proxy-connection,transfer-encoding,upgrade,te,trailer,expect'.split(','),
)

/**
 * Forwards requests to the control process, with headers and bodies unchanged. Each request has its own connection, so
 * that its client address cannot be taken for that of another.
 */
export function createForwarder(socketPath: string): RequestListener {
  return (request, response) => {
    const { method, url: path, headers } = request
    const forwarded = sendRequest({
      socketPath,
      method,
      path,
      agent: false,
      setHost: false,
      headers: [
        ...endToEnd(request.rawHeaders),
        CLIENT_HEADER,
        request.socket.remoteAddress ?? '',
        ...bodyHeaders(headers),
      ],
    })
    forwarded.once('response', (received) => {
      response.writeHead(received.statusCode!, received.statusMessage, endToEnd(received.rawHeaders))
      response.flushHeaders() // an event stream may have no event for a while
      received.pipe(response)
      received.once('error', () => response.destroy())
    })
    forwarded.once('error', () => {
      // A response that has begun cannot become an error.
      if (response.headersSent) response.destroy()
      else sendUnavailable(request, response)
    })
    response.once('close', () => forwarded.destroy())
    request.pipe(forwarded)
  }
}

/** A request without a body says so: otherwise a POST would be sent with an empty body in chunks. */
function bodyHeaders(headers: IncomingMessage['headers']): string[] {
  if (headers['transfer-encoding'] !== undefined) return ['transfer-encoding', 'chunked']
  return headers['content-length'] === undefined ? ['content-length', '0'] : []
}

/** Control is down or starts. Requests of the gateway are not affected. */
function sendUnavailable(request: IncomingMessage, response: ServerResponse): void {
  const language = preferredLanguage(request.headers['accept-language'], 'en')
  const body = JSON.stringify({
    success: false,
    message: errorMessage('service_unavailable', language),
    code: 'service_unavailable',
  })
  response.writeHead(503, {
    'content-type': 'application/json; charset=utf-8',
    'retry-after': '1',
    connection: 'close',
  })
  response.end(body)
}

/** On the socket of control: gives requests the address of their client. */
export function acceptForwarded(handler: RequestListener): RequestListener {
  return (request, response) => {
    const value = request.headers[CLIENT_HEADER]
    Object.defineProperty(request.socket, 'remoteAddress', { value: typeof value === 'string' ? value : undefined })
    delete request.headers[CLIENT_HEADER]
    handler(request, response)
  }
}

function endToEnd(rawHeaders: readonly string[]): string[] {
  const kept: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase()
    if (!HOP_BY_HOP.has(name) && name !== CLIENT_HEADER) kept.push(rawHeaders[at]!, rawHeaders[at + 1]!)
  }
  return kept
}
