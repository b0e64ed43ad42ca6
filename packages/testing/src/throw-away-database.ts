import { randomBytes } from 'node:crypto'
import { connectDatabase, ensureUsageLogPartitions, migrateToLatest, type DatabaseHandle } from '@tidegate/storage'
import { Client } from 'pg'

export interface ThrowAwayDatabase extends DatabaseHandle {
  readonly url: string
  readonly name: string
  /** Room in the usage log for so many days. */
  makeLogDays(from: Date, days: number): Promise<void>
  /** Ends every connection and drops the database. */
  close(): Promise<void>
}

export interface ThrowAwayDatabaseOptions {
  /** With all tables, and usage-log partitions for the days around today. */
  migrate?: boolean
  poolSize?: number
}

/** A database of the test's own on the test server, under a name nobody else has. */
export async function throwAwayDatabase(options: ThrowAwayDatabaseOptions = {}): Promise<ThrowAwayDatabase> {
  const { migrate = true, poolSize = 10 } = options
  const template = migrate ? migratedTemplate() : undefined
  const name = newName()
  await onTestServer(`create database ${name} template ${template ?? 'template1'}`)
  const url = withDatabase(testServerUrl(), name)
  const handle = connectDatabase({ url, poolSize, applicationName: name })

  async function close(): Promise<void> {
    await handle.close()
    await onTestServer(`drop database if exists ${name} with (force)`)
  }

  try {
    if (migrate && template === undefined) await furnish(handle)
  } catch (error) {
    await close()
    throw error
  }
  const makeLogDays = async (from: Date, days: number) => {
    await ensureUsageLogPartitions(handle.db, { from, days })
  }
  return { ...handle, url, name, makeLogDays, close }
}

/**
 * Migrates one database for a whole run, and has every throw-away database copied from it, which takes a third of the
 * time. Gives what to call at the end of the run.
 */
export async function shareMigratedDatabase(): Promise<() => Promise<void>> {
  const name = newName()
  const drop = () => onTestServer(`drop database if exists ${name} with (force)`)
  await onTestServer(`create database ${name}`)
  const handle = connectDatabase({ url: withDatabase(testServerUrl(), name), poolSize: 1, applicationName: name })
  try {
    await furnish(handle)
  } catch (error) {
    await drop()
    throw error
  } finally {
    await handle.close() // a database that somebody is connected to cannot be copied
  }
  process.env.TEST_DATABASE_TEMPLATE = withDatabase(testServerUrl(), name)
  return drop
}

/** The database that a run has migrated to copy from, if it is on the server that tests use now. */
export function migratedTemplate(): string | undefined {
  const template = process.env.TEST_DATABASE_TEMPLATE
  if (template === undefined || withDatabase(template, '') !== withDatabase(testServerUrl(), '')) return undefined
  return new URL(template).pathname.slice(1)
}

async function furnish({ db }: DatabaseHandle): Promise<void> {
  await migrateToLatest(db)
  await ensureUsageLogPartitions(db, { from: daysFromNow(-2), days: 5 })
}

function newName(): string {
  return `tidegate_test_${randomBytes(6).toString('hex')}`
}

function testServerUrl(): string {
  return process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

function daysFromNow(days: number): Date {
  return new Date(Date.now() + days * 86_400_000)
}

async function onTestServer(statement: string): Promise<void> {
  const client = new Client({ connectionString: testServerUrl() })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
