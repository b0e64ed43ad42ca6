import { newTaskSecret, tasks, type Db, type DatabaseHandle } from '@tidegate/storage'
import { workerDatabase } from '@tidegate/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { settleBatch } from './settlement/apply-batch.ts'
import { seedToken, seedUser, readBalances, readBooks, chargeOf, settlementOf } from '../test/books.ts'
import { findImbalances, findRollupDifferences } from './verify/find-imbalances.ts'
import { refundOwedTasks, reportTask, type TaskUpdate } from './tasks.ts'

const PRICE = 50_000
const FUNDS = 200_000

let handle: DatabaseHandle
let db: Db
let batch = 0
beforeAll(async () => {
  handle = await workerDatabase({ poolSize: 20 })
  db = handle.db
})
afterAll(() => handle.close())
afterEach(async () => {
  expect(await findImbalances(db)).toEqual([])
  expect(await findRollupDifferences(db)).toEqual([])
})

async function aTask({ isSubmitted = true } = {}) {
  const userId = await seedUser(db, FUNDS)
  const tokenId = await seedToken(db, userId, FUNDS)
  batch += 1
  const requestId = `task-${batch}`
  const inAnHour = new Date(Date.now() + 3_600_000)
  const id = await tasks.insert(db, {
    kind: 'drawing',
    userId,
    tokenId,
    requestId,
    action: 'IMAGINE',
    model: 'mj_imagine',
    prompt: 'a lighthouse',
    properties: {},
    secret: newTaskSecret(),
    quota: PRICE,
    deadline: inAnHour,
  })
  if (isSubmitted) {
    const submission = {
      channelId: 7,
      keyHash: 'hash',
      upstreamId: `v${id}`,
      status: 'SUBMITTED',
      code: 1,
      quota: PRICE,
    }
    await tasks.markSubmitted(db, id, { ...submission, pollAt: inAnHour, deadline: inAnHour })
  }
  const number = batch
  return {
    id,
    userId,
    tokenId,
    /** Settles the charge, as the journal does, sometimes twice. */
    pay: () => {
      const base = { requestId, userId, tokenId, tokenUnlimited: false }
      const settlement = settlementOf(chargeOf(base, PRICE, { taskId: id }))
      return settleBatch(db, { holder: `gateway ${id}`, number }, [settlement])
    },
    report: (update: TaskUpdate) => reportTask(db, { id, userId }, update),
    read: async () => (await tasks.find(db, id))!,
    funds: () => readBalances(db, userId, tokenId),
  }
}

describe('a task', () => {
  it('records its charge once, however often it is settled', async () => {
    const task = await aTask()

    await task.pay()
    await task.pay()

    expect(await task.read()).toMatchObject({ charged: PRICE, refunded_at: null })
    expect(await task.funds()).toEqual({ user: FUNDS - PRICE, token: FUNDS - PRICE })
  })

  it('moves forward only, and not after it finished', async () => {
    const task = await aTask()

    const seen = []
    for (const update of [
      { status: 'IN_PROGRESS', progress: 40 },
      { status: 'SUBMITTED', progress: 10 },
      { status: 'IN_PROGRESS', progress: 20 },
      { status: 'SUCCESS', resultUrl: 'https://pictures.example/1.png' },
      { status: 'FAILURE', failReason: 'too late' },
    ] satisfies TaskUpdate[]) {
      seen.push([await task.report(update), (await task.read()).status, (await task.read()).progress])
    }

    expect(seen).toEqual([
      ['moved', 'IN_PROGRESS', 40],
      ['none', 'IN_PROGRESS', 40],
      ['none', 'IN_PROGRESS', 40],
      ['succeeded', 'SUCCESS', 100],
      ['none', 'SUCCESS', 100],
    ])
    expect(await task.read()).toMatchObject({ fail_reason: '', result_url: 'https://pictures.example/1.png' })
  })

  it('is not written if nothing changed', async () => {
    const task = await aTask()
    const data = { id: 'v', buttons: [{ b: 1, a: 2 }] }
    await task.report({ status: 'IN_PROGRESS', progress: 40, data })
    const rowVersion = async () =>
      (await handle.pool.query<{ xmin: string }>('select xmin from task where id = $1', [task.id])).rows
    const before = await rowVersion()

    expect(await task.report({ status: 'IN_PROGRESS', progress: 40, data })).toBe('none')
    expect(await rowVersion()).toEqual(before)
  })

  it('accepts provider data with NUL characters', async () => {
    const task = await aTask()

    await task.report({ status: 'FAILURE', failReason: 'bro\0ken', data: { why: 'a\0b' } })

    expect(await task.read()).toMatchObject({ fail_reason: 'broken', data: { why: 'ab' } })
  })
})

describe('a failed task', () => {
  it('refunds the account, the token and both counters once, however often it is reported', async () => {
    const task = await aTask()
    await task.pay()

    const changes = await Promise.all(
      Array.from({ length: 20 }, () => task.report({ status: 'FAILURE', failReason: 'banned' })),
    )
    await refundOwedTasks(db, { limit: 100 })

    expect(changes.filter((change) => change === 'failed')).toHaveLength(1)
    expect(await task.funds()).toEqual({ user: FUNDS, token: FUNDS })
    expect(await readBooks(db, task.userId, task.tokenId)).toMatchObject({ usedByUser: 0, usedByToken: 0 })
    expect((await task.read()).refunded_at).toBeInstanceOf(Date)
    const rows = await db.selectFrom('usage_log').selectAll().where('user_id', '=', task.userId).execute()
    expect(new Set(rows.map(({ type }) => type))).toEqual(new Set([2, 4]))
    expect(rows).toHaveLength(2)
    expect(rows.find(({ type }) => type === 4)?.other).toMatchObject({ event: 'task_refund', task: `v${task.id}` })
  })

  it('is refunded when its charge is settled, and not before', async () => {
    const task = await aTask()
    await task.report({ status: 'FAILURE' })
    await refundOwedTasks(db, { limit: 100 })
    expect(await task.funds()).toEqual({ user: FUNDS, token: FUNDS })

    await task.pay()
    expect(await task.funds()).toEqual({ user: FUNDS - PRICE, token: FUNDS - PRICE })

    const paid = await Promise.all([1, 2, 3, 4].map(() => refundOwedTasks(db, { limit: 100 })))
    expect(paid.reduce((sum, count) => sum + count, 0)).toBe(1)
    expect(await task.funds()).toEqual({ user: FUNDS, token: FUNDS })
  })

  it('ends balanced when it is charged at the same time, without a deadlock', async () => {
    const submitted = await Promise.all(Array.from({ length: 8 }, () => aTask()))

    await Promise.all(submitted.flatMap((task) => [task.pay(), task.report({ status: 'FAILURE' }), task.pay()]))
    await refundOwedTasks(db, { limit: 100 })

    for (const task of submitted) expect(await task.funds()).toEqual({ user: FUNDS, token: FUNDS })
  })

  it('refunds nothing if nothing was charged', async () => {
    const task = await aTask({ isSubmitted: false })

    await tasks.markRejected(db, task.id, { reason: 'blocked word', code: 24, channelId: 7 })
    await refundOwedTasks(db, { limit: 100 })

    expect(await task.read()).toMatchObject({ status: 'FAILURE', progress: 100, code: 24, charged: 0 })
    expect(await task.funds()).toEqual({ user: FUNDS, token: FUNDS })
  })
})

it('does not move back when the provider reports before it confirms the submission', async () => {
  const task = await aTask({ isSubmitted: false })
  await task.report({ status: 'IN_PROGRESS', progress: 5 })

  const inAnHour = new Date(Date.now() + 3_600_000)
  const submission = { channelId: 7, keyHash: '', upstreamId: 'v', status: 'SUBMITTED', code: 1, quota: PRICE }
  await tasks.markSubmitted(db, task.id, { ...submission, pollAt: inAnHour, deadline: inAnHour })

  expect((await task.read()).status).toBe('IN_PROGRESS')
})
