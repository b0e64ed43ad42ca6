import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface ResponseDrain {
  /** Follows the answers that a handler gives. */
  watch(handler: RequestListener): RequestListener
  /** From now on every answer says that it is the last on its connection. Gives the connections that were told otherwise. */
  start(): Socket[]
}

/**
 * Empties the connections that a balancer keeps. One that we close while it is idle may just have been chosen for the next
 * call, which a balancer must not send again; one that was announced to end is chosen for nothing.
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

function closeAfterResponse(response: ServerResponse): void {
  if (response.headersSent) return
  response.setHeader('connection', 'close')
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse
  // Streams are written with a head that says the connection stays.
  response.writeHead = (...args: unknown[]) => {
    const headers = args.at(-1)
    const setsConnection = typeof headers === 'object' && headers !== null && 'connection' in headers
    return setsConnection ? writeHead(...args.slice(0, -1), { ...headers, connection: 'close' }) : writeHead(...args)
  }
}
