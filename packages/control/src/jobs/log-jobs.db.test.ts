import { ensureUsageLogPartitions, listUsageLogPartitions, modelHours, shadowCalls, usageLogs } from '@tidegate/storage'
import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { logJobs } from './log-jobs.ts'

let database: ThrowAwayDatabase
beforeAll(async () => {
  database = await workerDatabase()
})
afterAll(() => database.close())

const log = { info: () => {}, warn: () => {}, error: () => {} }
const GO_ON = new AbortController().signal
const KEEP_ALL = { LogRetentionDays: 0, LogRetentionGigabytes: 0, LogChatContentDays: 0 }

async function run(name: string, today: Date, settings: Partial<typeof KEEP_ALL> = {}): Promise<void> {
  const jobs = logJobs({ db: database.db, log, now: () => today, settings: () => ({ ...KEEP_ALL, ...settings }) })
  await jobs.find((candidate) => candidate.name === name)!.run(GO_ON)
}

async function days(): Promise<string[]> {
  return (await listUsageLogPartitions(database.db)).map(({ day }) => day.toISOString().slice(0, 10))
}

describe('usage log partitions', () => {
  it('are created ahead of time and dropped by age only if configured', async () => {
    await run('usage-log-partitions', new Date('2030-03-10T15:00:00Z'))
    expect(await days()).toContain('2030-03-09')
    expect(await days()).toContain('2030-03-20')

    await run('usage-log-partitions', new Date('2030-03-20T00:30:00Z'), { LogRetentionDays: 3 })
    expect(await days()).not.toContain('2030-03-16')
    expect(await days()).toContain('2030-03-17')
    expect(await days()).toContain('2030-03-30')
  })
})

it('removes old chat content and metrics', async () => {
  const { db } = database
  const today = new Date('2032-01-31T00:00:00Z')
  const rows = [1, 20, 40].map((age) => ({
    request_id: `r${age}`,
    user_id: 1,
    created_at: new Date(today.getTime() - age * 86_400_000),
    input_content: 'hello',
  }))
  await db.insertInto('chat_content').values(rows).execute()
  const hoursAgo = (hours: number) => today.getTime() - hours * 3_600_000
  const sum = { model: 'm', served: 1, failed: 0 }
  await modelHours.add(db, [
    { ...sum, hour: hoursAgo(1) },
    { ...sum, hour: hoursAgo(24 * 9) },
  ])

  await run('purge-records', today)
  expect(await contents()).toEqual(['r1', 'r20', 'r40'])

  await run('purge-records', today, { LogRetentionDays: 30 })
  expect(await contents()).toEqual(['r1', 'r20'])

  await run('purge-records', today, { LogRetentionDays: 180, LogChatContentDays: 7 })
  expect(await contents()).toEqual(['r1'])
  expect(await modelHours.listSince(db, ['m'], new Date(0))).toHaveLength(1)
})

async function contents(): Promise<string[]> {
  const rows = await database.db.selectFrom('chat_content').select('request_id').orderBy('request_id').execute()
  return rows.map(({ request_id }) => request_id)
}

it('removes mirrored requests after 30 days', async () => {
  const { db } = database
  const today = new Date('2032-01-31T00:00:00Z')
  const copyOf = (age: number) => ({
    created_at: new Date(today.getTime() - age * 86_400_000),
    request_id: `age ${age}`,
    user_id: 1,
    token_id: 1,
    model_name: 'm',
    path: '/v1/chat/completions',
    is_stream: false,
    group: 'default',
    channel_id: null,
    upstream_model: '',
    prompt_tokens: 1,
    reserve: 1,
    refusal: 'no_channel',
    pricing: null,
  })
  await shadowCalls.insert(db, [copyOf(1), copyOf(29), ...Array.from({ length: 2_500 }, () => copyOf(31))])

  await run('purge-shadow-calls', today)

  const left = await db.selectFrom('shadow_call').select('request_id').orderBy('request_id').execute()
  expect(left.map(({ request_id }) => request_id)).toEqual(['age 1', 'age 29'])
})

it('removes rejected requests after 7 days and keeps failed attempts', async () => {
  const { db } = database
  const today = new Date('2032-03-31T00:00:00Z')
  const row = (age: number, other: object) => ({
    created_at: new Date(today.getTime() - age * 86_400_000),
    type: 6,
    user_id: 1,
    request_id: `${Object.keys(other)[0]} ${age}`,
    other: JSON.stringify(other),
  })
  await ensureUsageLogPartitions(db, { from: new Date('2032-03-20T00:00:00Z'), days: 12 })
  const old = Array.from({ length: 1_200 }, () => row(8, { rejected: true }))
  await usageLogs.insertUncharged(db, [row(6, { rejected: true }), row(8, { status_code: 502 }), ...old])

  await run('purge-rejected-requests', today)

  const left = await db
    .selectFrom('usage_log')
    .select('request_id')
    .where('created_at', '>', new Date('2032-03-20T00:00:00Z'))
    .where('created_at', '<', today)
    .orderBy('request_id')
    .execute()
  expect(left.map(({ request_id }) => request_id)).toEqual(['rejected 6', 'status_code 8'])
})
