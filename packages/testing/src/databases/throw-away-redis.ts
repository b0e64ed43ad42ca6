import { randomBytes } from 'node:crypto'
import { createClient } from '@redis/client'

export interface ThrowAwayRedis {
  readonly url: string
  /** Put before every key; nobody else has it. */
  readonly prefix: string
  /** Removes the keys under the prefix. */
  close(): Promise<void>
}

/** A corner of the test Redis for one test. */
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
