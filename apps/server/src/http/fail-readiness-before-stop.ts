import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** Balancers hear of it within this time, and close connections that are idle for so long when they are set up for it. */
const LINGER_MS = 5_000

interface DrainOptions {
  /** Resolves when no call is left; those open at the deadline are ended. */
  drain(deadlineMs: number): Promise<void>
  /** The longest that calls may take. */
  drainMs: number
  /** Connections whose other side believes that they stay. */
  keptConnections: readonly Socket[]
}

/**
 * Goes away behind a balancer without failing a call. Those it sends until it knows are served; then new connections are
 * refused, which it may answer by asking somebody else; connections that it was promised are its to close, for a while.
 */
export async function drainBehindBalancer(
  server: Server,
  { drain, drainMs, keptConnections }: DrainOptions,
): Promise<void> {
  const lingerMs = Math.min(LINGER_MS, drainMs)
  await delay(lingerMs)
  // Of HTTP's own `close` only the half that stops listening: the other half cuts connections that are idle.
  NetServer.prototype.close.call(server)
  await drain(drainMs - lingerMs)
  await Promise.race([Promise.all(keptConnections.map(closed)), delay(lingerMs)])
}

async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await once(socket, 'close')
}
