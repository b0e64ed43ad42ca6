import { logEvent, type Log } from '@tidegate/contract'
import { createClient } from '@redis/client'
import { limiterScripts } from './redis-scripts.ts'
import { sliceScripts } from './slice-scripts.ts'

export interface RedisOptions {
  log?: Log
  connectTimeoutMs?: number
  /** A command that takes longer fails, so that requests never wait for a hanging Redis. */
  commandTimeoutMs?: number
}

export interface RedisHandle {
  readonly client: ReturnType<typeof newRedisClient>
  readonly prefix: string
  isReady(): boolean
  /** Returns the result of a command; rejects when Redis is unreachable or slow. */
  withTimeout<Result>(command: Promise<Result>): Promise<Result>
  /** Throws unless Redis responds. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Resolves after the first attempt to connect, whether it succeeded or not. Retries continue in the background. */
export async function connectRedis(url: string, prefix: string, options: RedisOptions = {}): Promise<RedisHandle> {
  const { log, connectTimeoutMs = 2_000, commandTimeoutMs = 250 } = options
  const client = newRedisClient(url, prefix, connectTimeoutMs)
  let isLossLogged = false
  const firstAttempt = new Promise<void>((resolve) => {
    client.on('ready', () => {
      if (isLossLogged) logEvent(log, 'redis.connected')
      isLossLogged = false
      resolve()
    })
    client.on('error', (error: unknown) => {
      if (!isLossLogged) logEvent(log, 'redis.unavailable', { err: error })
      isLossLogged = true
      resolve()
    })
  })
  client.connect().catch(() => {}) // rejects only when closed before the first connection
  await firstAttempt

  const withCommandTimeout = <Result>(command: Promise<Result>) => withTimeout(command, commandTimeoutMs)
  return {
    client,
    prefix,
    isReady: () => client.isReady,
    withTimeout: withCommandTimeout,
    async ping() {
      await withCommandTimeout(client.ping())
    },
    async close() {
      if (client.isOpen) client.destroy()
    },
  }
}

function newRedisClient(url: string, prefix: string, connectTimeout: number) {
  return createClient({
    url,
    keyPrefix: prefix,
    disableOfflineQueue: true,
    pingInterval: 10_000,
    scripts: { ...limiterScripts, ...sliceScripts },
    socket: { connectTimeout, reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, 2_000) },
  })
}

/** The timeout runs in slices, so that an event loop that was blocked uses up only one slice of it. */
const TIMEOUT_SLICES = 5

/** The client's own timeout covers only sending a command, so the wait for the reply is limited here. */
async function withTimeout<Result>(command: Promise<Result>, ms: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  try {
    return await Promise.race([
      command,
      new Promise<never>((_, reject) => {
        const wait = (slices: number) => {
          if (slices === 0) reject(new Error(`Redis did not respond within ${ms} ms`))
          else timer = setTimeout(wait, ms / TIMEOUT_SLICES, slices - 1)
        }
        wait(TIMEOUT_SLICES)
      }),
    ])
  } finally {
    clearTimeout(timer)
  }
}
