import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Ends a stream when the caller loses access. */
export class AccessRevoked extends Error {
  override readonly name = 'AccessRevoked'
}

/**
 * Streams a response at the speed of the client. Ends when it is complete or the client disconnects, which aborts
 * `signal`. On failure the connection is closed, so a partial response is not mistaken for a complete one.
 */
export async function sendStream(
  reply: FastifyReply,
  headers: Readonly<Record<string, string>>,
  make: (signal: AbortSignal) => AsyncIterable<string>,
): Promise<void> {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  reply.hijack()
  // An idle connection would delay the shutdown until it times out.
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
    /** Aborted when the server starts to close; ends endless responses. */
    readonly closing: AbortSignal
  }
}

export function endEventsOnClose(app: FastifyInstance): void {
  const closing = new AbortController()
  app.decorate('closing', closing.signal)
  app.addHook('preClose', async () => closing.abort())
}

/** The last header stops proxies from buffering events. */
const EVENT_STREAM = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
}

/** Sent as a comment between events, so that clients and proxies do not time out. */
export const KEEP_ALIVE = Symbol('still here')

/** Sends server-sent events until the client disconnects or the server closes. */
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
