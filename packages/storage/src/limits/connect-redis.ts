import { createClient } from '@redis/client'
import type { Log } from '../log.ts'
import { limiterScripts } from './redis-scripts.ts'

export interface RedisOptions {
  log?: Log
  connectTimeoutMs?: number
  /** A command that takes longer counts as failed: a request never waits for a Redis that hangs. */
  commandTimeoutMs?: number
}

export interface RedisHandle {
  readonly client: ReturnType<typeof newRedisClient>
  readonly prefix: string
  isReady(): boolean
  /** The answer of a command, or an error when Redis is away or slow. */
  withTimeout<Result>(command: Promise<Result>): Promise<Result>
  /** Throws unless Redis answers. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Resolves once connected or once the first attempt has failed; it goes on trying in the background. */
export async function connectRedis(url: string, prefix: string, options: RedisOptions = {}): Promise<RedisHandle> {
  const { log, connectTimeoutMs = 2_000, commandTimeoutMs = 250 } = options
  const client = newRedisClient(url, prefix, connectTimeoutMs)
  let isLossLogged = false
  const firstAttempt = new Promise<void>((resolve) => {
    client.on('ready', () => {
      if (isLossLogged) log?.info({}, 'connected to Redis again')
      isLossLogged = false
      resolve()
    })
    client.on('error', (error: unknown) => {
      if (!isLossLogged) log?.warn({ err: error }, 'Redis is away')
      isLossLogged = true
      resolve()
    })
  })
  client.connect().catch(() => {}) // rejects only when closed before it ever connected
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
    scripts: limiterScripts,
    socket: { connectTimeout, reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, 2_000) },
  })
}

/** A process that was busy itself hears late of an answer that came in time: that uses up one slice of the wait. */
const TIMEOUT_SLICES = 5

/** The client's own timeout ends with the sending of a command, so waiting for the reply is bounded here. */
async function withTimeout<Result>(command: Promise<Result>, ms: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  try {
    return await Promise.race([
      command,
      new Promise<never>((_, reject) => {
        const wait = (slices: number) => {
          if (slices === 0) reject(new Error(`Redis did not answer within ${ms} ms`))
          else timer = setTimeout(wait, ms / TIMEOUT_SLICES, slices - 1)
        }
        wait(TIMEOUT_SLICES)
      }),
    ])
  } finally {
    clearTimeout(timer)
  }
}
