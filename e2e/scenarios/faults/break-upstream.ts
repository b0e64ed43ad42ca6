import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { removeDirectory, tcpProxy, throwAwayDirectory, type TcpProxy } from '@tidegate/testing'
import type { Fault } from './fault.ts'
import { openLossyLink, type LossyLink } from './lossy-link.ts'
import { libraryOf } from './step-clock.ts'

const NAME = 'upstream.faults.test'

/** Connections to the upstream go silent but stay open. */
export const upstreamHalfOpen: Fault = {
  name: 'upstream connections half-open',
  linkBreaks: true,
  async prepare() {
    let proxy: TcpProxy | undefined
    return {
      environment: {
        async reachUpstream(url) {
          proxy = await tcpProxy(portOf(url))
          return `http://127.0.0.1:${proxy.port}`
        },
      },
      inject: async () => proxy!.stall(),
      repair: async () => proxy!.abandonConnections(),
      remove: async () => proxy?.close(),
    }
  },
}

/** The name of the upstream no longer resolves, and open connections are closed. */
export const upstreamNameGone: Fault = {
  name: "DNS gone for the upstream's name",
  linkBreaks: true,
  async prepare() {
    const directory = await throwAwayDirectory()
    const hosts = join(directory, 'hosts')
    await writeFile(hosts, `127.0.0.1 ${NAME}\n`)
    let proxy: TcpProxy | undefined
    return {
      environment: {
        env: { LD_PRELOAD: await libraryOf('libnss_wrapper.so'), NSS_WRAPPER_HOSTS: hosts },
        async reachUpstream(url) {
          proxy = await tcpProxy(portOf(url))
          return `http://${NAME}:${proxy.port}`
        },
      },
      async inject() {
        await writeFile(hosts, '127.0.0.1 other-host.test\n')
        proxy!.cutAll()
      },
      repair: () => writeFile(hosts, `127.0.0.1 ${NAME}\n`),
      async remove() {
        await proxy?.close()
        await removeDirectory(directory)
      },
    }
  },
}

/** One packet in a hundred is lost, in both directions. */
export const upstreamLossy: Fault = {
  name: '1 % of packets to the upstream lost',
  async prepare() {
    let link: LossyLink | undefined
    let lost = 0
    return {
      environment: {
        async reachUpstream(url) {
          link = await openLossyLink(portOf(url))
          return link.url
        },
      },
      inject: () => link!.lose(0.01),
      async repair() {
        lost = await link!.lostPackets()
        await link!.loseNothing()
      },
      hasTakenEffect: async () => lost > 0,
      remove: async () => link?.remove(),
    }
  },
}

function portOf(url: string): number {
  return Number(new URL(url).port)
}
