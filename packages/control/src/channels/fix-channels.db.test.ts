import { abilities, channelKeyContext, touchCatalog } from '@tidegate/storage'
import { sql, type KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Actor, Origin } from '../http/actor.ts'
import { startTestSite, type TestSite } from '../../test/start-site.ts'
import { fixChannels } from './fix-channels.ts'

const CHANNELS = 2_000
const MODELS = 5
/** For any number of channels: version, wrong abilities, their rebuild, keys and audit event. */
const MAX_STATEMENTS = 10
const ORIGIN: Origin = { clientIp: '127.0.0.1', isLocal: true, isSecure: false, userAgent: 'test', requestId: 'r' }

let site: TestSite
let actor: Actor
beforeAll(async () => {
  site = await startTestSite()
  await site.initialise()
  const { userId, username } = await site.signedIn('admin')
  actor = { id: userId!, username, role: 10, group: 'default', settingsAreas: [], sessionHash: undefined }
  await fill()
})
afterAll(() => site.close())

async function fill(): Promise<void> {
  const { db, deps } = site
  const names = Array.from({ length: MODELS }, (_, index) => `model-${index}`).join(',')
  const rows = Array.from({ length: CHANNELS }, (_, index) => ({
    id: index + 1,
    type: 1,
    name: `channel number ${index + 1}`,
    sealed_key: deps.vault.seal('channel-key', channelKeyContext(index + 1), `sk-a-${index}\nsk-b-${index}`),
    models: names,
    group: 'default',
  }))
  for (let from = 0; from < CHANNELS; from += 500) {
    await db
      .insertInto('channel')
      .values(rows.slice(from, from + 500))
      .execute()
  }
  await abilities.rebuild(
    db,
    rows.map(({ id }) => id),
  )
  await sql`analyze`.execute(db)
  await deps.catchUp(await db.transaction().execute(touchCatalog))
}

/** Fixes the channels and returns the number of statements. */
async function fix(): Promise<{ fixed: number; statements: number }> {
  let statements = 0
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      statements += 1
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  const fixed = await fixChannels({ ...site.deps, db: site.db.withPlugin(counting) }, actor, ORIGIN)
  return { fixed, statements }
}

async function count(table: 'ability' | 'channel_key'): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from ${sql.table(table)}`.execute(site.db)
  return rows[0]!.total
}

describe(`repairing ${CHANNELS} channels with ${MODELS} models each`, () => {
  it('records missing keys in a few statements', async () => {
    const { fixed, statements } = await fix()

    expect(fixed).toBe(0)
    expect(await count('channel_key')).toBe(2 * CHANNELS)
    expect(statements).toBeLessThanOrEqual(MAX_STATEMENTS)
  })

  it('rebuilds lost abilities in a few statements', async () => {
    await sql`delete from ability where channel_id % 2 = 0`.execute(site.db)
    await sql`update ability set priority = 7 where channel_id = 1 and model = 'model-1'`.execute(site.db)
    await sql`insert into ability ("group", model, channel_id) values ('default', 'never-named', 3)`.execute(site.db)

    const { fixed, statements } = await fix()

    expect(fixed).toBe(CHANNELS / 2 + 2)
    expect(await count('ability')).toBe(CHANNELS * MODELS)
    expect(await abilities.findOutdated(site.db)).toEqual([])
    expect(statements).toBeLessThanOrEqual(MAX_STATEMENTS)
  })
})
