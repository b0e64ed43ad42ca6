import {
  conversations,
  ensureUsageLogPartitions,
  listUsageLogPartitions,
  modelHours,
  postgresLogStore,
  shadowCalls,
  storedResponses,
  users,
} from '@tidegate/storage'
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
const KEEP_ALL = {
  LogRetentionDays: 0,
  LogRetentionGigabytes: 0,
  LogChatContentDays: 0,
  StoredResponseDays: 0,
  UsageHourDays: 0,
  UsageDayDays: 0,
}

async function run(name: string, today: Date, settings: Partial<typeof KEEP_ALL> = {}): Promise<void> {
  const jobs = logJobs({
    db: database.db,
    logs: postgresLogStore(database.db),
    log,
    now: () => today,
    settings: () => ({ ...KEEP_ALL, ...settings }),
  })
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

it('removes expired responses, and those that a shorter retention ends', async () => {
  const { db } = database
  const today = new Date('2032-01-31T00:00:00Z')
  const inDays = (days: number) => new Date(today.getTime() + days * 86_400_000)
  const userId = await users.insert(db, { username: 'responder', display_name: 'responder', aff_code: 'responder' })
  const response = {
    user_id: userId,
    previous_id: null,
    thread: 't',
    status: 'completed',
    sealed: '',
    created_at: today,
  }
  const account = { channel_id: null, key_id: null, routed: null, lease_until: null }
  const rows = [-1, 3, 20].map((days) => ({ ...response, ...account, id: `in${days}`, expires_at: inDays(days) }))
  await storedResponses.put(db, rows)
  for (const { id, expires_at } of rows) await conversations.insert(db, { user_id: userId, id, sealed: '', expires_at })
  const left = async () => {
    const tables = (['stored_response', 'conversation'] as const).map((table) =>
      db.selectFrom(table).select(['id', 'expires_at']).orderBy('expires_at').execute(),
    )
    const [responses, talks] = await Promise.all(tables)
    expect(talks).toEqual(responses)
    return responses!.map(({ id, expires_at }) => [id, expires_at])
  }

  await run('purge-stored-responses', today, { StoredResponseDays: 7 })
  expect(await left()).toEqual([
    ['in3', inDays(3)],
    ['in20', inDays(7)],
  ])

  await run('purge-stored-responses', today, { StoredResponseDays: 0 })
  expect(await left()).toEqual([])
})

it('removes expired files, uploads that broke off, and what no batch uses any more', async () => {
  const { db } = database
  const today = new Date('2032-01-31T00:00:00Z')
  const daysAgo = (days: number) => new Date(today.getTime() - days * 86_400_000)
  const owner = { username: 'files', display_name: 'files', aff_code: 'files' }
  const { id: userId } = await db.insertInto('user').values(owner).returning('id').executeTakeFirstOrThrow()
  const file = (id: string, fields: object) => ({
    id,
    user_id: userId,
    token_id: 1,
    purpose: 'batch',
    filename: id,
    mime_type: 'text/plain',
    is_complete: true,
    created_at: daysAgo(3),
    ...fields,
  })
  await db
    .insertInto('file')
    .values([
      file('kept', {}),
      file('expired', { expires_at: daysAgo(1) }),
      file('broken off', { is_complete: false }),
      file('running', { is_complete: false, created_at: daysAgo(0.5) }),
      file('results', { is_listed: false }),
      file('orphan', { is_listed: false }),
    ])
    .execute()
  const batch = (id: string, days: number) => ({
    id,
    user_id: userId,
    token_id: 1,
    token_name: '',
    protocol: 'anthropic' as const,
    endpoint: '/v1/messages',
    state: 'completed' as const,
    client_ip: '',
    output_file_id: 'results',
    deadline: daysAgo(days),
    ended_at: daysAgo(days),
  })
  await db
    .insertInto('batch')
    .values([batch('recent', 2), batch('old', 91)])
    .execute()
  const charge = { number: 1, quota: 5 }
  await db
    .insertInto('batch_charge')
    .values([
      { ...charge, batch_id: 'recent', charged_at: daysAgo(2) },
      { ...charge, batch_id: 'old', charged_at: daysAgo(400) },
    ])
    .execute()

  await run('purge-files', today)

  const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id).toSorted()
  expect(idsOf(await db.selectFrom('file').select('id').execute())).toEqual(['kept', 'results', 'running'])
  expect(idsOf(await db.selectFrom('batch').select('id').execute())).toEqual(['recent'])
  expect(await db.selectFrom('batch_charge').select('batch_id').execute()).toEqual([{ batch_id: 'recent' }])
})

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
  await postgresLogStore(db).append([row(6, { rejected: true }), row(8, { status_code: 502 }), ...old])

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
