import { randomBytes } from 'node:crypto'
import {
  channelKeyContext,
  channelMinutes,
  channelSweeps,
  loadCatalog,
  openVault,
  postgresLogStore,
  type Catalog,
} from '@tidegate/storage'
import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { channelJobs, type SweepIntervals } from './channel-jobs.ts'
import type { Job } from './run-jobs.ts'

const vault = openVault(randomBytes(32))
const log = { info: () => {}, warn: () => {}, error: () => {} }
const GO_ON = new AbortController().signal
const NOW = new Date('2030-05-05T12:00:00Z')

let database: ThrowAwayDatabase
let catalog: Catalog
const probed: number[] = []
beforeAll(async () => {
  database = await workerDatabase()
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

const NEVER = { testMinutes: 0, balanceMinutes: 0 }

function jobs({ times = NEVER, now = NOW }: { times?: SweepIntervals; now?: Date } = {}): Job[] {
  const deps = {
    db: database.db,
    logs: postgresLogStore(database.db),
    vault,
    catalog: () => catalog,
    catchUp: async () => {},
    log,
    now: () => now,
    probe: async ({ channelId }: { channelId: number }) => {
      probed.push(channelId)
      return { ok: true, message: '', milliseconds: 1 }
    },
  }
  return channelJobs(deps, times)
}

function run(name: string, options?: Parameters<typeof jobs>[0]): Promise<void> {
  return jobs(options)
    .find((job) => job.name === name)!
    .run(GO_ON)
}

it('tests due channels and enables those that pass', async () => {
  await run('probe-disabled-channels')

  expect(probed).toEqual([1])
  const rows = await database.db.selectFrom('channel').select('status').orderBy('id').execute()
  expect(rows).toEqual([{ status: 1 }, { status: 3 }])
})

it('records keys of older channels', async () => {
  await database.db.deleteFrom('channel_key').execute()

  await run('count-channel-keys')

  const rows = await database.db.selectFrom('channel_key').select('channel_id').orderBy('channel_id').execute()
  expect(rows).toEqual([{ channel_id: 1 }, { channel_id: 1 }, { channel_id: 2 }])
})

it('keeps one day of minutes', async () => {
  const row = { channelId: 1, succeeded: 1, failed: 0, totalMs: 1, firstTokenMs: 0, firstTokens: 0 }
  const hour = 3_600_000
  await channelMinutes.add(database.db, [
    { ...row, minute: NOW.getTime() - 25 * hour },
    { ...row, minute: NOW.getTime() - 23 * hour },
  ])

  await run('prune-channel-minutes')

  expect(await database.db.selectFrom('channel_minute').select('minute').execute()).toHaveLength(1)
})

describe('the scheduled test of all channels', () => {
  const times = { ...NEVER, testMinutes: 30 }
  const test = (now: Date) => run('test-all-channels', { times, now })
  beforeEach(async () => {
    probed.length = 0
    await database.db.deleteFrom('channel_sweep').execute()
  })

  it('does not run unless configured', () => {
    const names = (times: SweepIntervals) => jobs({ times }).map(({ name }) => name)

    expect(names(NEVER)).not.toContain('test-all-channels')
    expect(names(NEVER)).not.toContain('refresh-balances')
    expect(names({ testMinutes: 5, balanceMinutes: 7 })).toEqual(
      expect.arrayContaining(['test-all-channels', 'refresh-balances']),
    )
  })

  it('runs at its interval, whichever process started the last one', async () => {
    const started = new Date()
    await test(started)
    expect(probed.toSorted((a, b) => a - b)).toEqual([1, 2])

    await test(minutesAfter(started, 29))
    expect(probed).toHaveLength(2)

    await test(minutesAfter(started, 31))
    expect(probed).toHaveLength(4)
  })

  it('does not interfere with a manual test', async () => {
    expect(await channelSweeps.start(database.db, 'test', 'alex')).toBe(true)

    await test(minutesAfter(new Date(), 600))

    expect(probed).toEqual([])
  })

  it('sends no message', async () => {
    await test(new Date())

    expect(probed).toHaveLength(2)
    expect(await database.db.selectFrom('message').select('id').execute()).toEqual([])
  })

  it('refreshes no balances without an upstream client', async () => {
    await run('refresh-balances', { times: { ...NEVER, balanceMinutes: 5 } })

    expect(await database.db.selectFrom('channel_sweep').select('kind').execute()).toEqual([])
  })
})

const minutesAfter = (time: Date, minutes: number) => new Date(time.getTime() + minutes * 60_000)
