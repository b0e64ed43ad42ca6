import { throwAwayDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectDatabase } from './connection/connect.ts'
import { inspectSchema, migrateToLatest } from './migrate.ts'
import { setOldestBuild } from './migrations/0031-schema-compatibility.ts'
import { migrations } from './migrations/index.ts'

let database: ThrowAwayDatabase
beforeEach(async () => {
  database = await throwAwayDatabase({ migrate: false })
})
afterEach(() => database.close())

const all = Object.keys(migrations)

describe('migrating', () => {
  it('brings an empty database up to date, once', async () => {
    expect(await inspectSchema(database.db)).toEqual({ kind: 'empty' })

    expect(await migrateToLatest(database.db)).toEqual(all)

    expect(await inspectSchema(database.db)).toEqual({ kind: 'current' })
    expect(await migrateToLatest(database.db)).toEqual([])
  })

  it('does not wait for the lock of migrations when there is none to apply', async () => {
    await migrateToLatest(database.db)

    await database.db.transaction().execute(async (other) => {
      await sql`lock table schema_migration_lock in access exclusive mode`.execute(other)
      expect(await migrateToLatest(database.db)).toEqual([])
    })
  })

  it('applies each migration once when several processes start together', async () => {
    const handles = Array.from({ length: 4 }, () =>
      connectDatabase({ url: database.url, poolSize: 2, applicationName: 'migrating' }),
    )

    const applied = await Promise.all(handles.map(({ db }) => migrateToLatest(db)))
    await Promise.all(handles.map((handle) => handle.close()))

    expect(applied.flat()).toEqual(all)
    expect(await inspectSchema(database.db)).toEqual({ kind: 'current' })
  })

  it('serves a schema to which a newer build only added something', async () => {
    await migrateToLatest(database.db)
    await sql`insert into schema_migration (name, timestamp) values ('9999-later', '')`.execute(database.db)

    expect(await inspectSchema(database.db)).toEqual({ kind: 'compatible', unknown: ['9999-later'] })
    expect(await migrateToLatest(database.db)).toEqual([])
  })

  it('rejects a schema that only newer builds can serve', async () => {
    await migrateToLatest(database.db)
    await sql`insert into schema_migration (name, timestamp) values ('9999-later', '')`.execute(database.db)
    await setOldestBuild(database.db, '9999-later')

    expect(await inspectSchema(database.db)).toEqual({ kind: 'newer', unknown: ['9999-later'] })
    await expect(migrateToLatest(database.db)).rejects.toThrow('newer build')
  })

  it('rejects a database that lost a table', async () => {
    await migrateToLatest(database.db)
    await sql`drop table outbox`.execute(database.db)

    expect(await inspectSchema(database.db)).toMatchObject({ kind: 'inconsistent' })
    await expect(migrateToLatest(database.db)).rejects.toThrow('outbox')
  })

  it('rejects tables without recorded migrations', async () => {
    await migrateToLatest(database.db)
    await sql`drop table schema_migration`.execute(database.db)

    await expect(migrateToLatest(database.db)).rejects.toThrow('no migration is recorded')
  })

  it('leaves nothing behind when a migration fails', async () => {
    await sql`create sequence usage_log_id`.execute(database.db)

    await expect(migrateToLatest(database.db)).rejects.toThrow('0001-foundation failed')

    expect(await inspectSchema(database.db)).toEqual({ kind: 'empty' })
  })
})
