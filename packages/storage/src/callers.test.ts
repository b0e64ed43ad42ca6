import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { callerCache } from './callers.ts'

interface Caller {
  userId: number
  name: string
}

/** A store of callers that counts its reads and can hold back its responses. */
function callerStore(initial: Record<string, Caller>) {
  const rows = new Map(Object.entries(initial))
  const waiting: (() => void)[] = []
  const state = { loads: 0, held: false, unavailable: false }
  return {
    rows,
    state,
    release: () => waiting.splice(0).forEach((resume) => resume()),
    async load(hash: string): Promise<Caller | undefined> {
      state.loads += 1
      const result = rows.get(hash)
      if (state.held) await new Promise<void>((resume) => waiting.push(resume))
      if (state.unavailable) throw new Error('the database is unavailable')
      return result
    },
  }
}

const ada = { userId: 1, name: 'ada' }
const bob = { userId: 2, name: 'bob' }

describe('the caller cache', () => {
  it('loads a caller once', async () => {
    const store = callerStore({ a: ada })
    const cache = callerCache(store)

    expect(await cache.get('a')).toEqual(ada)
    expect(await cache.get('a')).toEqual(ada)
    expect(store.state.loads).toBe(1)
  })

  it('joins concurrent misses into one load', async () => {
    const store = callerStore({ a: ada })
    const cache = callerCache(store)

    const callers = await Promise.all(Array.from({ length: 100 }, () => cache.get('a')))

    expect(callers).toEqual(Array.from({ length: 100 }, () => ada))
    expect(store.state.loads).toBe(1)
  })

  it('caches unknown tokens for a shorter time than callers', async () => {
    const store = callerStore({ a: ada })
    let now = 1_000
    const cache = callerCache({ load: store.load, now: () => now })
    await cache.get('a')
    await cache.get('unknown')
    expect(await cache.get('unknown')).toBeUndefined()
    expect(store.state.loads).toBe(2)

    now += 6_000
    await cache.get('a')
    await cache.get('unknown')
    expect(store.state.loads).toBe(3)

    now += 60_000
    await cache.get('a')
    expect(store.state.loads).toBe(4)
  })

  it('invalidates one token by its hash, and all tokens of a user', async () => {
    const store = callerStore({ a1: ada, a2: ada, b: bob })
    const cache = callerCache(store)
    await Promise.all(['a1', 'a2', 'b'].map(cache.get))

    cache.invalidate({ kind: 'caller', tokenHash: 'b' })
    await Promise.all(['a1', 'a2', 'b'].map(cache.get))
    expect(store.state.loads).toBe(4)

    cache.invalidate({ kind: 'caller', userId: 1 })
    await Promise.all(['a1', 'a2', 'b'].map(cache.get))
    expect(store.state.loads).toBe(6)
  })

  it('ignores other change notifications', async () => {
    const store = callerStore({ a: ada })
    const cache = callerCache(store)
    await cache.get('a')

    cache.invalidate({ kind: 'catalog', version: 3 })
    cache.invalidate({ kind: 'session', userId: 1 })
    await cache.get('a')

    expect(store.state.loads).toBe(1)
  })

  it.each([{ tokenHash: 'a' }, { userId: 1 }])(
    'does not cache a value read before a change that arrived during the read (%o)',
    async (changed) => {
      const store = callerStore({ a: ada })
      const cache = callerCache(store)
      store.state.held = true
      const first = cache.get('a')
      const second = cache.get('a')
      store.rows.set('a', { userId: 1, name: 'ada, renamed' })

      cache.invalidate({ kind: 'caller', ...changed })
      store.state.held = false
      store.release()

      expect((await first)?.name).toBe('ada, renamed')
      expect((await second)?.name).toBe('ada, renamed')
      expect((await cache.get('a'))?.name).toBe('ada, renamed')
      expect(store.state.loads).toBe(2)
    },
  )

  it('serves the last known caller while the database is down, but rejects unknown tokens', async () => {
    const store = callerStore({ a: ada })
    let now = 1_000
    const cache = callerCache({ load: store.load, now: () => now })
    await cache.get('a')
    store.state.unavailable = true
    now += 61_000

    expect(await cache.get('a')).toEqual(ada)
    expect(await cache.get('a')).toEqual(ada)
    expect(store.state.loads).toBe(2)
    await expect(cache.get('b')).rejects.toThrow('unavailable')
  })

  it('does not serve a revoked caller while the database is down', async () => {
    const store = callerStore({ a: ada })
    const cache = callerCache(store)
    await cache.get('a')
    store.state.unavailable = true

    cache.invalidate({ kind: 'caller', userId: 1 })

    await expect(cache.get('a')).rejects.toThrow('unavailable')
  })

  describe('while the database does not respond', () => {
    beforeEach(() => void vi.useFakeTimers())
    afterEach(() => void vi.useRealTimers())

    /** A cache with one expired entry, and a store that holds back its responses. */
    async function createExpired() {
      const store = callerStore({ a: ada })
      let now = 1_000
      const cache = callerCache({ load: store.load, now: () => now })
      await cache.get('a')
      store.state.held = true
      now += 61_000
      return { store, cache }
    }

    it('serves a known caller after a short wait, then immediately', async () => {
      const { store, cache } = await createExpired()
      const first = cache.get('a')
      await vi.advanceTimersByTimeAsync(250)

      expect(await first).toEqual(ada)
      expect(await cache.get('a')).toEqual(ada)
      expect(store.state.loads).toBe(2)
      store.rows.set('a', { ...ada, name: 'ada, renamed' })
      store.release()
      await vi.advanceTimersByTimeAsync(0)
      cache.invalidate({ kind: 'caller', tokenHash: 'a' })
      store.state.held = false
      expect((await cache.get('a'))?.name).toBe('ada, renamed')
    })

    it('does not serve a known caller that a change notification invalidated', async () => {
      const { store, cache } = await createExpired()
      const first = cache.get('a')
      store.rows.delete('a')
      cache.invalidate({ kind: 'caller', tokenHash: 'a' })
      await vi.advanceTimersByTimeAsync(250)
      const second = cache.get('a')
      store.state.held = false
      store.release()

      expect(await Promise.all([first, second])).toEqual([undefined, undefined])
    })
  })

  it('never exceeds its maximum size', async () => {
    const cache = callerCache({ load: async (hash) => ({ userId: Number(hash) }), max: 10 })

    for (let user = 1; user <= 50; user++) await cache.get(String(user))

    expect(cache.size).toBe(10)
  })

  it('drops everything after a gap in the change notifications', async () => {
    const store = callerStore({ a: ada, b: bob })
    const cache = callerCache(store)
    await Promise.all(['a', 'b'].map(cache.get))

    cache.clear()
    await Promise.all(['a', 'b'].map(cache.get))

    expect(store.state.loads).toBe(4)
  })
})
