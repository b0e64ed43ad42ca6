import { randomBytes } from 'node:crypto'
import { loadCatalog, openVault, touchCatalog, type Vault } from '@tidegate/storage'
import { throwAwayDatabase } from '@tidegate/testing'
import { describe, expect, it, vi } from 'vitest'
import { balances, importOptions, useDatabases } from '../../test/import-site.ts'
import { oldKey, oldSite } from '../../test/old-site/content.ts'
import { OLD_TABLES } from '../../test/old-site/tables.ts'
import { oldSqlite } from '../../test/old-site/write.ts'
import { importSite } from './run-import.ts'

// Imports a whole site each time, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const { closeAfterTest, freshSite } = useDatabases()

describe('a repeated import', () => {
  it('imports new rows and reports changes in the source', async () => {
    const old = closeAfterTest(await oldSqlite(OLD_TABLES['new-api'], oldSite('new-api')))
    const site = await freshSite()
    await importSite(site, importOptions(old.from))
    await old.run(
      `insert into users (id, username, password, quota, aff_code, role, status) values (100, 'late', '', 41, 'l', 1, 1)`,
    )
    await old.run('update users set quota = quota - 7 where id = 4')

    const result = await importSite(site, importOptions(old.from))

    expect(result.counts.users).toMatchObject({ carried: 1, present: 50 })
    expect(result.proof!.differences).toEqual([{ what: 'user banned (4)', source: 92, here: 99 }])
    expect(await balances(site.db)).toMatchObject({ late: 41, banned: 99 })
  })

  it('imports nothing after a failure halfway', async () => {
    const old = closeAfterTest(await oldSqlite(OLD_TABLES['new-api'], oldSite('new-api')))
    const site = await freshSite()
    const breaking: Vault = {
      ...site.vault,
      seal: (purpose, context, plain) => {
        if (plain === oldKey('token 30')) throw new Error('the power went')
        return site.vault.seal(purpose, context, plain)
      },
    }

    await expect(importSite({ ...site, vault: breaking }, importOptions(old.from))).rejects.toThrow('the power went')
    expect(await balances(site.db)).toEqual({})

    expect(await importSite(site, importOptions(old.from))).toMatchObject({ moved: true, proof: { differences: [] } })
  })

  it('continues the log after an interrupted run', async () => {
    const content = oldSite('new-api')
    const [call] = content.logs!
    const many = Array.from({ length: 2_500 }, (_, index) => ({ ...call!, id: 10 + index, content: `row ${index}` }))
    const old = closeAfterTest(await oldSqlite(OLD_TABLES['new-api'], { ...content, logs: many }))
    const database = closeAfterTest(await throwAwayDatabase())
    const site = { db: database.db, vault: openVault(randomBytes(32)), version: '0.0.0-test' }
    const contents = async () =>
      (await site.db.selectFrom('usage_log').select('content').execute()).map((row) => row.content)
    await database.pool.query(`
      create function reject_row() returns trigger language plpgsql as $$ begin raise 'the disk is full'; end $$;
      create trigger reject_row before insert on usage_log for each row when (new.content = 'row 1700') execute function reject_row()`)

    await expect(importSite(site, importOptions(old.from, { logs: true }))).rejects.toThrow('the disk is full')
    expect(await contents()).toHaveLength(1_000)
    await database.pool.query('drop trigger reject_row on usage_log')
    const result = await importSite(site, importOptions(old.from, { logs: true }))

    expect(result.counts.logs).toMatchObject({ found: 2_500, carried: 1_500, present: 1_000 })
    expect(new Set(await contents()).size).toBe(2_500)
    expect(await contents()).toHaveLength(2_500)
  })

  it('imports newer log rows, and no log row twice', async () => {
    const content = oldSite('new-api')
    const [call] = content.logs!
    const old = closeAfterTest(
      await oldSqlite(OLD_TABLES['new-api'], { ...content, logs: [{ ...call!, id: 1, content: 'before' }] }),
    )
    const site = await freshSite()
    const contents = async () => {
      const rows = await site.db.selectFrom('usage_log').select('content').orderBy('content').execute()
      return rows.map((row) => row.content)
    }
    await importSite(site, importOptions(old.from, { logs: true }))
    expect(await contents()).toEqual(['before'])
    await old.run(`
      insert into logs (id, user_id, created_at, type, content)
      select 2, user_id, created_at + 5, type, 'since' from logs where id = 1`)

    const result = await importSite(site, importOptions(old.from, { logs: true }))

    expect(result.counts.logs).toMatchObject({ found: 2, carried: 1, present: 1 })
    expect(await contents()).toEqual(['before', 'since'])
    await importSite(site, importOptions(old.from, { logs: true }))
    expect(await contents()).toEqual(['before', 'since'])
  })

  it('imports nothing twice when two runs overlap', async () => {
    const old = closeAfterTest(await oldSqlite(OLD_TABLES['new-api'], oldSite('new-api')))
    const site = await freshSite()

    const results = await Promise.all([
      importSite(site, importOptions(old.from)),
      importSite(site, importOptions(old.from)),
    ])

    expect(results.filter(({ moved }) => moved)).toHaveLength(1)
    expect(results.every(({ proof }) => proof!.differences.length === 0)).toBe(true)
  })

  it('keeps options that were set here and reports them', async () => {
    const old = closeAfterTest(await oldSqlite(OLD_TABLES['new-api'], oldSite('new-api')))
    const site = await freshSite()
    await site.db.insertInto('option').values({ key: 'SystemName', value: 'Reef' }).execute()
    await touchCatalog(site.db)

    const result = await importSite(site, importOptions(old.from))

    expect(result.findings).toContainEqual(
      expect.objectContaining({ area: 'options', outcome: 'left', examples: ['SystemName'] }),
    )
    expect((await loadCatalog(site.db, site.vault)).settings.SystemName).toBe('Reef')
  })
})
