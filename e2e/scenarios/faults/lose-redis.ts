import { tcpProxy, type TcpProxy } from '@tidegate/testing'
import { privateRedis } from '../private-services.ts'
import type { Fault } from './fault.ts'

const SLOW_MS = 500

/** Stopped for a while. */
export const redisStopped: Fault = {
  name: 'Redis stopped',
  async prepare() {
    const redis = await privateRedis()
    return {
      environment: { redisUrl: redis.url },
      inject: () => redis.stop(),
      repair: () => redis.start(),
      remove: () => redis.remove(),
    }
  },
}

/** Restarts at once without its data. */
export const redisEmptied: Fault = {
  name: 'Redis restarted empty',
  async prepare() {
    const redis = await privateRedis()
    return {
      environment: { redisUrl: redis.url },
      async inject() {
        await redis.stop()
        await redis.start()
      },
      repair: async () => {},
      remove: () => redis.remove(),
    }
  },
}

/** Slower than a request waits. */
export const redisSlow: Fault = behindProxy(`Redis slow by ${SLOW_MS} ms`, {
  inject: async (proxy) => proxy.delayResponses(SLOW_MS),
  repair: async (proxy) => proxy.delayResponses(0),
})

/** Frozen: connections stay open and new ones are accepted, but no response is sent. */
export const redisSilent: Fault = behindProxy('Redis silent, connections half-open', {
  inject: async (proxy) => proxy.stall(),
  repair: async (proxy) => proxy.resume(),
})

function behindProxy(name: string, work: Record<'inject' | 'repair', (proxy: TcpProxy) => Promise<void>>): Fault {
  return {
    name,
    async prepare() {
      const redis = await privateRedis()
      const proxy = await tcpProxy(Number(new URL(redis.url).port))
      return {
        environment: { redisUrl: `redis://127.0.0.1:${proxy.port}` },
        inject: () => work.inject(proxy),
        repair: () => work.repair(proxy),
        async remove() {
          await proxy.close()
          await redis.remove()
        },
      }
    },
  }
}
