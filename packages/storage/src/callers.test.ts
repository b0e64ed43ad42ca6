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
  const state = { loads: 0, batches: [] as number[], held: false, unavailable: false }
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
    async loadMany(hashes: readonly string[]): Promise<Map<string, Caller>> {
      state.batches.push(hashes.length)
      const found = hashes.flatMap((hash) => (rows.has(hash) ? [[hash, rows.get(hash)!] as const] : []))
      if (state.held) await new Promise<void>((resume) => waiting.push(resume))
      if (state.unavailable) throw new Error('the database is unavailable')
      return new Map(found)
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
    const cache = callerCache({ ...store, now: () => now })
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
    const cache = callerCache({ ...store, now: () => now })
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
      const cache = callerCache({ ...store, now: () => now })
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
    const cache = callerCache({
      load: async (hash) => ({ userId: Number(hash) }),
      loadMany: async () => new Map(),
      max: 10,
    })

    for (let user = 1; user <= 50; user++) await cache.get(String(user))

    expect(cache.size).toBe(10)
  })

  it('rejects a caller that could not be reloaded for longer than an outage may last', async () => {
    const store = callerStore({ a: ada })
    let now = 1_000
    const cache = callerCache({ ...store, now: () => now, outageMs: 600_000 })
    await cache.get('a')
    store.state.unavailable = true

    now += 600_000
    expect(await cache.get('a')).toEqual(ada)
    now += 6_000
    await expect(cache.get('a')).rejects.toThrow('unavailable')
    cache.stop()
  })

  it('does not take a token for unknown while the database cannot be asked', async () => {
    const store = callerStore({})
    let now = 1_000
    const cache = callerCache({ ...store, now: () => now })
    expect(await cache.get('new')).toBeUndefined()
    store.state.unavailable = true
    now += 6_000

    await expect(cache.get('new')).rejects.toThrow('unavailable')
  })

  describe('after a gap in the change notifications', () => {
    beforeEach(() => void vi.useFakeTimers())
    afterEach(() => void vi.useRealTimers())

    it('serves known callers while it reloads them in batches, and learns what changed', async () => {
      const callers = Array.from(
        { length: 1_200 },
        (_, index) => [`token ${index}`, { userId: index, name: '' }] as const,
      )
      const store = callerStore(Object.fromEntries(callers))
      const cache = callerCache({ ...store, random: () => 0.5 })
      await Promise.all(callers.map(([hash]) => cache.get(hash)))
      store.rows.delete('token 7')

      const rechecked = cache.recheckAll()
      expect(await cache.get('token 7')).toEqual({ userId: 7, name: '' })
      await vi.advanceTimersByTimeAsync(1_300)
      await rechecked

      expect(await cache.get('token 7')).toBeUndefined()
      expect(await cache.get('token 8')).toEqual({ userId: 8, name: '' })
      expect(store.state).toMatchObject({ loads: 1_200, batches: [500, 500, 200] })
    })

    it('serves known callers until they can be reloaded, with few queries', async () => {
      const store = callerStore({ a: ada, b: bob })
      const cache = callerCache({ ...store, now: () => Date.now(), random: () => 0.5 })
      await Promise.all(['a', 'b'].map(cache.get))
      store.state.unavailable = true
      await vi.advanceTimersByTimeAsync(61_000)
      await cache.get('a')

      for (let second = 0; second < 60; second += 1) {
        expect(await cache.get('a')).toEqual(ada)
        expect(await cache.get('b')).toEqual(bob)
        await vi.advanceTimersByTimeAsync(1_000)
      }
      expect(store.state.loads).toBeLessThan(5)
      expect(store.state.batches.length).toBeLessThan(30)

      store.rows.delete('b')
      store.state.unavailable = false
      await vi.advanceTimersByTimeAsync(4_100)
      expect(await cache.get('b')).toBeUndefined()
    })

    it('does not serve a caller whose change it hears of meanwhile', async () => {
      const store = callerStore({ a: ada })
      const cache = callerCache({ ...store, random: () => 0 })
      await cache.get('a')
      store.state.held = true
      void cache.recheckAll()
      await vi.advanceTimersByTimeAsync(1)
      store.rows.delete('a')
      cache.invalidate({ kind: 'caller', userId: 1 })
      store.state.held = false
      store.release()
      await vi.advanceTimersByTimeAsync(1)

      expect(await cache.get('a')).toBeUndefined()
    })

    it('asks again for tokens that were unknown', async () => {
      const store = callerStore({})
      const cache = callerCache(store)
      await cache.get('a')
      store.rows.set('a', ada)

      void cache.recheckAll()

      expect(await cache.get('a')).toEqual(ada)
    })
  })

  describe('of a process before this one', () => {
    const known = (ageMs: number) => [
      { tokenHash: 'a', caller: ada, ageMs },
      { tokenHash: 'b', caller: bob, ageMs },
    ]

    it('are served while they cannot be reloaded, until they are too old', async () => {
      let now = 1_000_000
      const store = callerStore({})
      store.state.unavailable = true
      const cache = callerCache({ ...store, now: () => now, outageMs: 600_000 })

      cache.restore(known(500_000))

      expect([await cache.get('a'), await cache.get('b')]).toEqual([ada, bob])
      expect(store.state.loads).toBe(0)
      now += 100_001
      await expect(cache.get('a')).rejects.toThrow('the database is unavailable')
      cache.stop()
    })

    it('are reloaded when the database responds', async () => {
      vi.useFakeTimers()
      const store = callerStore({ b: bob })
      const cache = callerCache({ ...store, random: () => 0 })
      cache.restore(known(1_000))

      await vi.advanceTimersByTimeAsync(10)

      expect([await cache.get('a'), await cache.get('b')]).toEqual([undefined, bob])
      expect(store.state).toMatchObject({ loads: 0, batches: [2] })
      vi.useRealTimers()
    })

    it('are listed with their age, without unknown, forgotten and old ones', async () => {
      let now = 1_000_000
      const store = callerStore({ a: ada, b: bob, c: { userId: 3, name: 'cyd' } })
      const cache = callerCache({ ...store, now: () => now, outageMs: 600_000 })
      await cache.get('c')
      now += 500_000
      await Promise.all(['a', 'b', 'x'].map(cache.get))
      const before = cache.changes
      cache.invalidate({ kind: 'caller', userId: 2 })
      expect(cache.changes).toBe(before + 1)
      now += 100_001

      expect(cache.known()).toEqual([{ tokenHash: 'a', caller: ada, ageMs: 100_001 }])
    })
  })
})
