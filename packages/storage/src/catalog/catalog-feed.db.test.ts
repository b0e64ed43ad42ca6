import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordingLog } from '../../test/recording-log.ts'
import { startSharedListener, type SharedListener } from '../notifications/shared-listener.ts'
import { openVault } from '../secrets/vault.ts'
import { channelKeyContext, channelKeyHash } from './catalog-channel.ts'
import { startCatalogFeed, type CatalogFeedOptions } from './catalog-feed.ts'
import { touchCatalog } from './catalog-version.ts'

const rootKey = randomBytes(32)
const vault = openVault(rootKey)
const NEVER = 3_600_000

let database: ThrowAwayDatabase
let closing: (() => Promise<unknown>)[]

beforeEach(async () => {
  database = await workerDatabase()
  closing = [() => database.close()]
})
afterEach(async () => {
  for (const close of closing.toReversed()) await close()
})

/** Adds a channel with one model in one transaction, as the administration API does. */
function addChannel(id: number, model: string, status = 1): Promise<number> {
  return database.db.transaction().execute(async (trx) => {
    await trx
      .insertInto('channel')
      .values({
        id,
        type: 1,
        name: model,
        models: model,
        status,
        sealed_key: vault.seal('channel-key', channelKeyContext(id), `key-${id}`),
      })
      .execute()
    await trx.insertInto('ability').values({ group: 'default', model, channel_id: id }).execute()
    return touchCatalog(trx)
  })
}

async function startFeed(options: Partial<CatalogFeedOptions> = {}) {
  const listener = options.listener ? undefined : await startSharedListener(database.newClient, { db: database.db })
  const feed = await startCatalogFeed({ db: database.db, vault, listener: listener!, pollMs: NEVER, ...options })
  closing.push(async () => {
    await feed.stop()
    await listener?.stop()
  })
  return feed
}

/** A listener that never receives a notification. */
const silentListener: Pick<SharedListener, 'subscribe'> = { subscribe: () => () => {} }

describe('the catalog feed', () => {
  it('decrypts sealed keys and sealed options', async () => {
    await database.db
      .insertInto('option')
      .values([
        { key: 'RetryTimes', value: '3' },
        { key: 'SMTPToken', value: vault.seal('option', 'SMTPToken', 'mail-secret'), sealed: true },
      ])
      .execute()
    await addChannel(7, 'gpt-4o')

    const catalog = (await startFeed()).current()

    expect(catalog.settings.RetryTimes).toBe(3)
    expect(catalog.settings).toMatchObject({ SMTPToken: 'mail-secret' })
    expect(catalog.channelsFor('default', 'gpt-4o').map(({ id, keys }) => [id, keys])).toEqual([[7, ['key-7']]])
  })

  it('leaves out disabled keys; a channel without other keys keeps them for a test', async () => {
    await addChannel(1, 'gpt-4o')
    await addChannel(2, 'gpt-4o')
    const sealed_key = vault.seal('channel-key', channelKeyContext(1), 'one\ntwo')
    await database.db.updateTable('channel').set({ sealed_key }).where('id', '=', 1).execute()
    await database.db
      .insertInto('channel_key')
      .values([
        { channel_id: 1, key_hash: channelKeyHash(vault, 'one'), status: 3 },
        { channel_id: 1, key_hash: channelKeyHash(vault, 'two'), status: 1 },
        { channel_id: 2, key_hash: channelKeyHash(vault, 'key-2'), status: 2 },
      ])
      .execute()

    const catalog = (await startFeed()).current()

    expect(catalog.channelsFor('default', 'gpt-4o')).toMatchObject([{ id: 1, keys: ['two'], disabledKeys: ['one'] }])
    expect(catalog.channels.get(2)).toMatchObject({ enabled: false, keys: ['key-2'], disabledKeys: ['key-2'] })
  })

  it('serves the other channels when one key cannot be decrypted, and logs which', async () => {
    await addChannel(1, 'gpt-4o')
    await addChannel(2, 'gpt-4o')
    await sql`update channel set sealed_key = 'v1.damaged-damaged-damaged-damaged-damaged-damaged' where id = 1`.execute(
      database.db,
    )
    const { log, lines } = recordingLog()

    const catalog = (await startFeed({ log })).current()

    expect(catalog.channelsFor('default', 'gpt-4o').map(({ id }) => id)).toEqual([2])
    expect(lines).toMatchObject([{ level: 'error', details: { channelId: 1 } }])
  })

  it('replaces the snapshot on a change notification and resolves waiters for the version', async () => {
    const feed = await startFeed()
    const before = feed.current()
    const seen: number[] = []
    feed.onChange((catalog) => seen.push(catalog.version))

    const version = await addChannel(1, 'gpt-4o')
    const after = await feed.whenVersion(version)

    expect(version).toBe(before.version + 1)
    expect(before.modelsFor('default')).toEqual([])
    expect(after.modelsFor('default')).toEqual(['gpt-4o'])
    expect(feed.current()).toBe(after)
    expect(seen).toEqual([version])
    expect(await feed.whenVersion(version)).toBe(after)
  })

  it('reaches the latest version after a burst of writes', async () => {
    const feed = await startFeed()

    const versions = await Promise.all(Array.from({ length: 20 }, (_, index) => addChannel(index + 1, `m${index}`)))

    await feed.whenVersion(Math.max(...versions))
    expect(feed.current().channels.size).toBe(20)
  })

  it('finds a change by polling when no notification arrived', async () => {
    const feed = await startFeed({ listener: silentListener, pollMs: 20 })

    const version = await addChannel(1, 'gpt-4o')

    await expect.poll(() => feed.current().version).toBe(version)
  })

  it('keeps the last snapshot while reloads fail, and catches up afterwards', async () => {
    await addChannel(1, 'gpt-4o')
    const { log, lines } = recordingLog()
    const feed = await startFeed({ log, pollMs: 20 })
    await sql`alter table ability rename to ability_away`.execute(database.db)
    const version = await database.db.transaction().execute(touchCatalog)

    await expect.poll(() => lines.length).toBeGreaterThan(0)
    expect(feed.current().modelsFor('default')).toEqual(['gpt-4o'])

    await sql`alter table ability_away rename to ability`.execute(database.db)
    await expect.poll(() => feed.current().version).toBe(version)
  })

  it('rejects when a version does not arrive in time', async () => {
    const feed = await startFeed()

    await expect(feed.whenVersion(1_000_000, 50)).rejects.toThrow('did not arrive')
  })

  it('does not announce a change that was rolled back', async () => {
    const feed = await startFeed({ pollMs: 20 })
    const before = feed.current().version

    await database.db
      .transaction()
      .execute(async (trx) => {
        await touchCatalog(trx)
        throw new Error('no')
      })
      .catch(() => {})

    expect(await feed.whenVersion(await addChannel(1, 'a'))).toMatchObject({ version: before + 1 })
  })
})

interface Report {
  version: number
  models: string[]
  keys: string[]
}

/** Another process that follows the catalog of this database. */
function follower(pollMs: number) {
  const script = fileURLToPath(new URL('__fixtures__/follow-catalog.ts', import.meta.url))
  const child: ChildProcess = spawn(process.execPath, [script, database.url, rootKey.toString('hex'), String(pollMs)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const reports: Report[] = []
  createInterface({ input: child.stdout! }).on('line', (line) => reports.push(JSON.parse(line) as Report))
  closing.push(async () => {
    const exited = once(child, 'exit')
    child.stdin!.end()
    await exited
  })
  return {
    latest: () => reports.at(-1),
    serves: (version: number) => expect.poll(() => reports.at(-1)?.version, { timeout: 30_000 }).toBe(version),
    started: () => expect.poll(() => reports.length, { timeout: 30_000 }).toBeGreaterThan(0),
  }
}

describe('another process', () => {
  it('sees a write by change notification alone', async () => {
    const other = follower(NEVER)
    await other.started()

    const version = await addChannel(1, 'gpt-4o')

    await other.serves(version)
    expect(other.latest()).toEqual({ version, models: ['gpt-4o'], keys: ['key-1'] })
  })

  it('sees a write right after its listening connection was killed', async () => {
    const other = follower(1_500)
    await other.started()

    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'follower' and datname = current_database() and query = 'listen tidegate'`.execute(
      database.db,
    )
    const version = await addChannel(1, 'gpt-4o')

    await other.serves(version)
    const later = await addChannel(2, 'o1')
    await other.serves(later)
    expect(other.latest()?.models).toEqual(['gpt-4o', 'o1'])
  })
})
