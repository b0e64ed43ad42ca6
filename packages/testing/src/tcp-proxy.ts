import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A TCP proxy that can delay, stall, cut or redirect connections. */
export interface TcpProxy {
  readonly port: number
  /** Target port of new connections. */
  setTarget(port: number): void
  /** Delay of responses; 0 for none. */
  delayResponses(milliseconds: number): void
  /** Stalls all traffic without closing connections. New connections are accepted and stall too. */
  stall(): void
  /** Resumes stalled traffic. */
  resume(): void
  /** Open connections stall for ever and are closed towards the service. New connections work. */
  abandonConnections(): void
  /** Resets every open connection. */
  cutAll(): void
  close(): Promise<void>
}

interface Pair {
  near: Socket
  far: Socket
}

interface Stall {
  over: Promise<void>
  end(): void
}

/** Sees what clients send, piece by piece. `connection` identifies the connection. */
export type ObserveSent = (connection: object, piece: Buffer) => void

/** Proxies connections to a port on this machine. */
export async function tcpProxy(target: number, observe?: ObserveSent): Promise<TcpProxy> {
  const pairs = new Set<Pair>()
  let targetPort = target
  let delayMs = 0
  let stall: Stall | undefined

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
    const far = connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
    const pair = { near, far }
    pairs.add(pair)
    if (observe) near.on('data', (piece: Buffer) => observe(pair, piece))
    forward(near, far, () => 0)
    forward(far, near, () => delayMs)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      socket.on('error', () => {})
      socket.once('close', (hadError) => {
        pairs.delete(pair)
        // Closing also waits for the stall to end.
        void (stall?.over ?? Promise.resolve()).then(() => (hadError ? other.resetAndDestroy() : other.destroySoon()))
      })
    }
  })

  /** Forwards data in order, with delay and backpressure. */
  function forward(from: Socket, to: Socket, delay: () => number): void {
    let last: Promise<void> = Promise.resolve()
    const send = (work: () => void) => {
      const due = delay() > 0 ? new Promise<void>((resolve) => setTimeout(resolve, delay())) : undefined
      last = last.then(async () => {
        await due
        await stall?.over
        work()
      })
    }
    from.on('data', (piece: Buffer) => {
      send(() => {
        if (!to.destroyed && !to.write(piece)) from.pause()
      })
    })
    to.on('drain', () => from.resume())
    from.on('end', () => send(() => to.end()))
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cutAll = () => {
    for (const { near, far } of pairs) {
      near.resetAndDestroy()
      far.resetAndDestroy()
    }
  }
  const resume = () => {
    stall?.end()
    stall = undefined
  }
  return {
    port: (server.address() as AddressInfo).port,
    setTarget: (port) => void (targetPort = port),
    delayResponses: (milliseconds) => void (delayMs = milliseconds),
    stall() {
      const { promise, resolve } = Promise.withResolvers<void>()
      stall ??= { over: promise, end: resolve }
    },
    resume,
    abandonConnections() {
      stall = undefined // its `over` never resolves
      for (const { far } of pairs) far.destroy()
    },
    cutAll,
    async close() {
      resume()
      cutAll()
      server.close()
      if (server.listening) await once(server, 'close')
    },
  }
}
