import { NO_USAGE, type Receipt } from '@tidegate/pricing'
import { throwAwayDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { recordMovement } from './accounts.ts'
import { createCredit } from './credit.ts'
import { reclaimExpiredLeases, renewLeases } from './leases.ts'
import { settle } from './settle.ts'
import { findImbalances } from './verify.ts'

let database: ThrowAwayDatabase
let userId: number
let tokenId: number
const log = { error: vi.fn() }

beforeAll(async () => {
  database = await throwAwayDatabase({ poolSize: 20 })
})
afterAll(() => database.close())

beforeEach(async () => {
  userId = await aUser(1000)
  tokenId = await aToken(userId, 400)
})

describe('credit', () => {
  it('settles for what was used and returns the rest', async () => {
    const reservation = await reserve(100)

    await reservation.settle(outcome(30))

    expect(await balances()).toEqual({ user: 970, token: 370, leases: 0 })
    expect(await books()).toMatchObject({ usedByUser: 30, requests: 1, usedByToken: 30, rolledUp: 30, logged: 30 })
    expect(await findImbalances(database.db)).toEqual([])
  })

  it('charges more than was reserved when more was used', async () => {
    const reservation = await reserve(10)

    await reservation.settle(outcome(25))

    expect(await balances()).toEqual({ user: 975, token: 375, leases: 0 })
    expect(await findImbalances(database.db)).toEqual([])
  })

  it('gives everything back when a call is released, also when released twice', async () => {
    const reservation = await reserve(100)
    expect(await balances()).toEqual({ user: 900, token: 300, leases: 200 })

    await Promise.all([reservation.release(), reservation.release()])

    expect(await balances()).toEqual({ user: 1000, token: 400, leases: 0 })
  })

  it('does not give back what is being settled', async () => {
    const reservation = await reserve(100)

    await Promise.all([reservation.settle(outcome(100)), reservation.release()])

    expect(await balances()).toEqual({ user: 900, token: 300, leases: 0 })
  })

  it('books a call once however often it is settled', async () => {
    const reservation = await reserve(100)

    await Promise.all([1, 2, 3].map(() => reservation.settle(outcome(40))))

    expect(await balances()).toEqual({ user: 960, token: 360, leases: 0 })
  })

  it('applies a settlement once when its commit was ambiguous and it is tried again', async () => {
    const { requestId } = await reserve(100)
    const settlement = { requestId, userId, tokenId, tokenUnlimited: false, keepLog: true, ...outcome(40) }
    const id = { holder: 'a process', batch: Math.floor(Math.random() * 1e9) }

    await settle(database.db, id, settlement)
    await settle(database.db, id, settlement)

    expect(await balances()).toEqual({ user: 960, token: 360, leases: 0 })
    expect(await books()).toMatchObject({ requests: 1, logged: 40 })
  })

  it('refuses what the balance does not hold, and leaves the balance alone', async () => {
    await expect(reserve(1001)).rejects.toMatchObject({ code: 'insufficient_user_quota' })

    expect(await balances()).toEqual({ user: 1000, token: 400, leases: 0 })
  })

  it('refuses what the token does not hold, and leaves both accounts alone', async () => {
    await expect(reserve(401)).rejects.toMatchObject({ code: 'pre_consume_token_quota_failed' })

    expect(await balances()).toEqual({ user: 1000, token: 400, leases: 0 })
  })

  it('never reserves more than there is under a storm', async () => {
    const results = await Promise.allSettled(Array.from({ length: 60 }, () => reserve(37)))

    const granted = results.filter(({ status }) => status === 'fulfilled').length
    expect(granted).toBe(Math.floor(400 / 37))
    expect((await balances()).token).toBe(400 - granted * 37)
    expect(await findImbalances(database.db)).toEqual([])
  })

  it('marks a token that has nothing left as exhausted', async () => {
    const reservation = await reserve(400)

    await reservation.settle(outcome(400))

    const { status } = await database.db
      .selectFrom('token')
      .select('status')
      .where('id', '=', tokenId)
      .executeTakeFirstOrThrow()
    expect(status).toBe(4)
  })

  it('counts the use of an unlimited token without drawing on it', async () => {
    await database.db.updateTable('token').set({ unlimited_quota: true }).where('id', '=', tokenId).execute()
    const reservation = await reserve(500, { tokenUnlimited: true })

    await reservation.settle(outcome(450))

    expect(await balances()).toEqual({ user: 550, token: 400, leases: 0 })
    expect(await books()).toMatchObject({ usedByToken: 450 })
  })

  it('books money and roll-ups also when calls are not logged', async () => {
    const reservation = await reserve(100, { keepLog: false })

    await reservation.settle(outcome(30))

    expect(await books()).toMatchObject({ usedByUser: 30, rolledUp: 30, logged: 0 })
  })

  it('books a call on a day that has no partition yet', async () => {
    const reservation = await reserve(100)

    await reservation.settle(outcome(30, new Date('2031-05-06T07:08:09Z')))

    expect(await books()).toMatchObject({ logged: 30 })
  })
})

describe('leases', () => {
  it('go back to their accounts when their process has not been heard of', async () => {
    await reserve(100)
    await expireLeases()

    await reclaimExpiredLeases(database.db)

    expect(await balances()).toEqual({ user: 1000, token: 400, leases: 0 })
  })

  it('stay with a process that gives signs of life', async () => {
    await reserve(100, { holder: 'alive' })
    await expireLeases()

    await renewLeases(database.db, 'alive')
    await reclaimExpiredLeases(database.db)

    expect(await balances()).toEqual({ user: 900, token: 300, leases: 200 })
  })

  it('are charged all the same when they were reclaimed before the call ended', async () => {
    const reservation = await reserve(100)
    await expireLeases()
    await reclaimExpiredLeases(database.db)

    await reservation.settle(outcome(60))

    expect(await balances()).toEqual({ user: 940, token: 340, leases: 0 })
    expect(await findImbalances(database.db)).toEqual([])
  })
})

it('finds an account whose balance was changed behind the books', async () => {
  await database.db.updateTable('user').set({ quota: 1001 }).where('id', '=', userId).execute()

  expect(await findImbalances(database.db)).toEqual([{ user_id: userId, token_id: 0, held: 1001, expected: 1000 }])

  await database.db.updateTable('user').set({ quota: 1000 }).where('id', '=', userId).execute()
})

let requests = 0

function reserve(amount: number, { holder = '', tokenUnlimited = false, keepLog = true } = {}) {
  const requestId = `request-${++requests}`
  const credit = createCredit({
    db: database.db,
    holder: holder || `holder of ${requestId}`,
    keepLog: () => keepLog,
    log,
  })
  return credit.reserve({ requestId, userId, tokenId, tokenUnlimited, amount })
}

function outcome(quota: number, createdAt = new Date()) {
  const receipt = { quota, lines: [], estimated: false } as unknown as Receipt
  return {
    usage: { ...NO_USAGE, input: quota },
    receipt,
    log: {
      type: 2,
      createdAt,
      username: 'somebody',
      tokenName: 'a token',
      modelName: 'a-model',
      channelId: 0,
      group: 'default',
      isStream: false,
      useTimeMs: 1200,
      clientIp: '',
      content: '',
      other: {},
    },
  }
}

async function expireLeases() {
  await database.db
    .updateTable('credit_lease')
    .set({ deadline: new Date(0) })
    .where('user_id', '=', userId)
    .execute()
}

async function aUser(quota: number): Promise<number> {
  const name = `u${Math.random().toString(36).slice(2, 12)}`
  const { id } = await database.db
    .insertInto('user')
    .values({ username: name, display_name: name, aff_code: name })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordMovement(database.db, { userId: id, kind: 'signup_gift', amount: quota })
  return id
}

async function aToken(owner: number, quota: number): Promise<number> {
  const { id } = await database.db
    .insertInto('token')
    .values({ user_id: owner, hash: `hash-${owner}`, sealed_key: '', hint: '', name: 'a token' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordMovement(database.db, { userId: owner, tokenId: id, kind: 'token_limit', amount: quota })
  return id
}

async function balances() {
  const { db } = database
  const user = await db.selectFrom('user').select('quota').where('id', '=', userId).executeTakeFirstOrThrow()
  const token = await db.selectFrom('token').select('remain_quota').where('id', '=', tokenId).executeTakeFirstOrThrow()
  const leases = await db.selectFrom('credit_lease').select('amount').where('user_id', '=', userId).execute()
  return { user: user.quota, token: token.remain_quota, leases: leases.reduce((sum, { amount }) => sum + amount, 0) }
}

async function books() {
  const { db } = database
  const user = await db
    .selectFrom('user')
    .select(['used_quota', 'request_count'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const token = await db.selectFrom('token').select('used_quota').where('id', '=', tokenId).executeTakeFirstOrThrow()
  const rollups = await db.selectFrom('usage_rollup').select('quota').where('user_id', '=', userId).execute()
  const logs = await db.selectFrom('usage_log').select('quota').where('user_id', '=', userId).execute()
  return {
    usedByUser: user.used_quota,
    requests: user.request_count,
    usedByToken: token.used_quota,
    rolledUp: rollups.reduce((sum, { quota }) => sum + quota, 0),
    logged: logs.reduce((sum, { quota }) => sum + quota, 0),
  }
}
