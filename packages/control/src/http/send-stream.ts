import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyReply } from 'fastify'

/** Cuts a stream off: the caller may no longer have the rest. */
export class AccessEnded extends Error {
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
    if (!gone.signal.aborted && !(error instanceof AccessEnded)) throw error
  }
}
