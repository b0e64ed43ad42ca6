import { randomBytes } from 'node:crypto'
import { openVault } from '@tidegate/storage'
import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { afterEach } from 'vitest'
import type { ImportOptions } from '../src/run/run-import.ts'

interface Closable {
  close(): Promise<unknown>
}

/** Databases that are closed after each test of the file that calls this. */
export function useDatabases() {
  const open: Closable[] = []
  afterEach(async () => {
    for (const database of open.splice(0).toReversed()) await database.close()
  })

  function closeAfterTest<Database extends Closable>(database: Database): Database {
    open.push(database)
    return database
  }

  async function freshSite() {
    const { db } = closeAfterTest(await workerDatabase())
    return { db, vault: openVault(randomBytes(32)), version: '0.0.0-test' }
  }

  return { closeAfterTest, freshSite }
}

export function importOptions(from: string, more: Partial<ImportOptions> = {}): ImportOptions {
  return {
    from,
    product: 'auto',
    variable: () => undefined,
    go: true,
    logs: false,
    since: undefined,
    skipClashes: false,
    ...more,
  }
}

export async function balances(db: ThrowAwayDatabase['db']): Promise<Record<string, number>> {
  const users = await db.selectFrom('user').select(['username', 'quota']).execute()
  return Object.fromEntries(users.map(({ username, quota }) => [username, quota]))
}
