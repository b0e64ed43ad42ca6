import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface LastAnswers {
  /** Follows the answers that a handler gives. */
  watch(handler: RequestListener): RequestListener
  /** From now on every answer says that it is the last on its connection. Gives the connections that were told otherwise. */
  begin(): Socket[]
}

/**
 * Empties the connections that a balancer keeps. One that we close while it is idle may just have been chosen for the next
 * call, which a balancer must not send again; one that was announced to end is chosen for nothing.
 */
export function createLastAnswers(): LastAnswers {
  const open = new Set<ServerResponse>()
  let begun = false
  return {
    watch: (handler) => (request, response) => {
      if (begun) announceEnd(response)
      else {
        open.add(response)
        response.once('close', () => open.delete(response))
      }
      handler(request, response)
    },
    begin() {
      begun = true
      const tooLate = [...open].filter(({ headersSent }) => headersSent)
      for (const response of open) announceEnd(response)
      return tooLate.flatMap(({ socket }) => socket ?? [])
    },
  }
}

function announceEnd(response: ServerResponse): void {
  if (response.headersSent) return
  response.setHeader('connection', 'close')
  const writeHead = response.writeHead.bind(response) as (...words: unknown[]) => ServerResponse
  // Streams are written with a head that says the connection stays.
  response.writeHead = (...words: unknown[]) => {
    const headers = words.at(-1)
    const says = typeof headers === 'object' && headers !== null && 'connection' in headers
    return says ? writeHead(...words.slice(0, -1), { ...headers, connection: 'close' }) : writeHead(...words)
  }
}
