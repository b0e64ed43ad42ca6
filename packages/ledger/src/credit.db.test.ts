import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { startSharedListener } from '@tidegate/storage'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openCredit, type Credit, type CreditOptions } from './credit.ts'
import { releaseHolder, takeLeases } from './leases/lease-rows.ts'
import { seedToken, seedUser, readBalances, readBooks, outcome, quiet } from '../test/books.ts'
import { findImbalances, findRollupDifferences } from './verify/find-imbalances.ts'

let database: ThrowAwayDatabase
let journals: string
let userId: number
let tokenId: number
const opened: Credit[] = []
let processes = 0
let requests = 0

beforeAll(async () => {
  database = await workerDatabase({ poolSize: 20 })
})
afterAll(() => database.close())

beforeEach(async () => {
  journals = await mkdtemp(join(tmpdir(), 'tidegate-journals-'))
  userId = await seedUser(database.db, 1000)
  tokenId = await seedToken(database.db, userId, 400)
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((credit) => credit.stop()))
  expect(await findImbalances(database.db)).toEqual([])
  expect(await findRollupDifferences(database.db)).toEqual([])
  expect(await database.db.selectFrom('credit_lease').select('amount').execute()).toEqual([])
  expect(await readdir(journals)).toEqual([])
  await rm(journals, { recursive: true })
})

describe('credit', () => {
  it('settles what was used and frees the rest', async () => {
    const credit = await open()
    const reservation = await reserve(credit, 100)

    await reservation.settle(outcome(30))
    await credit.flush()

    expect(await readBalances(database.db, userId, tokenId)).toEqual({ user: 970, token: 370 })
    expect(await readBooks(database.db, userId, tokenId)).toEqual({
      usedByUser: 30,
      requests: 1,
      usedByToken: 30,
      rolledUp: 30,
      logged: [30],
    })
  })

  it('leases once for many requests', async () => {
    const credit = await open()
    const queries = await countQueries(async () => {
      for (let call = 0; call < 50; call++)
        await (await reserve(credit, 1, { tokenUnlimited: true })).settle(outcome(1))
    })

    expect(queries).toBeLessThan(10)
  })

  it('charges more than was reserved if more was used and is available', async () => {
    const credit = await open()
    const reservation = await reserve(credit, 10)

    await reservation.settle(outcome(25))
    await credit.flush()

    expect(await readBalances(database.db, userId, tokenId)).toEqual({ user: 975, token: 375 })
  })

  it('never takes an account below zero, and records what is uncovered', async () => {
    const credit = await open()
    const reservation = await reserve(credit, 390)

    await reservation.settle(outcome(500))
    await credit.flush()

    const [row] = await database.db
      .selectFrom('usage_log')
      .select(['quota', 'other'])
      .where('user_id', '=', userId)
      .execute()
    expect(row).toMatchObject({ quota: 400, other: { token_limited: true, uncovered: 100 } })
    expect((await readBalances(database.db, userId, tokenId)).token).toBe(0)
    expect(credit.uncovered()).toBe(100)
  })

  it('extends a reservation as far as both accounts allow', async () => {
    const credit = await open()
    const reservation = await reserve(credit, 100)

    expect(await reservation.extend(300)).toBeUndefined()
    expect(await reservation.extend(401)).toBe('pre_consume_token_quota_failed')

    expect(reservation.amount).toBe(300)
    await reservation.settle(outcome(300))
  })

  it('reserves a part, as far as the smaller account allows, if the request accepts it', async () => {
    const credit = await open()
    const request = { requestId: 'partly', userId, tokenId, tokenUnlimited: false, amount: 2000 }

    await expect(credit.reserve({ ...request, minimum: 401 })).rejects.toMatchObject({
      code: 'pre_consume_token_quota_failed',
      details: { needed: 401 },
    })
    const reservation = await credit.reserve({ ...request, minimum: 100 })

    expect(reservation.amount).toBe(400)
    await reservation.settle(outcome(250))
    await credit.flush()
    expect(await readBalances(database.db, userId, tokenId)).toEqual({ user: 750, token: 150 })
  })

  it('frees a released reservation, also when it is released twice', async () => {
    const credit = await open()
    const reservation = await reserve(credit, 400)

    reservation.release()
    reservation.release()

    ;(await reserve(credit, 400)).release()
  })

  it('settles a request once however often it is settled, and does not release it afterwards', async () => {
    const credit = await open()
    const reservation = await reserve(credit, 100)

    const settled = [reservation.settle(outcome(40)), reservation.settle(outcome(40))]
    reservation.release()
    await Promise.all(settled)
    await credit.flush()

    expect(await readBalances(database.db, userId, tokenId)).toEqual({ user: 960, token: 360 })
  })

  it('is rejected by the account that is short, and leaves both unchanged', async () => {
    const credit = await open()

    await expect(reserve(credit, 1001, { tokenUnlimited: true })).rejects.toMatchObject({
      code: 'insufficient_user_quota',
    })
    await expect(reserve(credit, 401)).rejects.toMatchObject({ code: 'pre_consume_token_quota_failed' })

    expect(await readBalances(database.db, userId, tokenId)).toEqual({ user: 1000, token: 400 })
  })

  it('grants exactly the balance to concurrent requests of three processes, to the last unit', async () => {
    const credits = await Promise.all([open(), open(), open()])

    const results = await Promise.allSettled(
      Array.from({ length: 300 }, async (_, index) => {
        const reservation = await reserve(credits[index % 3]!, 40)
        await reservation.settle(outcome(40))
      }),
    )
    await Promise.all(credits.map((credit) => credit.flush()))

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    expect(await readBalances(database.db, userId, tokenId)).toEqual({ user: 600, token: 0 })
  })

  it('grants exactly the balance if user and token are equally short, to forty concurrent requests', async () => {
    const credits = await Promise.all([open(), open()])
    const accounts = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const owner = await seedUser(database.db, 400)
        return { userId: owner, tokenId: await seedToken(database.db, owner, 400) }
      }),
    )

    const served = await Promise.all(
      accounts.map(async (account) => {
        const calls = Array.from({ length: 24 }, async (_, call) => {
          const request = { ...account, tokenUnlimited: false, amount: 40, requestId: `request-${++requests}` }
          const reservation = await credits[call % 2]!.reserve(request)
          await reservation.settle(outcome(40))
        })
        return (await Promise.allSettled(calls)).filter(({ status }) => status === 'fulfilled').length
      }),
    )

    await Promise.all(credits.map((credit) => credit.flush()))
    const leases = await database.db.selectFrom('credit_lease').select('amount').where('amount', '>', 0).execute()

    expect(served).toEqual(accounts.map(() => 10))
    expect(leases).toEqual([])
  })

  it('can spend immediately what another process holds idle', async () => {
    const busy = await open({ aheadSeconds: 1000 })
    const other = await open()
    for (let call = 0; call < 3; call++) await (await reserve(busy, 30)).settle(outcome(30)) // sizes its lease ahead
    const left = (await readBalances(database.db, userId, tokenId)).token

    const reservation = await reserve(other, 400 - 90)

    expect(left).toBeLessThanOrEqual(400)
    await reservation.settle(outcome(400 - 90))
    await other.flush()
    await busy.flush()
    expect((await readBalances(database.db, userId, tokenId)).token).toBe(0)
  })

  it('marks a limited token without credit as exhausted', async () => {
    const credit = await open()

    await (await reserve(credit, 400)).settle(outcome(400))
    await credit.flush()

    expect(await tokenStatus()).toBe(4)
  })

  it('counts the usage of an unlimited token without charging it', async () => {
    await database.db.updateTable('token').set({ unlimited_quota: true }).where('id', '=', tokenId).execute()
    const credit = await open()

    await (await reserve(credit, 500, { tokenUnlimited: true })).settle(outcome(450))
    await credit.flush()

    expect(await readBalances(database.db, userId, tokenId)).toEqual({ user: 550, token: 400 })
    expect(await readBooks(database.db, userId, tokenId)).toMatchObject({ usedByToken: 450 })
  })

  it('settles money and roll-ups also without logging, and on days without a partition', async () => {
    const credit = await open({ keepLog: () => false })
    await (await reserve(credit, 100)).settle(outcome(30))
    await credit.flush()
    expect(await readBooks(database.db, userId, tokenId)).toMatchObject({ usedByUser: 30, rolledUp: 30, logged: [] })

    const logging = await open()
    await (await reserve(logging, 100)).settle(outcome(20, { createdAt: Date.parse('2031-05-06T07:08:09Z') }))
    await logging.flush()
    expect(await readBooks(database.db, userId, tokenId)).toMatchObject({ usedByUser: 50, logged: [20] })
  })

  it('logs any text a client can send', async () => {
    const credit = await open()

    await (await reserve(credit, 10)).settle(outcome(10, { modelName: 'nul\u0000 "quoted" \\u0041 潮' }))
    await credit.flush()

    const [row] = await database.db.selectFrom('usage_log').select('model_name').where('user_id', '=', userId).execute()
    expect(row!.model_name).toBe('nul "quoted" \\u0041 潮')
  })

  it('returns to the account when it has been idle', async () => {
    const credit = await open()
    await (await reserve(credit, 100)).settle(outcome(1))
    await credit.flush()

    await expect
      .poll(() => database.db.selectFrom('credit_lease').select('amount').where('user_id', '=', userId).execute(), {
        timeout: 25_000,
      })
      .toEqual([])
    const row = await database.db.selectFrom('user').select('quota').where('id', '=', userId).executeTakeFirstOrThrow()
    expect(row.quota).toBe(999)
  })

  it('is leased for many accounts in one query, for each no more than it holds', async () => {
    const poor = await seedUser(database.db, 5)
    const own = await seedToken(database.db, userId, 300)
    const requests = [
      { userId, tokenId: 0, need: 100, want: 100 },
      { userId: poor, tokenId: 0, need: 6, want: 6 },
      { userId, tokenId: own, need: 20, want: 1_000 },
      { userId, tokenId: 0, need: 50, want: 50 }, // retried alone, later
      { userId: 999_999_999, tokenId: 0, need: 1, want: 1 },
    ]

    expect(await takeLeases(database.db, 'many', requests)).toEqual([100, undefined, 30, undefined, undefined])
    expect(await takeLeases(database.db, 'many', requests.slice(0, 1))).toEqual([100])

    expect(await leasesOf('many')).toEqual([
      { user_id: userId, token_id: 0, amount: 200 },
      { user_id: userId, token_id: own, amount: 30 },
    ])
    expect(await findImbalances(database.db)).toEqual([])
    await releaseHolder(database.db, 'many')
  })

  it('is leased for other accounts while the request of a locked account waits', async () => {
    const other = await seedUser(database.db, 50)
    const credit = await open()
    const changed = Promise.withResolvers<void>()
    const change = database.db.transaction().execute(async (transaction) => {
      await transaction.updateTable('user').set({ quota: 900 }).where('id', '=', userId).execute()
      await changed.promise
      await transaction.updateTable('user').set({ quota: 1000 }).where('id', '=', userId).execute()
    })
    await expect.poll(() => lockedRows()).toBeGreaterThan(0)

    const waits = reserve(credit, 1000, { tokenUnlimited: true })
    const others = await credit.reserve({ requestId: 'o', userId: other, tokenId: 0, tokenUnlimited: true, amount: 50 })
    changed.resolve()
    await change

    ;(await waits).release()
    others.release()
  })

  it('returns immediately when the account is being changed', async () => {
    const listener = await startSharedListener(database.newClient, { db: database.db })
    const credit = await open({ listener })
    ;(await reserve(credit, 100, { tokenUnlimited: true })).release()

    await database.pool.query(`select pg_notify('tidegate', $1)`, [JSON.stringify({ kind: 'credit', userId })])

    await expect
      .poll(() => database.db.selectFrom('user').select('quota').where('id', '=', userId).executeTakeFirstOrThrow())
      .toEqual({ quota: 1000 })
    await listener.stop()
  })
})

async function open(overrides: Partial<CreditOptions> = {}): Promise<Credit> {
  const listener = overrides.listener ?? (await sharedListener())
  const credit = await openCredit({
    db: database.db,
    holder: `process-${++processes}`,
    journals,
    keepLog: () => true,
    log: quiet,
    listener,
    deadlineMs: 60_000, // a busy machine must not reject requests
    ...overrides,
  })
  opened.push(credit)
  return credit
}

let shared: ReturnType<typeof startSharedListener> | undefined
function sharedListener() {
  shared ??= startSharedListener(database.newClient, { db: database.db })
  return shared
}
afterAll(async () => (await shared)?.stop())

async function reserve(credit: Credit, amount: number, { tokenUnlimited = false } = {}) {
  return credit.reserve({ requestId: `request-${++requests}`, userId, tokenId, tokenUnlimited, amount })
}

function leasesOf(holder: string) {
  return database.db
    .selectFrom('credit_lease')
    .select(['user_id', 'token_id', 'amount'])
    .where('holder', '=', holder)
    .orderBy('token_id')
    .execute()
}

/** The number of users whose rows are locked now. */
async function lockedRows(): Promise<number> {
  const all = await database.db.selectFrom('user').select('id').execute()
  const free = await database.db.selectFrom('user').select('id').forUpdate().skipLocked().execute()
  return all.length - free.length
}

async function tokenStatus(): Promise<number> {
  return (await database.db.selectFrom('token').select('status').where('id', '=', tokenId).executeTakeFirstOrThrow())
    .status
}

/** Counts queries while the work runs. */
async function countQueries(work: () => Promise<void>): Promise<number> {
  let queries = 0
  const count = () => void queries++
  database.pool.on('acquire', count)
  await work()
  database.pool.off('acquire', count)
  return queries
}
