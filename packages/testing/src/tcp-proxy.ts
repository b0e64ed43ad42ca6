import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A way through to a service that can be made slow, go silent, break or lead elsewhere while connections are open. */
export interface TcpProxy {
  readonly port: number
  /** Where new connections lead from now on. */
  leadTo(port: number): void
  /** Answers arrive this much later; 0 ends it. */
  delayAnswers(milliseconds: number): void
  /** Nothing passes any more, and nobody is told: no end, no reset. New connections are taken and stay silent too. */
  goSilent(): void
  /** Lets everything through again that waited. */
  speakAgain(): void
  /** New connections work. Those that are open stay silent for ever, and the service knows them no more. */
  forsake(): void
  /** Resets every open connection. */
  cutAll(): void
  close(): Promise<void>
}

interface Pair {
  near: Socket
  far: Socket
}

interface Silence {
  over: Promise<void>
  end(): void
}

/** Between a process of the site and a service on this machine. */
export async function tcpProxy(target: number): Promise<TcpProxy> {
  const pairs = new Set<Pair>()
  let leadsTo = target
  let delayMs = 0
  let silence: Silence | undefined

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
    const far = connect({ port: leadsTo, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
    const pair = { near, far }
    pairs.add(pair)
    pass(near, far, () => 0)
    pass(far, near, () => delayMs)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      socket.on('error', () => {})
      socket.once('close', (hadError) => {
        pairs.delete(pair)
        // Bad news travels no faster than data.
        void (silence?.over ?? Promise.resolve()).then(() => (hadError ? other.resetAndDestroy() : other.destroySoon()))
      })
    }
  })

  /** In order, each piece after its delay; a reader that is slow slows the writer down. */
  function pass(from: Socket, to: Socket, delay: () => number): void {
    let last: Promise<void> = Promise.resolve()
    const send = (work: () => void) => {
      const due = delay() > 0 ? new Promise<void>((resolve) => setTimeout(resolve, delay())) : undefined
      last = last.then(async () => {
        await due
        await silence?.over
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
  const speakAgain = () => {
    silence?.end()
    silence = undefined
  }
  return {
    port: (server.address() as AddressInfo).port,
    leadTo: (port) => void (leadsTo = port),
    delayAnswers: (milliseconds) => void (delayMs = milliseconds),
    goSilent() {
      const { promise, resolve } = Promise.withResolvers<void>()
      silence ??= { over: promise, end: resolve }
    },
    speakAgain,
    forsake() {
      silence = undefined // who waits for its end waits for ever
      for (const { far } of pairs) far.destroy()
    },
    cutAll,
    async close() {
      speakAgain()
      cutAll()
      server.close()
      if (server.listening) await once(server, 'close')
    },
  }
}
