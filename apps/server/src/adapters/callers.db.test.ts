import { randomBytes } from 'node:crypto'
import { findImbalances } from '@tidegate/ledger'
import { connectDatabase, openVault, startSharedListener, tokens, users } from '@tidegate/storage'
import { tcpProxy, workerDatabase } from '@tidegate/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCallers } from './callers.ts'

const KEY = 'a-key-that-has-a-budget'
const vault = openVault(randomBytes(32))
const OUTAGE_MS = 600_000
let database: Awaited<ReturnType<typeof workerDatabase>>
let callers: ReturnType<typeof createCallers>
let tokenId: number
beforeAll(async () => {
  database = await workerDatabase()
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const listener = await startSharedListener(database.newClient, { db: database.db })
  callers = createCallers({ db: database.db, vault, listener, log, outageMs: OUTAGE_MS })
  const user = { username: 'keeper', display_name: 'keeper', aff_code: 'keeper' }
  const hash = vault.keyedHash('token-hash', KEY)
  tokenId = await tokens.insert(database.db, {
    user_id: await users.insert(database.db, user),
    hash,
    sealed_key: '',
    hint: '',
    name: 'budgeted',
    budget_period: 'day',
    budget_quota: 900,
    budget_resets_at: new Date(Date.now() + 86_400_000),
  })
})
afterAll(() => database.close())

it('resets an expired budget once for many concurrent requests', async () => {
  expect(await callers.find(KEY)).toMatchObject({ tokenId, remainQuota: 0 })
  const over = { budget_resets_at: new Date(Date.now() - 1000), status: 4 }
  await database.db.updateTable('token').set(over).where('id', '=', tokenId).execute()
  const later = createCallers({
    db: database.db,
    vault,
    listener: await startSharedListener(database.newClient, { db: database.db }),
    log: { info: () => {}, warn: () => {}, error: () => {} },
    outageMs: OUTAGE_MS,
  })

  const found = await Promise.all(Array.from({ length: 20 }, () => later.find(KEY)))

  expect(found.every((caller) => caller?.remainQuota === 900 && caller.tokenStatus === 1)).toBe(true)
  expect(found[0]!.budgetResetsAt! * 1000).toBeGreaterThan(Date.now())
  const entries = await database.db
    .selectFrom('ledger_entry')
    .select('amount')
    .where('token_id', '=', tokenId)
    .execute()
  expect(entries).toEqual([{ amount: 900 }])
  expect(await findImbalances(database.db)).toEqual([])
})

it('resets the budget on every node', async () => {
  await expect.poll(() => callers.find(KEY)).toMatchObject({ remainQuota: 900, tokenStatus: 1 })
})

it('rejects requests with 503 when the caller cannot be looked up', async () => {
  const away = connectDatabase({ url: 'postgres://127.0.0.1:9/nowhere', poolSize: 1, applicationName: 'away' })
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const listener = { subscribe: () => () => {}, stop: async () => {} }
  const lost = createCallers({ db: away.db, vault, listener, log, outageMs: OUTAGE_MS })

  await expect(lost.find(KEY)).rejects.toMatchObject({ code: 'service_unavailable' })
  await away.close()
})

it('serves a caller whose budget reset fails, and tries it once', async () => {
  const url = new URL(database.url)
  const proxy = await tcpProxy(Number(url.port || 5432))
  url.port = String(proxy.port)
  const frozen = connectDatabase({ url: url.href, poolSize: 2, applicationName: 'frozen' })
  const warnings: object[] = []
  const log = { info: () => {}, warn: (details: object) => void warnings.push(details), error: () => {} }
  const listener = { subscribe: () => () => {}, stop: async () => {} }
  const gateway = createCallers({ db: frozen.withDeadline(1_000), vault, listener, log, outageMs: OUTAGE_MS })
  const resetsAt = new Date(Math.ceil(Date.now() / 1000 + 1) * 1000)
  await database.db.updateTable('token').set({ budget_resets_at: resetsAt }).where('id', '=', tokenId).execute()
  expect(await gateway.find(KEY)).toMatchObject({ tokenId })
  proxy.stall()
  await expect.poll(() => Date.now()).toBeGreaterThanOrEqual(resetsAt.getTime())

  const found = await Promise.all([gateway.find(KEY), gateway.find(KEY)])

  expect([...found, await gateway.find(KEY)]).toEqual([1, 2, 3].map(() => expect.objectContaining({ tokenId })))
  expect(warnings).toMatchObject([{ event: 'token.budget_reset_failed', tokenId }])
  proxy.resume()
  await frozen.close()
  await proxy.close()
})
