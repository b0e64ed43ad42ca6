import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { removeDirectory, throwAwayDatabase, throwAwayDirectory, type ThrowAwayDatabase } from '@tidegate/testing'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openCredit, type Credit } from '../src/credit.ts'
import { findImbalances, findRollupDifferences } from '../src/verify/find-imbalances.ts'
import { outcome, quiet, seedUser } from './books.ts'

let database: ThrowAwayDatabase
let admin: Client
let journals: string
let credit: Credit
let userId: number
let calls = 0
const databases: string[] = []

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  database = await throwAwayDatabase({ poolSize: 3 })
  journals = await throwAwayDirectory()
  const url = new URL(database.url)
  url.pathname = '/postgres'
  admin = new Client({ connectionString: url.href })
  await admin.connect()
  userId = await seedUser(database.db, 1_000_000)
})
afterEach(async () => {
  await credit.stop()
  vi.useRealTimers()
  await database.close()
  for (const name of databases.splice(0)) await admin.query(`drop database if exists ${name} with (force)`)
  await admin.end()
  await removeDirectory(journals)
})

/** Leaves no connection, as when the server is killed. */
async function disconnect(): Promise<void> {
  await admin.query(`alter database ${database.name} with allow_connections false`)
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database.name])
  await vi.waitFor(async () => {
    const { rowCount } = await admin.query('select from pg_stat_activity where datname = $1', [database.name])
    expect(rowCount).toBe(0)
  })
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)

const allow = (name: string) => admin.query(`alter database ${name} with allow_connections true`)

/** The state of the database now, to which it can fail over later: a standby that does not receive what follows. */
async function detachStandby(): Promise<{ promote(): Promise<void> }> {
  const standby = `${database.name}_standby`
  const old = `${database.name}_old`
  databases.push(standby, old)
  await disconnect()
  await admin.query(`create database ${standby} template ${database.name}`)
  await allow(database.name)
  return {
    async promote() {
      await disconnect()
      await admin.query(`alter database ${database.name} rename to ${old}`)
      await admin.query(`alter database ${standby} rename to ${database.name}`)
      await allow(database.name)
    },
  }
}

async function open(keepAppliedSeconds: number): Promise<void> {
  credit = await openCredit({
    db: database.db,
    holder: 'gateway',
    journals,
    keepLog: () => true,
    log: quiet,
    keepAppliedSeconds,
    settleIntervalMs: 3_600_000,
  })
}

async function call(quota: number): Promise<void> {
  const request = { requestId: `call-${++calls}`, userId, tokenId: 0, tokenUnlimited: true, amount: quota }
  await (await credit.reserve(request)).settle(outcome(quota))
  await vi.waitFor(() => credit.flush()) // the first attempts may meet connections that are gone
}

const charged = async () => {
  const rows = await database.db.selectFrom('usage_log').select(['request_id', 'quota']).orderBy('quota').execute()
  return rows.map(({ quota }) => quota)
}

/** The owner of the copied journal is then not this process. */
async function markDead(path: string): Promise<void> {
  const owner = JSON.parse(await readFile(path, 'utf8')) as object
  await writeFile(path, JSON.stringify({ ...owner, started: 'earlier' }))
}

async function expectBooksExact(): Promise<void> {
  await credit.flush()
  const { quota } = await database.db.selectFrom('user').select('quota').executeTakeFirstOrThrow()
  const leases = await database.db.selectFrom('credit_lease').select('amount').execute()
  expect(quota + sum(leases.map(({ amount }) => amount))).toBe(1_000_000 - sum(await charged()))
  expect(await findImbalances(database.db)).toEqual([])
  expect(await findRollupDifferences(database.db)).toEqual([])
}

it('applies settlements again that a failover lost, before the next one', async () => {
  await open(300)
  await call(1)
  const standby = await detachStandby()
  await call(2)
  await call(4)
  await standby.promote()

  await call(8)

  expect(await charged()).toEqual([1, 2, 4, 8])
  await expectBooksExact()
})

it('applies lost settlements again without a next one', async () => {
  await open(300)
  await call(1)
  const standby = await detachStandby()
  await call(2)
  await standby.promote()

  await vi.advanceTimersByTimeAsync(10_000)
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await charged()).toEqual([1, 2])
  })

  await expectBooksExact()
})

it('applies lost settlements of a process that was killed', async () => {
  await open(300)
  await call(1)
  const standby = await detachStandby()
  await call(2)
  await standby.promote()
  const killed = credit
  const copy = await throwAwayDirectory()
  await cp(journals, copy, { recursive: true })
  await markDead(join(copy, 'gateway', 'owner.json'))

  credit = await openCredit({
    db: database.db,
    holder: 'next',
    journals: copy,
    keepLog: () => true,
    log: quiet,
    settleIntervalMs: 3_600_000,
  })

  expect(await charged()).toEqual([1, 2])
  await killed.stop()
  await expectBooksExact()
  await removeDirectory(copy)
})
