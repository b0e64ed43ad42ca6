import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** Load balancers detect the failing readiness check within this time, and may close idle connections after it. */
const LINGER_MS = 5_000

interface DrainOptions {
  /** Resolves when no request is open. Requests still open at the deadline are aborted. */
  drain(deadlineMs: number): Promise<void>
  /** Maximum time for open requests. */
  drainMs: number
  /** Keep-alive connections whose client expects to use them again. */
  keptConnections: readonly Socket[]
}

/**
 * Stops behind a load balancer without failed requests. First serves requests until the balancer has detected the
 * failing readiness check. Then stops listening: the balancer can retry rejected connections elsewhere. Kept
 * connections get time to be closed by the balancer.
 */
export async function drainBehindBalancer(
  server: Server,
  { drain, drainMs, keptConnections }: DrainOptions,
): Promise<void> {
  const lingerMs = Math.min(LINGER_MS, drainMs)
  await delay(lingerMs)
  // `close` of the HTTP server would also close idle connections; `close` of its base class only stops listening.
  NetServer.prototype.close.call(server)
  await drain(drainMs - lingerMs)
  await Promise.race([Promise.all(keptConnections.map(waitForClose)), delay(lingerMs)])
}

/**
 * Leaves a port that other processes already serve. New connections go to them at once. Responses on kept connections
 * end these; idle connections get time for one more request, because a request must not meet a closing connection.
 */
export async function drainAfterHandover(
  server: Server,
  { drain, drainMs }: Pick<DrainOptions, 'drain' | 'drainMs'>,
): Promise<void> {
  NetServer.prototype.close.call(server)
  const startedAt = performance.now()
  const idleUntil = startedAt + Math.min(LINGER_MS, drainMs)
  await drain(drainMs)
  while (performance.now() < idleUntil && (await countConnections(server)) > 0) await delay(CONNECTION_POLL_MS)
  await drain(Math.max(0, startedAt + drainMs - performance.now())) // requests that kept connections brought meanwhile
}

const CONNECTION_POLL_MS = 50

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count ?? 0)))
}

async function waitForClose(socket: Socket): Promise<void> {
  if (!socket.closed) await once(socket, 'close')
}
