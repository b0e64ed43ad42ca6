import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectDatabase, type DatabaseHandle } from '@tidegate/storage'
import { COMPILE_CACHE, tcpProxy, type TcpProxy, workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openCredit, type Credit, type CreditOptions } from './credit.ts'
import { reclaimExpiredLeases } from './leases/processes.ts'
import { replayDeadJournals } from './replay.ts'
import { takeOverDeadProcess } from './resume.ts'
import { outcome, quiet, readBalances, seedToken, seedUser } from '../test/books.ts'
import { findImbalances, findRollupDifferences } from './verify/find-imbalances.ts'

const BALANCE = 10_000
/** Processes that are killed start in half the time. */
const COMPILED = { env: { ...process.env, ...COMPILE_CACHE } }
let database: ThrowAwayDatabase
let proxy: TcpProxy
/** Behind the proxy: what the processes use. */
let handle: DatabaseHandle
let url: string
let journals: string
let userId: number
let tokenId: number
let processes = 0
let requests = 0
const opened: Credit[] = []
const children: ChildProcess[] = []

beforeAll(async () => {
  database = await workerDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  const address = new URL(database.url)
  proxy = await tcpProxy(Number(address.port || 5432))
  address.port = String(proxy.port)
  url = address.href
  handle = connectDatabase({ url, poolSize: 4, applicationName: 'resumed' })
  journals = await mkdtemp(join(tmpdir(), 'tidegate-journals-'))
  userId = await seedUser(database.db, BALANCE)
  tokenId = await seedToken(database.db, userId, BALANCE)
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await Promise.all(opened.splice(0).map((credit) => credit.stop()))
  expect(await findImbalances(database.db)).toEqual([])
  expect(await findRollupDifferences(database.db)).toEqual([])
  await handle.close()
  await proxy.close()
  await rm(journals, { recursive: true })
})

function takeAway(): void {
  proxy.setTarget(1)
  proxy.cutAll()
}

function bringBack(): void {
  proxy.setTarget(Number(new URL(database.url).port || 5432))
  proxy.cutAll()
}

/** A process that settles requests of 3 until it is killed, with an open stream that cost 7 so far. */
async function startVictim(confirmedAtLeast: number) {
  const holder = `host-gateway-${++processes}-0123abcd`
  const program = new URL('../test/credit-process.ts', import.meta.url)
  const child = fork(program, [url, journals, holder, String(userId), String(tokenId)], COMPILED)
  children.push(child)
  const confirmed: string[] = []
  await new Promise<void>((resolve) => {
    child.on('message', (requestId: string) => {
      confirmed.push(requestId)
      if (confirmed.length === confirmedAtLeast) resolve()
    })
  })
  return {
    holder,
    confirmed,
    async kill() {
      const ended = Promise.all([once(child, 'exit'), once(child, 'disconnect')])
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function openWithoutDatabase(options: Partial<CreditOptions> = {}) {
  const holder = await takeOverDeadProcess(journals, 'gateway')
  const credit = await openCredit({
    db: handle.db,
    holder: holder ?? `host-gateway-${++processes}-0123abcd`,
    journals,
    keepLog: () => true,
    log: quiet,
    withoutDatabase: true,
    aheadSeconds: 1000,
    deadlineMs: 1000,
    ...options,
  })
  opened.push(credit)
  return { credit, holder }
}

const requestOf = (amount: number) => ({
  requestId: `resumed-${++requests}`,
  userId,
  tokenId,
  tokenUnlimited: false,
  amount,
  mayOverdraw: true,
})

/** Serves requests of 3 until one is rejected. Returns what they cost. */
async function spendAll(credit: Credit, amount = 3): Promise<{ spent: number; rejection: unknown }> {
  for (let spent = 0; ; spent += amount) {
    try {
      const reservation = await credit.reserve(requestOf(amount))
      await reservation.settle(outcome(amount))
    } catch (rejection) {
      return { spent, rejection }
    }
  }
}

const logged = () =>
  database.db.selectFrom('usage_log').select(['request_id', 'quota', 'other']).where('user_id', '=', userId).execute()

const sum = (rows: readonly { quota: number }[]) => rows.reduce((total, { quota }) => total + quota, 0)

async function leasesOf(holder: string): Promise<{ token: number; amount: number }[]> {
  const rows = await database.db
    .selectFrom('credit_lease')
    .select(['token_id', 'amount'])
    .where('holder', '=', holder)
    .execute()
  return rows.map(({ token_id, amount }) => ({ token: token_id === 0 ? 0 : 1, amount }))
}

describe('a process that starts without the database', () => {
  it('spends what a killed process had leased, never more, and settles both', async () => {
    const victim = await startVictim(40)
    takeAway()
    await victim.kill()
    const { credit, holder } = await openWithoutDatabase()
    expect(holder).toBe(victim.holder)

    const { spent, rejection } = await spendAll(credit)

    expect(rejection).toMatchObject({ code: 'settlement_unavailable' })
    expect(spent).toBeGreaterThan(0)
    bringBack()
    await expect
      .poll(() =>
        credit.flush().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    await credit.stop()
    opened.length = 0
    const rows = await logged()
    const calls = rows.filter(({ other }) => !other.interrupted)
    expect(calls.map(({ request_id }) => request_id)).toEqual(expect.arrayContaining(victim.confirmed))
    expect(new Set(rows.map(({ request_id }) => request_id)).size).toBe(rows.length)
    expect(rows.filter(({ other }) => other.interrupted)).toMatchObject([{ quota: 7 }])
    expect(rows.filter(({ other }) => other.uncovered)).toEqual([])
    const balances = await readBalances(database.db, userId, tokenId)
    expect(balances).toEqual({ user: BALANCE - sum(rows), token: BALANCE - sum(rows) })
    expect(await leasesOf(victim.holder)).toEqual([])
    expect(await readdir(journals)).toEqual([])
  })

  it('never holds more than the leases in the database, however often it is killed', async () => {
    const victim = await startVictim(40)
    takeAway()
    await victim.kill()
    const leased = Math.min(...(await leasesOf(victim.holder)).map(({ amount }) => amount))
    const unsettled = victim.confirmed.length * 3 + 7 - sum(await logged())

    const program = new URL('../test/resumed-process.ts', import.meta.url)
    const confirmed: string[] = []
    for (const count of [5, 5, Infinity]) {
      const child = fork(program, [url, journals, String(userId), String(tokenId)], COMPILED)
      children.push(child)
      await new Promise<void>((resolve) => {
        let served = 0
        child.on('message', (requestId: string | null) => {
          if (requestId === null) return resolve() // rejected
          confirmed.push(requestId)
          served += 1
          if (served === count) resolve()
        })
      })
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
    // One settlement of each killed process may be written without its confirmation.
    expect(confirmed.length * 3).toBeLessThanOrEqual(leased - unsettled)
    expect(confirmed.length).toBeGreaterThan(10)

    bringBack()
    await replayDeadJournals({ db: database.db, journals, self: 'me', log: quiet })

    const rows = await logged()
    const ids = rows.map(({ request_id }) => request_id)
    expect(ids).toEqual(expect.arrayContaining([...victim.confirmed, ...confirmed]))
    expect(new Set(ids).size).toBe(rows.length)
    expect((await readBalances(database.db, userId, tokenId)).user).toBe(BALANCE - sum(rows))
    expect(await leasesOf(victim.holder)).toEqual([])
  })

  it('is the only one that continues a dead process', async () => {
    const victim = await startVictim(5)
    await victim.kill()

    const results = await Promise.all([1, 2, 3, 4].map(() => takeOverDeadProcess(journals, 'gateway')))

    expect(results.filter((holder) => holder === victim.holder)).toHaveLength(1)
    // Its owner lives now, so its journal is not replayed.
    expect(await replayDeadJournals({ db: database.db, journals, self: 'me', log: quiet })).toEqual([])
    await rm(join(journals, victim.holder), { recursive: true })
  })

  it('continues only a process of its slot, and none that runs', async () => {
    const victim = await startVictim(5)
    expect(await takeOverDeadProcess(journals, 'gateway')).toBeUndefined()
    await victim.kill()

    expect(await takeOverDeadProcess(journals, 'gateway-2')).toBeUndefined()
    expect(await takeOverDeadProcess(journals)).toBe(victim.holder)
    await rm(join(journals, victim.holder), { recursive: true })
  })

  it('gives its leases up if a worker returned them meanwhile', async () => {
    const victim = await startVictim(20)
    takeAway()
    await victim.kill()
    const { credit } = await openWithoutDatabase()
    await (await credit.reserve(requestOf(3))).settle(outcome(3))
    await database.db
      .updateTable('gateway_process')
      .set({ heartbeat_at: new Date(0) })
      .execute()
    await reclaimExpiredLeases(database.db, { wait: async () => {} })

    bringBack()

    await expect.poll(() => leasesOf(victim.holder), { timeout: 30_000 }).toEqual([])
    await expect
      .poll(async () => (await logged()).some(({ request_id }) => request_id.startsWith('resumed')))
      .toBe(true)
    expect((await readBalances(database.db, userId, tokenId)).user).toBe(BALANCE - sum(await logged()))
  })

  it('serves nothing without leases', async () => {
    takeAway()
    const { credit, holder } = await openWithoutDatabase()

    expect(holder).toBeUndefined()
    expect(credit.isAvailable()).toBe(false)
    await expect(async () => credit.reserve(requestOf(3))).rejects.toMatchObject({ code: 'settlement_unavailable' })

    bringBack()
    await expect.poll(async () => (await spendOnce(credit)) && credit.isAvailable(), { timeout: 30_000 }).toBe(true)
  })
})

async function spendOnce(credit: Credit): Promise<boolean> {
  try {
    await (await credit.reserve(requestOf(3))).settle(outcome(3))
    return true
  } catch {
    return false
  }
}

describe('outage credit', () => {
  const open = (limit: number, options: Partial<CreditOptions> = {}) => {
    return openWithoutDatabase({ outageCredit: () => limit, ...options })
  }

  it('is given to accounts that had a balance, up to its limit, and is charged like any request', async () => {
    takeAway()
    const { credit } = await open(100)
    const poor = { ...requestOf(3), mayOverdraw: false }
    await expect(async () => credit.reserve(poor)).rejects.toMatchObject({ code: 'settlement_unavailable' })

    const { spent } = await spendAll(credit, 7)

    expect(spent).toBe(98)
    expect(credit.isAvailable()).toBe(true)
    bringBack()
    await expect.poll(async () => sum(await logged()), { timeout: 30_000 }).toBe(98)
    expect(await readBalances(database.db, userId, tokenId)).toEqual({ user: BALANCE - 98, token: BALANCE - 98 })
    expect((await logged()).filter(({ other }) => other.uncovered)).toEqual([])
  })

  it('gives back what a request reserved but did not use', async () => {
    takeAway()
    const { credit } = await open(100)
    const reservation = await credit.reserve(requestOf(90))
    await reservation.settle(outcome(10))
    const released = await credit.reserve(requestOf(90))
    released.release()

    expect((await spendAll(credit, 9)).spent).toBe(90)

    bringBack()
    await expect.poll(async () => sum(await logged()), { timeout: 30_000 }).toBe(100)
  })

  it('records what the balance does not cover as uncovered, and never makes it negative', async () => {
    await database.db.updateTable('token').set({ unlimited_quota: true }).where('id', '=', tokenId).execute()
    const poor = await seedUser(database.db, 25)
    takeAway()
    const { credit } = await open(100)
    for (let call = 0; call < 5; call++) {
      const request = { ...requestOf(10), userId: poor, tokenId: 0, tokenUnlimited: true }
      await (await credit.reserve(request)).settle(outcome(10))
    }

    bringBack()

    const rows = () =>
      database.db.selectFrom('usage_log').select(['quota', 'other']).where('user_id', '=', poor).execute()
    await expect.poll(async () => (await rows()).length, { timeout: 30_000 }).toBe(5)
    expect(sum(await rows())).toBe(25)
    const uncovered = (await rows()).map(({ other }) => (other as { uncovered?: number }).uncovered ?? 0)
    expect(uncovered.reduce((total, amount) => total + amount, 0)).toBe(25)
    expect(credit.uncovered()).toBe(25)
    const { quota } = await database.db
      .selectFrom('user')
      .select('quota')
      .where('id', '=', poor)
      .executeTakeFirstOrThrow()
    expect(quota).toBe(0)
  })

  it('is not given again to a process that continues one of the same outage', async () => {
    const program = new URL('../test/resumed-process.ts', import.meta.url)
    const victim = await startVictim(5)
    takeAway()
    await victim.kill()
    const child = fork(program, [url, journals, String(userId), String(tokenId), '60'], COMPILED)
    children.push(child)
    await new Promise<void>((resolve) => {
      child.on('message', (requestId: string | null) => requestId === null && resolve())
    })
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended

    const { credit } = await open(60)

    expect((await spendAll(credit)).spent).toBe(0)
    bringBack()
    await expect
      .poll(() =>
        credit.flush().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
  })
})
