import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { publish, startSharedListener, type SharedListener } from '@tidegate/storage'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { recordEntry } from '../src/entries/record-entry.ts'
import { openCredit, type Credit } from '../src/credit.ts'
import { changeBalance } from '../src/entries/change-balance.ts'
import { seedUser, outcome, quiet } from './books.ts'
import { findImbalances } from '../src/verify/find-imbalances.ts'

const PRICE = 10

let database: ThrowAwayDatabase
let journals: string
let userId: number
let listeners: SharedListener[]
let nodes: [Credit, Credit]
let requests = 0

beforeEach(async () => {
  database = await workerDatabase()
  journals = await mkdtemp(join(tmpdir(), 'tidegate-journals-'))
  userId = await seedUser(database.db, 0)
  // Each node has its own listener connection, as processes do.
  listeners = [
    await startSharedListener(database.newClient, { db: database.db }),
    await startSharedListener(database.newClient, { db: database.db }),
  ]
  nodes = [await open('north', listeners[0]!), await open('south', listeners[1]!)]
})
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.stop()))
  expect(await findImbalances(database.db)).toEqual([])
  await Promise.all(listeners.map((listener) => listener.stop()))
  await database.close()
  await rm(journals, { recursive: true })
})

it('serves the first request after a top-up on any node', async () => {
  for (const node of nodes) expect(await spend(node)).toBe('insufficient_user_quota')

  for (const node of nodes) {
    await topUp(PRICE)

    expect(await spend(node)).toBe('spent')
  }
})

it('rejects new requests on every node when the credit is removed', async () => {
  await topUp(1_000_000)
  await Promise.all(nodes.map((node) => spendMany(node, 20))) // both have leases by now

  await takeAway()

  for (const node of nodes) await expect.poll(() => spend(node), { interval: 10 }).toBe('insufficient_user_quota')
  for (const node of nodes) expect(await spend(node)).toBe('insufficient_user_quota')
})

it('rejects them also if the change notification was lost while the connection was down', async () => {
  await topUp(1_000_000)
  await Promise.all(nodes.map((node) => spendMany(node, 20)))
  const { rows: lines } = await database.pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and query ilike 'listen%'`,
  )
  expect(lines).toHaveLength(2)

  await Promise.all(lines.map(({ pid }) => database.pool.query('select pg_terminate_backend($1)', [pid])))
  await takeAway()

  for (const node of nodes) await expect.poll(() => spend(node), { interval: 10 }).toBe('insufficient_user_quota')
})

it('loses nothing when credit is added while requests are settled', async () => {
  await topUp(5_000)
  let spent = 0
  let credited: Promise<void> = Promise.resolve()
  const credit = async (amount: number) => {
    const seen = await balance()
    const origin = { clientIp: '', requestId: `credit-${amount}` }
    await changeBalance(database.db, { userId, actorId: 1, quota: seen + amount, quotaSeen: seen, origin })
  }

  await Promise.all(
    nodes.map(async (node) => {
      for (let call = 1; call <= 50; call++) {
        if ((await spend(node)) === 'spent') spent += PRICE
        if (node === nodes[0] && call % 10 === 0 && call < 50) credited = credited.then(() => credit(call * 100))
      }
    }),
  )
  await credited
  await Promise.all(nodes.map((node) => node.flush()))

  expect(spent).toBe(2 * 50 * PRICE)
  expect(await balance()).toBe(5_000 + 10_000 - spent)
})

function open(holder: string, line: SharedListener): Promise<Credit> {
  return openCredit({ db: database.db, holder, journals, listener: line, keepLog: () => true, log: quiet })
}

async function spend(node: Credit): Promise<string> {
  try {
    const request = { requestId: `request-${++requests}`, userId, tokenId: 0, tokenUnlimited: true, amount: PRICE }
    await (await node.reserve(request)).settle(outcome(PRICE))
    return 'spent'
  } catch (error) {
    return (error as { code: string }).code
  }
}

async function spendMany(node: Credit, calls: number): Promise<void> {
  for (let call = 0; call < calls; call++) expect(await spend(node)).toBe('spent')
}

async function topUp(amount: number): Promise<void> {
  await database.db.transaction().execute(async (transaction) => {
    await recordEntry(transaction, { userId, kind: 'top_up', amount, reference: `trade-${++requests}` })
    await publish(transaction, { kind: 'credit', userId })
  })
}

async function takeAway(): Promise<void> {
  await changeBalance(database.db, { userId, actorId: 1, quota: 0, origin: { clientIp: '', requestId: 'take' } })
}

/** The user's credit, including leases. */
async function balance(): Promise<number> {
  const { rows } = await database.pool.query<{ quota: number }>(
    `select u.quota + coalesce((select sum(amount) from credit_lease where user_id = u.id), 0)::bigint as quota
     from "user" u where u.id = $1`,
    [userId],
  )
  return rows[0]!.quota
}
