import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openCredit } from './credit.ts'
import { reclaimExpiredLeases } from './leases/processes.ts'
import { replayDeadJournals } from './replay.ts'
import { settleBatch } from './settlement/apply-batch.ts'
import { chargeOf, seedToken, seedUser, readBalances, outcome, quiet, settlementOf } from '../test/books.ts'
import { linesOf, writeJournalLines } from '../test/journal-files.ts'
import { findImbalances, findRollupDifferences } from './verify/find-imbalances.ts'

let database: ThrowAwayDatabase
let journals: string
let userId: number
let tokenId: number
let victims = 0

beforeAll(async () => {
  database = await workerDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  journals = await mkdtemp(join(tmpdir(), 'tidegate-journals-'))
  userId = await seedUser(database.db, 1_000_000)
  tokenId = await seedToken(database.db, userId, 500_000)
})

it('settles everything a killed process had confirmed, once, and returns its leases', async () => {
  const { confirmed } = await killAfter(500)

  await replayDeadJournals({ db: database.db, journals, self: 'me', log: quiet })

  const logged = await loggedRequests()
  const calls = logged.filter(({ other }) => !other.interrupted)
  expect(calls.map(({ request_id }) => request_id)).toEqual(expect.arrayContaining(confirmed))
  expect(new Set(logged.map(({ request_id }) => request_id)).size).toBe(logged.length)
  expect(calls.length - confirmed.length).toBeLessThanOrEqual(1) // one may be settled without a sent confirmation
  expect(logged.filter(({ other }) => other.interrupted)).toMatchObject([{ quota: 7 }])
  expect(await findImbalances(database.db)).toEqual([])
  expect(await findRollupDifferences(database.db)).toEqual([])
  expect(await leases()).toEqual([])
  expect(await readdir(journals)).toEqual([])
})

it('changes nothing when the same journal is replayed again', async () => {
  await killAfter(300)
  const copy = await mkdtemp(join(tmpdir(), 'tidegate-copy-'))
  await cp(journals, copy, { recursive: true })
  await replayDeadJournals({ db: database.db, journals, self: 'me', log: quiet })
  const before = await readBalances(database.db, userId, tokenId)

  await replayDeadJournals({ db: database.db, journals: copy, self: 'me', log: quiet })

  expect(await readBalances(database.db, userId, tokenId)).toEqual(before)
  expect(await findImbalances(database.db)).toEqual([])
  await rm(copy, { recursive: true })
})

it('ignores the journal of a live process', async () => {
  const victim = start()
  await confirmations(victim.child, 50)

  await replayDeadJournals({ db: database.db, journals, self: 'me', log: quiet })

  expect(await readdir(journals)).toEqual([victim.holder])
  await kill(victim.child)
})

it('runs when the next process starts', async () => {
  const { confirmed } = await killAfter(100)

  const credit = await openCredit({ db: database.db, holder: 'next', journals, keepLog: () => true, log: quiet })

  const logged = await loggedRequests()
  expect(logged.map(({ request_id }) => request_id)).toEqual(expect.arrayContaining(confirmed))
  await credit.stop()
})

it('settles the journal of a process of the release before', async () => {
  const settlement = settlementOf(chargeOf({ requestId: 'old', userId, tokenId, tokenUnlimited: false }, 30))
  const streaming = { ...settlement, requestId: 'old-stream', quota: 7 }
  await writeJournalLines(join(journals, 'old-release'), linesOf(settlement, streaming))

  await replayDeadJournals({ db: database.db, journals, self: 'me', log: quiet })

  expect(await loggedRequests()).toMatchObject([
    { request_id: 'old', quota: 30 },
    { request_id: 'old-stream', quota: 7, other: { interrupted: true } },
  ])
  expect(await readBalances(database.db, userId, tokenId)).toEqual({ user: 1_000_000 - 37, token: 500_000 - 37 })
  expect(await findImbalances(database.db)).toEqual([])
  expect(await readdir(journals)).toEqual([])
})

it('bills open streams although the disk was full while later batches were settled', async () => {
  const holder = 'full-disk'
  const settlement = settlementOf(chargeOf({ requestId: 'first', userId, tokenId, tokenUnlimited: false }, 30))
  const streaming = { ...settlement, requestId: 'open-stream', quota: 7 }
  await writeJournalLines(join(journals, holder), linesOf(settlement, streaming))
  for (const number of [1, 2, 3]) await settleBatch(database.db, { holder, number }, [])

  await replayDeadJournals({ db: database.db, journals, self: 'me', log: quiet })

  expect(await loggedRequests()).toMatchObject([{ request_id: 'open-stream', quota: 7, other: { interrupted: true } }])
  expect(await findImbalances(database.db)).toEqual([])
  expect(await readdir(journals)).toEqual([])
})

it('charges the account if the leases were reclaimed before the replay', async () => {
  const { confirmed } = await killAfter(100)
  await database.db
    .updateTable('gateway_process')
    .set({ heartbeat_at: new Date(0) })
    .execute()
  await reclaimExpiredLeases(database.db, { wait: async () => {} })
  expect(await leases()).toEqual([])

  await replayDeadJournals({ db: database.db, journals, self: 'me', log: quiet })

  const { user } = await readBalances(database.db, userId, tokenId)
  expect(1_000_000 - user).toBeGreaterThanOrEqual(confirmed.length * 3)
  expect(await findImbalances(database.db)).toEqual([])
})

it('keeps confirmed requests while the database is unavailable, and rejects new ones when the leases are used up', async () => {
  const small = await seedUser(database.db, 1000)
  const credit = await openCredit({ db: database.db, holder: 'offline', journals, keepLog: () => true, log: quiet })
  const request = { userId: small, tokenId: 0, tokenUnlimited: true, amount: 1 }
  const first = await credit.reserve({ ...request, requestId: 'offline-0', amount: 100 })
  await first.settle(outcome(10))
  await database.pool.query('alter table "user" rename to user_away')

  let served = 0
  const rejection = await (async () => {
    for (;;) {
      try {
        const reservation = await credit.reserve({ ...request, requestId: `offline-${++served}` })
        await reservation.settle(outcome(1))
      } catch (error) {
        return error
      }
    }
  })()
  await database.pool.query('alter table user_away rename to "user"')
  await credit.stop()

  expect(rejection).toMatchObject({ code: 'settlement_unavailable' })
  expect(served).toBe(91)
  expect(await findImbalances(database.db)).toEqual([])
})

function start() {
  const holder = `victim-${++victims}`
  const child = fork(new URL('../test/credit-process.ts', import.meta.url), [
    database.url,
    journals,
    holder,
    String(userId),
    String(tokenId),
  ])
  return { child, holder }
}

async function confirmations(child: ChildProcess, count: number): Promise<string[]> {
  const confirmed: string[] = []
  await new Promise<void>((resolve, reject) => {
    child.on('message', (requestId: string) => {
      confirmed.push(requestId)
      if (confirmed.length === count) resolve()
    })
    child.once('exit', (code) => reject(new Error(`the process ended with ${code}`)))
  })
  child.removeAllListeners('exit')
  return confirmed
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = Promise.all([once(child, 'exit'), once(child, 'disconnect')]) // with everything it had confirmed
  child.kill('SIGKILL')
  await ended
}

async function killAfter(count: number) {
  const { child, holder } = start()
  const confirmed = await confirmations(child, count)
  await kill(child)
  return { confirmed, holder }
}

function loggedRequests() {
  return database.db
    .selectFrom('usage_log')
    .select(['request_id', 'quota', 'other'])
    .where('user_id', '=', userId)
    .execute()
}

function leases() {
  return database.db.selectFrom('credit_lease').select('amount').where('user_id', '=', userId).execute()
}
