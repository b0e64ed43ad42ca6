import { randomBytes } from 'node:crypto'
import { channelKeyContext, channelMinutes, loadCatalog, openVault, type Catalog } from '@tidegate/storage'
import { throwAwayDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { channelJobs } from './channel-jobs.ts'

const vault = openVault(randomBytes(32))
const log = { info: () => {}, warn: () => {}, error: () => {} }
const GO_ON = new AbortController().signal
const NOW = new Date('2030-05-05T12:00:00Z')

let database: ThrowAwayDatabase
let catalog: Catalog
const probed: number[] = []
beforeAll(async () => {
  database = await throwAwayDatabase()
  const { db } = database
  await db.insertInto('option').values({ key: 'AutomaticEnableChannelEnabled', value: 'true' }).execute()
  const channel = { type: 1, name: 'c', models: 'm', status: 3 }
  const since = (minutes: number) => JSON.stringify({ status_time: NOW.getTime() / 1000 - minutes * 60 })
  await db
    .insertInto('channel')
    .values([
      { ...channel, id: 1, sealed_key: vault.seal('channel-key', channelKeyContext(1), 'a\nb'), other_info: since(2) },
      { ...channel, id: 2, sealed_key: vault.seal('channel-key', channelKeyContext(2), 'c'), other_info: since(0) },
    ])
    .execute()
  catalog = await loadCatalog(db, vault)
})
afterAll(() => database.close())

function run(name: string): Promise<void> {
  const jobs = channelJobs({
    db: database.db,
    vault,
    catalog: () => catalog,
    catchUp: async () => {},
    log,
    now: () => NOW,
    probe: async ({ channelId }) => {
      probed.push(channelId)
      return { ok: true, message: '', milliseconds: 1 }
    },
  })
  return jobs.find((job) => job.name === name)!.run(GO_ON)
}

it('tries channels whose time has come and brings back those that pass', async () => {
  await run('probe-disabled-channels')

  expect(probed).toEqual([1])
  const rows = await database.db.selectFrom('channel').select('status').orderBy('id').execute()
  expect(rows).toEqual([{ status: 1 }, { status: 3 }])
})

it('counts the keys of channels from before they were counted', async () => {
  await database.db.deleteFrom('channel_key').execute()

  await run('count-channel-keys')

  const rows = await database.db.selectFrom('channel_key').select('channel_id').orderBy('channel_id').execute()
  expect(rows).toEqual([{ channel_id: 1 }, { channel_id: 1 }, { channel_id: 2 }])
})

it('keeps a day of minutes', async () => {
  const row = { channelId: 1, succeeded: 1, failed: 0, totalMs: 1, firstTokenMs: 0, firstTokens: 0 }
  const hour = 3_600_000
  await channelMinutes.add(database.db, [
    { ...row, minute: NOW.getTime() - 25 * hour },
    { ...row, minute: NOW.getTime() - 23 * hour },
  ])

  await run('prune-channel-minutes')

  expect(await database.db.selectFrom('channel_minute').select('minute').execute()).toHaveLength(1)
})
