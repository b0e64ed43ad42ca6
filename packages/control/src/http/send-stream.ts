import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Cuts a stream off: the caller may no longer have the rest. */
export class AccessRevoked extends Error {
  override readonly name = 'AccessEnded'
}

/**
 * Sends an answer while it is being made, no faster than the client reads it. Ends when the client has it all or is
 * gone; `signal` lets whatever makes it know. A failure cuts the answer off, so that nobody takes a part for the whole.
 */
export async function sendStream(
  reply: FastifyReply,
  headers: Readonly<Record<string, string>>,
  make: (signal: AbortSignal) => AsyncIterable<string>,
): Promise<void> {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  reply.hijack()
  // A connection that becomes idle while the server closes would hold it up until it times out.
  reply.raw.writeHead(200, { ...reply.getHeaders(), ...headers, connection: 'close' } as Record<string, string>)
  reply.raw.flushHeaders()
  try {
    await pipeline(Readable.from(make(gone.signal), { objectMode: false }), reply.raw)
  } catch (error) {
    if (!gone.signal.aborted && !(error instanceof AccessRevoked)) throw error
  }
}

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
export const KEEP_ALIVE = Symbol('still here')

/** Sends values as server-sent events until the reader leaves or the server closes. */
export async function sendEvents(
  reply: FastifyReply,
  make: (signal: AbortSignal) => AsyncIterable<unknown>,
): Promise<void> {
  await sendStream(reply, EVENT_STREAM, async function* (gone) {
    const signal = AbortSignal.any([gone, reply.server.closing])
    for await (const value of make(signal)) {
      yield value === KEEP_ALIVE ? ': still here\n\n' : `data: ${JSON.stringify(value)}\n\n`
    }
  })
}
