import { randomBytes } from 'node:crypto'
import { createClient } from '@redis/client'

export interface ThrowAwayRedis {
  readonly url: string
  /** Unique prefix of every key. */
  readonly prefix: string
  /** Deletes the keys with the prefix. */
  close(): Promise<void>
}

/** A key prefix in the test Redis for one test. */
export function throwAwayRedis(): ThrowAwayRedis {
  const url = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'
  const prefix = `tidegate-test-${randomBytes(6).toString('hex')}:`
  return {
    url,
    prefix,
    async close() {
      const client = createClient({ url })
      await client.connect()
      try {
        for await (const keys of client.scanIterator({ MATCH: `${prefix}*`, COUNT: 1_000 })) {
          if (keys.length > 0) await client.del(keys)
        }
      } finally {
        client.destroy()
      }
    },
  }
}
