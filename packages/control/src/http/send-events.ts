import type { FastifyInstance, FastifyReply } from 'fastify'
import { sendStream } from './send-stream.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Aborted when the server begins to close: answers that would go on for ever end then. */
    readonly closing: AbortSignal
  }
}

export function endEventsOnClose(app: FastifyInstance): void {
  const closing = new AbortController()
  app.decorate('closing', closing.signal)
  app.addHook('preClose', async () => closing.abort())
}

/** The last line keeps a proxy from collecting events before it passes them on. */
const EVENT_STREAM = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
}

/** Yielded between values, it becomes a comment: readers pass over it, and nobody on the way takes the quiet for an end. */
export const STILL_HERE = Symbol('still here')

/** Sends values as server-sent events until the reader leaves or the server closes. */
export async function sendEvents(
  reply: FastifyReply,
  make: (signal: AbortSignal) => AsyncIterable<unknown>,
): Promise<void> {
  await sendStream(reply, EVENT_STREAM, async function* (gone) {
    const signal = AbortSignal.any([gone, reply.server.closing])
    for await (const value of make(signal)) {
      yield value === STILL_HERE ? ': still here\n\n' : `data: ${JSON.stringify(value)}\n\n`
    }
  })
}
