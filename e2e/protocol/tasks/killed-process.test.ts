import { setTimeout as wait } from 'node:timers/promises'
import { api } from '@tidegate/contract'
import { apiClient, type RunningServer, setUpSite } from '@tidegate/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyBooks } from '../../scenarios/books.ts'
import { openSite, type Site } from '../../scenarios/site.ts'
import { openTaskSite, PRICE, TOKEN_QUOTA, type TaskSite } from './task-site.ts'

const SOON = { timeout: 40_000, interval: 200 }

let site: Site
let server: RunningServer
let at: TaskSite
beforeAll(async () => {
  site = await openSite()
  server = await start()
  const admin = apiClient(server.url)
  await setUpSite(admin)
  const setOption = async (key: string, value: string) => {
    await admin.call(api.updateOption, { body: { key, value } })
  }
  at = await openTaskSite({ url: server.url, db: site.database.db, admin, client: admin, setOption })
})
afterAll(async () => {
  await server?.stop()
  expect(await verifyBooks(site.env, site.dataDirectory)).toBe('')
  await site.close()
  await at?.provider.close()
})

const start = () => site.start({ env: { TIDEGATE_ALLOW_PRIVATE_FETCHES: 'true' } })

async function startAgain(): Promise<void> {
  server = await start()
  at.url = server.url
}

it('a task whose process is killed before the provider responds is charged, and refunded when it fails', async () => {
  at.provider.nextSubmission({ stall: true })
  const lost = at.send('/mj/submit/imagine', { prompt: 'a lighthouse' }).catch(() => 'lost')
  await expect.poll(() => at.provider.submissions.length, SOON).toBe(1)

  await server.kill()
  expect(await lost).toBe('lost')
  await startAgain()

  await expect.poll(async () => (await at.tasks())[0], SOON).toMatchObject({ status: '', charged: PRICE })
  expect(await at.tokenQuota()).toBe(TOKEN_QUOTA - PRICE)
  await sql`update task set deadline_at = now()`.execute(site.database.db) // ten minutes later
  await expect.poll(async () => (await at.tasks())[0], SOON).toMatchObject({ status: 'FAILURE', refunded: true })
  expect(await at.tokenQuota()).toBe(TOKEN_QUOTA)
})

it('tasks that fail while processes are killed are each refunded once', async () => {
  const responses = await Promise.all(
    Array.from({ length: 12 }, () => at.send('/mj/submit/imagine', { prompt: 'many' })),
  )
  const ids = responses.map(({ json }) => json.result as string)
  for (const id of ids) at.provider.advance(id, { status: 'FAILURE', failReason: 'lost at sea' })

  for (const pause of [10, 60]) {
    await sql`update task set next_poll_at = now() where finished_at is null`.execute(site.database.db)
    await expect.poll(() => at.provider.polls.length, SOON).toBeGreaterThan(0)
    await wait(pause) // somewhere between a response and its processing
    await server.kill()
    await startAgain()
  }

  const countRefunded = async () =>
    (await at.tasks()).filter(({ refunded, charged }) => refunded && charged === PRICE).length
  await expect.poll(countRefunded, SOON).toBe(1 + ids.length)
  expect(await at.tokenQuota()).toBe(TOKEN_QUOTA)
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ledger_entry where kind = 'refund'`.execute(site.database.db)
  expect(rows[0]?.count).toBe(1 + ids.length)
})
