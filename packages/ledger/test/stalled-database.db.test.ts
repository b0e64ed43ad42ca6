import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectDatabase, type DatabaseHandle } from '@tidegate/storage'
import { tcpProxy, workerDatabase, type TcpProxy, type ThrowAwayDatabase } from '@tidegate/testing'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { sql } from 'kysely'
import { openCredit, type Credit } from '../src/credit.ts'
import { releaseHolder, takeLease } from '../src/leases/lease-rows.ts'
import { seedUser, outcome, quiet } from './books.ts'
import { findImbalances, findRollupDifferences } from '../src/verify/find-imbalances.ts'

const DEADLINE_MS = 2_500
const UNAVAILABLE = { code: 'settlement_unavailable', status: 503, retryAfterSeconds: 5 }

let database: ThrowAwayDatabase
let proxy: TcpProxy
let handle: DatabaseHandle
let journals: string
let credit: Credit
let userId: number
let otherId: number
let holder: string
let processes = 0
let requests = 0

beforeAll(async () => {
  database = await workerDatabase()
})
afterAll(() => database.close())

beforeEach(async () => {
  userId = await seedUser(database.db, 1000)
  otherId = await seedUser(database.db, 1000)
  const url = new URL(database.url)
  proxy = await tcpProxy(Number(url.port || 5432))
  url.port = String(proxy.port)
  journals = await mkdtemp(join(tmpdir(), 'tidegate-journals-'))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
  handle = connectDatabase({ url: url.href, poolSize: 4, applicationName: 'stalled' })
  holder = `stalled-${++processes}` // its batches count once, forever
  credit = await openCredit({ db: handle.db, holder, journals, keepLog: () => true, log: quiet })
})
afterEach(async () => {
  proxy.resume()
  await credit.stop()
  await handle.close()
  vi.useRealTimers()
  await proxy.close()
  await rm(journals, { recursive: true })
  expect(await findImbalances(database.db)).toEqual([])
  expect(await findRollupDifferences(database.db)).toEqual([])
  expect(await database.db.selectFrom('credit_lease').select('amount').execute()).toEqual([])
})

it('serves from a lease, rejects other requests, and settles what was served when the database responds again', async () => {
  await (await reserve(userId, 40)).settle(outcome(10))
  await credit.flush()
  proxy.stall()

  const [served, rejected, later] = [reserve(userId, 40), reserve(otherId, 50), reserve(otherId, 60)]
  await (await served).settle(outcome(10))
  const outcomes = Promise.allSettled([rejected, later])
  await vi.advanceTimersByTimeAsync(DEADLINE_MS)
  expect(await outcomes).toEqual(
    [1, 2].map(() => ({ status: 'rejected', reason: expect.objectContaining(UNAVAILABLE) })),
  )
  expect(credit.waiting().settlements).toBe(1)

  proxy.resume()
  // The query that no request waits for completes late, and its credit is kept.
  await expect.poll(async () => (await reserve(otherId, 50)).amount).toBe(50)
  await credit.flush()
  expect(await usedBy(userId)).toBe(20)
  expect(await usedBy(otherId)).toBe(0)
})

it('returns credit that the database leased by a query whose response was lost', async () => {
  await credit.flush()
  proxy.delayResponses(3_600_000)
  const rejected = expect(reserve(otherId, 50)).rejects.toMatchObject(UNAVAILABLE)
  await vi.advanceTimersByTimeAsync(DEADLINE_MS)
  await rejected
  await expect.poll(() => sumLeased(otherId)).toBeGreaterThan(0)

  proxy.delayResponses(0)
  proxy.cutAll()

  await expect.poll(() => sumLeased(otherId)).toBe(0)
  expect(await balance(otherId)).toBe(1000)
})

it('stops although the database does not respond, and keeps its journal', async () => {
  await (await reserve(userId, 40)).settle(outcome(10))
  await credit.flush()
  proxy.stall()
  await (await reserve(userId, 40)).settle(outcome(10))

  const stopped = credit.stop().then(
    () => 'stopped',
    (error: Error) => error.message,
  )
  await vi.advanceTimersByTimeAsync(60_000)

  // A query waits for its response, or for a new connection.
  expect(await stopped).toMatch(/did not respond|connection timeout/)
  expect(await readdir(journals)).toEqual([holder])
  proxy.resume()
  await credit.flush()
  expect(await usedBy(userId)).toBe(20)
})

it('locks an account no longer than the database works, also when this process reads no response', async () => {
  await (await reserve(userId, 40)).settle(outcome(10))
  const locked = Promise.withResolvers<void>()
  const unlock = Promise.withResolvers<void>()
  const other = database.db.transaction().execute(async (transaction) => {
    await sql`select from "user" where id = ${userId} for update`.execute(transaction)
    locked.resolve()
    await unlock.promise
  })
  await locked.promise
  const flushed = expect(credit.flush()).rejects.toThrow()
  await expect.poll(countWaiting).toBe(1)
  proxy.delayResponses(3_600_000)
  unlock.resolve()
  await other

  await expect.poll(() => usedBy(userId)).toBe(10)
  const taken = await takeLease(database.db, { holder: 'another', userId, tokenId: 0, need: 50, want: 50 })
  expect(taken).toBe(50)

  await releaseHolder(database.db, 'another')
  proxy.delayResponses(0)
  proxy.cutAll()
  await flushed
})

async function countWaiting(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from pg_stat_activity where application_name = 'stalled' and wait_event_type = 'Lock'`.execute(
    database.db,
  )
  return rows[0]!.n
}

async function reserve(user: number, amount: number) {
  requests += 1
  return credit.reserve({ requestId: `stalled-${requests}`, userId: user, tokenId: 0, tokenUnlimited: true, amount })
}

async function sumLeased(user: number): Promise<number> {
  const rows = await database.db.selectFrom('credit_lease').select('amount').where('user_id', '=', user).execute()
  return rows.reduce((sum, { amount }) => sum + amount, 0)
}

async function column(user: number, name: 'quota' | 'used_quota'): Promise<number> {
  const row = await database.db.selectFrom('user').select(name).where('id', '=', user).executeTakeFirstOrThrow()
  return (row as Record<typeof name, number>)[name]
}
const balance = (user: number) => column(user, 'quota')
const usedBy = (user: number) => column(user, 'used_quota')
