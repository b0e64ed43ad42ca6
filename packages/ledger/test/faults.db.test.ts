import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { publish, startSharedListener, type SharedListener } from '@tidegate/storage'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { openCredit, type Credit } from '../src/credit.ts'
import { openJournal } from '../src/journal/journal.ts'
import { settleBatch } from '../src/settlement/apply-batch.ts'
import { releaseHolder, takeLease } from '../src/leases/lease-rows.ts'
import { reclaimExpiredLeases, registerProcess, sendHeartbeat } from '../src/leases/processes.ts'
import { replayDeadJournals } from '../src/replay.ts'
import { chargeOf, seedUser, outcome, quiet } from './books.ts'
import { removeRecords } from './journal-files.ts'
import { findImbalances, findRollupDifferences } from '../src/verify/find-imbalances.ts'

let database: ThrowAwayDatabase
let listener: SharedListener
let journals: string
let userId: number
let requests = 0

beforeAll(async () => {
  database = await workerDatabase()
  listener = await startSharedListener(database.newClient, { db: database.db })
})
afterAll(async () => {
  await listener.stop()
  await database.close()
})
beforeEach(async () => {
  journals = await mkdtemp(join(tmpdir(), 'tidegate-journals-'))
  userId = await seedUser(database.db, 1000)
})
afterEach(() => rm(journals, { recursive: true }))

it('creates no credit when a process returns leases that were reclaimed', async () => {
  const credit = await open('slow')
  const reservation = await reserve(credit, 100)
  await takeBackLeases()

  await reservation.settle(outcome(30))
  await credit.flush()
  await publish(database.db, { kind: 'credit', userId })

  await expect.poll(() => balance()).toBe(970)
  expect(await findImbalances(database.db)).toEqual([])
  expect(await findRollupDifferences(database.db)).toEqual([])
  await credit.stop()
  expect(await balance()).toBe(970)
})

it('returns the leases of an unregistered process', async () => {
  await takeLease(database.db, { holder: 'unregistered', userId, tokenId: 0, need: 60, want: 60 })
  expect(await balance()).toBe(940)

  expect(await reclaimExpiredLeases(database.db, { wait: async () => {} })).toBe(1)

  expect(await balance()).toBe(1000)
  expect(await findImbalances(database.db)).toEqual([])
})

it('leaves the leases of a process that registers again', async () => {
  await takeLease(database.db, { holder: 'late', userId, tokenId: 0, need: 60, want: 60 })

  expect(await reclaimExpiredLeases(database.db, { wait: () => registerProcess(database.db, 'late') })).toBe(0)

  expect(await balance()).toBe(940)
  await releaseHolder(database.db, 'late')
})

it('returns what a process leased between the loss of its leases and its next heartbeat', async () => {
  const credit = await open('slow')
  ;(await reserve(credit, 100)).release()
  await takeBackLeases()
  ;(await reserve(credit, 200)).release()
  expect(await sumLeased()).toBe(100)

  await expect.poll(() => sumLeased(), { timeout: 20_000 }).toBe(0)

  expect(await balance()).toBe(1000)
  expect(await findImbalances(database.db)).toEqual([])
  await credit.stop()
})

it('leaves the leases of a process that only looks expired because the clock jumped forward', async () => {
  const credit = await open('punctual')
  await reserve(credit, 100)
  await database.db
    .updateTable('gateway_process')
    .set({ heartbeat_at: new Date(0) })
    .execute()

  const reclaimed = await reclaimExpiredLeases(database.db, {
    wait: async () => void (await sendHeartbeat(database.db, 'punctual')),
  })

  expect(reclaimed).toBe(0)
  expect(await sumLeased()).toBe(100)
  await credit.stop()
})

it('ignores a process that has registered and is still creating its journal', async () => {
  await registerProcess(database.db, 'starting')
  await mkdir(join(journals, 'starting'))

  const replayed = await replay()

  expect(replayed).toEqual([])
  expect(await readdir(journals)).toEqual(['starting'])
})

it('registers a process before others can find its journal', async () => {
  const opening = open('newcomer')
  const found: (string | undefined)[] = []
  while (found.length === 0) if ((await readdir(journals)).length > 0) found.push(await findHolder('newcomer'))

  expect(found).toEqual(['newcomer'])
  await (await opening).stop()
})

it('lets several processes replay the same journal at once', async () => {
  for (const holder of ['dead-1', 'dead-2', 'dead-3']) await aDeadJournal(holder, 40)

  const replays = await Promise.allSettled(Array.from({ length: 8 }, () => replay()))

  expect(replays.filter(({ status }) => status === 'rejected')).toEqual([])
  expect(await balance()).toBe(1000 - 120)
  expect(await findImbalances(database.db)).toEqual([])
  expect(await readdir(journals)).toEqual([])
})

it('does not bill a stream by its checkpoint if its receipt reached the database despite a full disk', async () => {
  const directory = join(journals, 'full')
  const journal = await openJournal({ directory, syncEach: false })
  const settle = async (requestId: string) => {
    await journal.append(aCharge(requestId, 5))
    const batch = (await journal.nextBatch())!
    await batch.written
    await settleBatch(database.db, { holder: 'full', number: batch.number }, batch.settlements())
    await journal.markApplied(batch)
  }
  await settle('before')
  journal.checkpoint(aCharge('noted', 3))
  await settle('noted')
  await settle('after')
  await journal.append(aCharge('last', 5))
  await removeRecords(directory, (record) => record.kind === 'charge' && record.charge.base.requestId === 'noted')
  await removeRecords(directory, (record) => record.kind === 'cut' && record.batch === 2)

  await replay()

  expect(await balance()).toBe(1000 - 4 * 5)
  expect(await findImbalances(database.db)).toEqual([])
})

function aCharge(requestId: string, quota: number) {
  return chargeOf({ requestId, userId, tokenId: 0, tokenUnlimited: true }, quota)
}

function open(holder: string): Promise<Credit> {
  return openCredit({ db: database.db, holder, journals, listener, keepLog: () => true, log: quiet })
}

async function reserve(credit: Credit, amount: number) {
  return credit.reserve({ requestId: `request-${++requests}`, userId, tokenId: 0, tokenUnlimited: true, amount })
}

function replay(): Promise<string[]> {
  return replayDeadJournals({ db: database.db, journals, self: 'me', log: quiet })
}

async function takeBackLeases(): Promise<void> {
  await database.db
    .updateTable('gateway_process')
    .set({ heartbeat_at: new Date(0) })
    .execute()
  await reclaimExpiredLeases(database.db, { wait: async () => {} })
}

/** The journal of a dead process with requests of one unit each. */
async function aDeadJournal(holder: string, calls: number): Promise<void> {
  const journal = await openJournal({ directory: join(journals, holder), syncEach: false, batchSize: 7 })
  for (let call = 0; call < calls; call++) {
    await journal.append(aCharge(`${holder}-${call}`, 1))
  }
  await journal.close()
}

async function balance(): Promise<number> {
  const row = await database.db.selectFrom('user').select('quota').where('id', '=', userId).executeTakeFirstOrThrow()
  return row.quota
}

async function sumLeased(): Promise<number> {
  const rows = await database.db.selectFrom('credit_lease').select('amount').where('user_id', '=', userId).execute()
  return rows.reduce((sum, { amount }) => sum + amount, 0)
}

async function findHolder(holder: string): Promise<string | undefined> {
  const row = database.db.selectFrom('gateway_process').select('holder').where('holder', '=', holder)
  return (await row.executeTakeFirst())?.holder
}
