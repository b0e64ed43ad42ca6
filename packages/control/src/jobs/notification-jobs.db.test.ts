import { randomBytes } from 'node:crypto'
import { createUpstreamClient } from '@tidegate/providers'
import { loadCatalog, openVault, type Catalog } from '@tidegate/storage'
import { startWebhookReceiver, workerDatabase, type WebhookReceiver, type ThrowAwayDatabase } from '@tidegate/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { notificationJobs } from './messaging-jobs.ts'

const vault = openVault(randomBytes(32))
const log = { info: () => {}, warn: () => {}, error: () => {} }
const webhookClient = createUpstreamClient({ allowPrivateAddresses: true })
const site = { allowPrivateFetches: true, notificationLimit: { count: 2, minutes: 10 } }

let database: ThrowAwayDatabase
let catalog: Catalog
let receiver: WebhookReceiver
let userId: number
beforeAll(async () => {
  database = await workerDatabase()
  receiver = await startWebhookReceiver()
  catalog = await loadCatalog(database.db, vault)
})
afterAll(async () => {
  await webhookClient.close()
  await receiver.close()
  await database.close()
})
beforeEach(async () => {
  const name = randomBytes(5).toString('hex')
  const setting = JSON.stringify({ notify_type: 'webhook', webhook_url: `${receiver.url}/${name}` })
  const user = { username: name, display_name: name, aff_code: name, quota: 5, setting }
  userId = (await database.db.insertInto('user').values(user).returning('id').executeTakeFirstOrThrow()).id
})

function run(name: string): Promise<void> {
  const deps = { db: database.db, vault, catalog: () => catalog, log, now: () => new Date(), webhookClient }
  const jobs = notificationJobs({ ...deps, site: site as never })
  return jobs.find((job) => job.name === name)!.run(new AbortController().signal)
}

async function charge(hoursAgo: number): Promise<void> {
  const hour = new Date(Date.now() - hoursAgo * 3_600_000)
  hour.setUTCMinutes(0, 0, 0)
  await database.db
    .insertInto('usage_rollup')
    .values({ user_id: userId, model_name: 'm', hour, requests: 1, quota: 1 })
    .execute()
}

const deliveries = () =>
  database.db.selectFrom('delivery').select(['status', 'created_at']).where('user_id', '=', userId).execute()

it('warns about a low balance and sends the notification', async () => {
  await charge(0)

  await run('warn-of-low-balances')
  await run('deliver-notices')

  expect(await deliveries()).toMatchObject([{ status: 'delivered' }])
  expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(['quota_exceed'])
})

it('handles requests settled while no worker ran', async () => {
  await charge(20)

  await run('warn-of-low-balances')
  expect(await deliveries()).toEqual([])

  await run('warn-of-missed-low-balances')
  expect(await deliveries()).toHaveLength(1)
})

it('removes deliveries after thirty days', async () => {
  const delivery = { user_id: userId, kind: 'email', type: 't', title: '', target: '', payload: '{}' } as const
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
  await database.db
    .insertInto('delivery')
    .values([
      { ...delivery, created_at: daysAgo(31) },
      { ...delivery, created_at: daysAgo(29) },
    ])
    .execute()

  await run('purge-deliveries')

  const left = await deliveries()
  expect(left).toHaveLength(1)
  expect(left[0]!.created_at > daysAgo(30)).toBe(true)
})
