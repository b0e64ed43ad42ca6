import { api } from '@tidegate/contract'
import { channelKeyContext, touchCatalog } from '@tidegate/storage'
import type { ApiClient } from '@tidegate/testing'
import { sql, type KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../test/start-site.ts'

const CHANNELS = 300
const STATS_IDS = Array.from({ length: 100 }, (_, index) => index + 1).join(',')
const MODELS = ['gpt-4o', 'o1', 'o3']
/** Far below one per channel, with room for a concurrent catalog read. */
const MAX_STATEMENTS = 30

let site: TestSite
let admin: ApiClient
let statements = 0
const counting: KyselyPlugin = {
  transformQuery({ node }) {
    statements += 1
    return node
  },
  transformResult: ({ result }) => Promise.resolve(result),
}
beforeAll(async () => {
  site = await startTestSite({ plugins: [counting] })
  await site.initialise()
  admin = await site.signedIn('admin')
  await addChannels()
})
afterAll(() => site.close())

async function addChannels(): Promise<void> {
  const { db, deps } = site
  const ids = Array.from({ length: CHANNELS }, (_, index) => index + 1)
  const rows = ids.map((id) => ({
    id,
    type: 1,
    name: `channel ${id}`,
    sealed_key: deps.vault.seal('channel-key', channelKeyContext(id), `sk-${id}`),
    models: MODELS.join(','),
    group: 'default',
    tag: `tag-${id % 10}`,
  }))
  await db.insertInto('channel').values(rows).execute()
  await sql`
    insert into ability ("group", model, channel_id, enabled, priority, weight, tag)
    select 'default', m, id, true, priority, weight, tag from channel, regexp_split_to_table(models, ',') m`.execute(db)
  await deps.catchUp(await db.transaction().execute(touchCatalog))
}

it.each<[string, () => Promise<unknown>]>([
  ['list a page', () => admin.call(api.listChannels, { query: { page_size: 100 } })],
  ['list by tag', () => admin.call(api.listChannels, { query: { page_size: 10, tag_mode: true } })],
  ['search by name', () => admin.call(api.searchChannels, { query: { keyword: 'channel' } })],
  ['search by key', () => admin.call(api.searchChannels, { query: { keyword: 'sk-7' } })],
  ['search by model', () => admin.call(api.searchChannels, { query: { model: 'o1', group: 'default' } })],
  ['search by tag', () => admin.call(api.searchChannels, { query: { tags: 'tag-3', tag_mode: true } })],
  ['sort by attention', () => admin.call(api.searchChannels, { query: { sort: 'attention', page_size: 50 } })],
  ['count by state', () => admin.call(api.getChannelSummary)],
  ['read statistics', () => admin.call(api.getChannelStats, { query: { ids: STATS_IDS } })],
  ['update one', () => admin.call(api.updateChannel, { body: { id: 5, priority: 7 } })],
])('takes few statements with 300 channels to %s', async (_name, work) => {
  const before = statements

  await work()

  expect(statements - before).toBeLessThanOrEqual(MAX_STATEMENTS)
})

it('rewrites only the abilities of the updated channel', async () => {
  const versions = async () => {
    const { rows } = await sql<{ channel: number; version: string }>`
      select channel_id as channel, string_agg(xmin::text, ' ' order by model) as version
      from ability group by channel_id`.execute(site.db)
    return new Map(rows.map(({ channel, version }) => [channel, version]))
  }
  const before = await versions()

  await admin.call(api.updateChannel, { body: { id: 5, priority: 77 } })

  const after = await versions()
  expect([...after.keys()].filter((channel) => after.get(channel) !== before.get(channel))).toEqual([5])
})
