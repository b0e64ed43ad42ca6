import { tcpProxy, type TcpProxy } from '@tidegate/testing'
import { privatePostgres, type PrivateService } from '../private-services.ts'
import { exhaustConnections } from './exhaust-connections.ts'
import type { Fault } from './fault.ts'
import { postgresPair } from './postgres-pair.ts'

const SLOW_MS = 500

/** Stopped for a while. */
export const postgresStopped: Fault = {
  name: 'PostgreSQL stopped',
  async prepare() {
    const postgres = await privatePostgres()
    return {
      environment: { postgresUrl: postgres.url },
      inject: () => postgres.stop('fast'),
      repair: () => postgres.start(),
      remove: () => postgres.remove(),
    }
  },
}

/** Crashes and restarts at once, as under a supervisor. */
export const postgresRestarted: Fault = {
  name: 'PostgreSQL crashed and restarted',
  async prepare() {
    const postgres = await privatePostgres()
    return {
      environment: { postgresUrl: postgres.url },
      async inject() {
        await postgres.stop('immediate')
        await postgres.start()
      },
      repair: async () => {},
      remove: () => postgres.remove(),
    }
  },
}

export const postgresSlow: Fault = behindProxy(`PostgreSQL slow by ${SLOW_MS} ms`, {
  inject: async (proxy) => proxy.delayResponses(SLOW_MS),
  repair: async (proxy) => proxy.delayResponses(0),
})

/** A network that drops everything: connections stay open but silent. */
export const postgresSilent: Fault = behindProxy('PostgreSQL silent, connections half-open', {
  inject: async (proxy) => proxy.stall(),
  repair: async (proxy) => proxy.resume(),
})

/** Like silence, but the machine never returns: another one takes over its address. */
export const postgresVanished: Fault = behindProxy('PostgreSQL vanished, old connections never respond', {
  inject: async (proxy) => proxy.stall(),
  repair: async (proxy) => proxy.abandonConnections(),
})

export const postgresExhausted: Fault = {
  name: 'PostgreSQL out of connections',
  async prepare() {
    const postgres = await privatePostgres()
    let crowd: ReturnType<typeof exhaustConnections> | undefined
    return {
      environment: { postgresUrl: postgres.url },
      inject: async () => void (crowd = exhaustConnections(postgres.url)),
      repair: async () => crowd?.leave(),
      async remove() {
        await crowd?.leave()
        await postgres.remove()
      },
    }
  },
}

/** The primary is killed, its standby is promoted, and the address points to the standby. */
export const postgresFailedOver: Fault = {
  name: 'PostgreSQL failed over to its standby',
  async prepare() {
    const pair = await postgresPair()
    const proxy = await proxyOf(pair.primary)
    return {
      environment: { postgresUrl: `postgres://postgres@127.0.0.1:${proxy.port}/postgres` },
      inject: () => pair.primary.stop('immediate'),
      async repair() {
        await pair.promote()
        proxy.setTarget(pair.standbyPort)
      },
      async remove() {
        await proxy.close()
        await pair.remove()
      },
    }
  },
}

function behindProxy(name: string, work: Record<'inject' | 'repair', (proxy: TcpProxy) => Promise<void>>): Fault {
  return {
    name,
    async prepare() {
      const postgres = await privatePostgres()
      const proxy = await proxyOf(postgres)
      return {
        environment: { postgresUrl: `postgres://postgres@127.0.0.1:${proxy.port}/postgres` },
        inject: () => work.inject(proxy),
        repair: () => work.repair(proxy),
        async remove() {
          await proxy.close()
          await postgres.remove()
        },
      }
    },
  }
}

function proxyOf({ url }: PrivateService): Promise<TcpProxy> {
  return tcpProxy(Number(new URL(url).port))
}
