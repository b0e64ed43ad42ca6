import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface ResponseDrain {
  /** Tracks the responses of a handler. */
  watch(handler: RequestListener): RequestListener
  /**
   * Marks every further response as the last on its connection. Returns connections whose response headers were already
   * sent.
   */
  start(): Socket[]
}

/**
 * Drains the keep-alive connections of a load balancer. If the server closed an idle connection, the balancer could
 * just have sent a request on it, which it must not retry. After `connection: close` it sends no further request.
 */
export function createResponseDrain(): ResponseDrain {
  const open = new Set<ServerResponse>()
  let isDraining = false
  return {
    watch: (handler) => (request, response) => {
      if (isDraining) closeAfterResponse(response)
      else {
        open.add(response)
        response.once('close', () => open.delete(response))
      }
      handler(request, response)
    },
    start() {
      isDraining = true
      const tooLate = [...open].filter(({ headersSent }) => headersSent)
      for (const response of open) closeAfterResponse(response)
      return tooLate.flatMap(({ socket }) => socket ?? [])
    },
  }
}

/** The headers as an object, or as a list of names and values in turn. */
function closing(headers: object): object {
  if (!Array.isArray(headers)) return 'connection' in headers ? { ...headers, connection: 'close' } : headers
  const at = headers.findIndex((item, index) => index % 2 === 0 && item === 'connection')
  return at === -1 ? headers : headers.with(at + 1, 'close')
}

function closeAfterResponse(response: ServerResponse): void {
  if (response.headersSent) return
  response.setHeader('connection', 'close')
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse
  // Streams set `connection: keep-alive` in `writeHead`; it is replaced.
  response.writeHead = (...args: unknown[]) => {
    const headers = args.at(-1)
    return writeHead(...args.slice(0, -1), typeof headers === 'object' && headers !== null ? closing(headers) : headers)
  }
}
