import { api } from '@tidegate/contract'
import { channelMinutes } from '@tidegate/storage'
import { addChannel, type ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../../test/start-site.ts'

const NOW = Date.UTC(2030, 0, 2, 12, 3)
const MINUTE = 60_000
const TODAY = '2030-01-02'

type Query = Record<string, string | number | boolean>

let site: TestSite
let admin: ApiClient
const ids: Record<string, number> = {}

async function attempts(name: string, succeeded: number, failed: number, minutesAgo = 1) {
  const row = { totalMs: 0, firstTokenMs: 0, firstTokens: 0, minute: NOW - minutesAgo * MINUTE }
  await channelMinutes.add(site.db, [{ ...row, channelId: ids[name]!, succeeded, failed }])
}

async function bill(name: string, day: string, quota: number, model_name = 'gpt-4o') {
  const row = { model_name, group: 'default', shard: 0, requests: 1, tokens: 1 }
  await site.db
    .insertInto('channel_day')
    .values({ ...row, channel_id: ids[name]!, day, quota })
    .execute()
}

beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  admin = await site.signedIn('admin')
  const fields: Record<string, object> = {
    idle: { priority: 1, weight: 7, group: 'vip' },
    broken: { priority: 2, weight: 1, tag: 'east' },
    Steady: { priority: 9, weight: 3, tag: 'east' },
    banned: { priority: 3, weight: 2 },
    off: { priority: 5, weight: 9, tag: 'west' },
    few: { priority: 4, weight: 4 },
  }
  for (const [name, values] of Object.entries(fields)) {
    ids[name] = (await addChannel(admin, { url: 'http://127.0.0.1:9' }, { key: `sk-${name}`, ...values, name })).id
  }
  const set = (name: string, columns: object) =>
    site.db.updateTable('channel').set(columns).where('id', '=', ids[name]!).execute()
  await set('banned', { status: 3, tested_at: new Date(NOW), response_time_ms: 40 })
  await set('off', { status: 2, balance: '0', balance_updated_at: new Date(NOW) })
  await set('Steady', {
    tested_at: new Date(NOW),
    response_time_ms: 900,
    balance: '5.5',
    balance_updated_at: new Date(NOW),
  })
  await attempts('broken', 4, 1, 2)
  await attempts('broken', 4, 2)
  await attempts('Steady', 81, 20)
  await attempts('few', 0, 2)
  await attempts('few', 0, 50, 70)
  await attempts('off', 0, 9)
  await bill('few', TODAY, 300)
  await bill('few', TODAY, 50, 'o1')
  await bill('idle', '2030-01-01', 900)
  await bill('idle', TODAY, 20)
  site.deps.now = () => new Date(NOW)
})
afterAll(() => site.close())

const search = async (query: Query) => (await admin.call(api.searchChannels, { query })).map(({ name }) => name)
const total = async (query: Query) =>
  (await admin.send(api.searchChannels, { query })).response.headers.get(api.TOTAL_HEADER)

describe('the summary of channels', () => {
  it('counts channels by state', async () => {
    expect(await admin.call(api.getChannelSummary)).toEqual({
      all: 6,
      healthy: 3,
      failing: 1,
      auto_disabled: 1,
      disabled: 1,
    })
  })

  it('applies the filters of the search', async () => {
    const count = (query: Query) => admin.call(api.getChannelSummary, { query })

    expect(await count({ tags: 'east,west' })).toMatchObject({ all: 3, healthy: 1, failing: 1, disabled: 1 })
    expect(await count({ keyword: 'sk-broken' })).toMatchObject({ all: 1, failing: 1 })
    expect(await count({ group: 'vip', statuses: '1' })).toMatchObject({ all: 1, healthy: 1 })
    expect(await count({ keyword: 'no such channel' })).toMatchObject({ all: 0, healthy: 0 })
  })
})

describe('the state filter', () => {
  it.each([
    ['failing', ['broken']],
    ['auto_disabled', ['banned']],
    ['disabled', ['off']],
    ['healthy', ['Steady', 'few', 'idle']],
    ['unknown', ['Steady', 'off', 'few', 'banned', 'broken', 'idle']],
  ])('returns channels that are %s', async (state, names) => {
    expect(await search({ state })).toEqual(names)
  })

  it('combines with other filters', async () => {
    expect(await search({ state: 'healthy', tags: 'east' })).toEqual(['Steady'])
  })
})

describe('sorting', () => {
  it.each([
    [
      'attention',
      ['broken', 'banned', 'Steady', 'few', 'idle', 'off'],
      ['off', 'Steady', 'few', 'idle', 'banned', 'broken'],
    ],
    [
      'priority',
      ['Steady', 'off', 'few', 'banned', 'broken', 'idle'],
      ['idle', 'broken', 'banned', 'few', 'off', 'Steady'],
    ],
    [
      'weight',
      ['off', 'idle', 'few', 'Steady', 'banned', 'broken'],
      ['broken', 'banned', 'Steady', 'few', 'idle', 'off'],
    ],
    [
      'billed_today',
      ['few', 'idle', 'Steady', 'off', 'banned', 'broken'],
      ['Steady', 'off', 'banned', 'broken', 'idle', 'few'],
    ],
    [
      'response_time',
      ['Steady', 'banned', 'off', 'few', 'broken', 'idle'],
      ['banned', 'Steady', 'off', 'few', 'broken', 'idle'],
    ],
    [
      'balance',
      ['Steady', 'off', 'few', 'banned', 'broken', 'idle'],
      ['off', 'Steady', 'few', 'banned', 'broken', 'idle'],
    ],
    ['id', ['few', 'off', 'banned', 'Steady', 'broken', 'idle'], ['idle', 'broken', 'Steady', 'banned', 'off', 'few']],
  ])('puts the highest %s first by default', async (sort, descending, ascending) => {
    expect(await search({ sort })).toEqual(descending)
    expect(await search({ sort, direction: 'asc' })).toEqual(ascending)
  })

  it('ignores case and ascends by default when by name', async () => {
    const names = ['banned', 'broken', 'few', 'idle', 'off', 'Steady']

    expect(await search({ sort: 'name' })).toEqual(names)
    expect(await search({ sort: 'name', direction: 'desc' })).toEqual(names.toReversed())
  })

  it('ignores unknown values', async () => {
    expect(await search({ sort: 'secret', direction: 'up', id_sort: true })).toEqual(await search({ id_sort: true }))
  })

  it('applies to the plain list and within tags', async () => {
    const list = async (query: Query) => (await admin.call(api.listChannels, { query })).map(({ name }) => name)

    expect(await list({ sort: 'weight', page_size: 2, p: 1 })).toEqual(['few', 'Steady'])
    expect(await list({ sort: 'weight', direction: 'asc', tag_mode: true, page_size: 1 })).toEqual(['broken', 'Steady'])
  })
})

describe('paging of the search', () => {
  it('returns one page and the total of all pages', async () => {
    const query = { keyword: 'e', sort: 'name', page_size: 2 }

    expect(await search({ ...query, p: 0 })).toEqual(['banned', 'broken'])
    expect(await search({ ...query, p: 2 })).toEqual(['Steady'])
    expect(await total({ ...query, p: 2 })).toBe('5')
  })

  it('counts tags in tag mode', async () => {
    const query = { tag_mode: true, page_size: 1, sort: 'name' }

    expect(await search({ ...query, p: 0 })).toEqual(['broken', 'Steady'])
    expect(await search({ ...query, p: 1 })).toEqual(['off'])
    expect(await search({ ...query, p: 2 })).toEqual(['banned', 'few', 'idle'])
    expect(await total(query)).toBe('3')
  })
})
