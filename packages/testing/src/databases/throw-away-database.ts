import { randomBytes } from 'node:crypto'
import { connectDatabase, ensureUsageLogPartitions, migrateToLatest, type DatabaseHandle } from '@tidegate/storage'
import { Client } from 'pg'
import { type DatabaseSnapshot, resetDatabase, snapshotDatabase } from './reset-database.ts'

export interface ThrowAwayDatabase extends DatabaseHandle {
  readonly url: string
  readonly name: string
  /** Creates usage log partitions for these days. */
  makeLogDays(from: Date, days: number): Promise<void>
  /** Closes all connections and drops the database. */
  close(): Promise<void>
}

export interface ThrowAwayDatabaseOptions {
  /** Creates all tables, and usage log partitions for the days around today. */
  migrate?: boolean
  poolSize?: number
}

/** Creates a database with a unique name on the test server. */
export async function throwAwayDatabase(options: ThrowAwayDatabaseOptions = {}): Promise<ThrowAwayDatabase> {
  const { migrate = true, poolSize = 10 } = options
  const template = migrate ? migratedTemplate() : undefined
  const name = newName()
  await onTestServer(`create database ${name} template ${template ?? 'template1'}`)
  const database = open(name, poolSize, async () => {
    await onTestServer(`drop database if exists ${name} with (force)`)
  })
  try {
    if (migrate && template === undefined) await migrateDatabase(database)
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

/** A database that stays: it is created and migrated at its first use, and `close` only closes the connections. */
export async function lastingDatabase(name: string): Promise<ThrowAwayDatabase & { readonly isNew: boolean }> {
  const found = await onTestServer('select 1 from pg_database where datname = $1', [name])
  const isNew = found.length === 0
  if (isNew) await onTestServer(`create database "${name}"`)
  const database = open(name, 4, async () => {})
  if (isNew) await migrateDatabase(database)
  return { ...database, isNew }
}

interface WorkerDatabase {
  readonly name: string
  readonly snapshot: DatabaseSnapshot
  inUse: boolean
}

/** Shared by all files of a test worker. */
const worker = globalThis as { tidegateWorkerDatabase?: WorkerDatabase | undefined }

/**
 * The migrated database of this test worker. It is reset between two uses instead of being replaced. While a test uses
 * it, or without a shared template, a new database is created. Not for tests that change the schema permanently.
 */
export async function workerDatabase({ poolSize = 10 }: { poolSize?: number } = {}): Promise<ThrowAwayDatabase> {
  const template = migratedTemplate()
  if (template === undefined || worker.tidegateWorkerDatabase?.inUse) return throwAwayDatabase({ poolSize })
  const used = worker.tidegateWorkerDatabase
  if (used !== undefined) {
    used.inUse = true
    const database = open(used.name, poolSize, async () => void (used.inUse = false))
    if (await resetDatabase(database.pool, used.snapshot)) return database
    await database.close()
    await onTestServer(`drop database ${used.name} with (force)`)
  }
  const name = `${template}_${randomBytes(3).toString('hex')}`
  await onTestServer(`create database ${name} template ${template}`)
  const database = open(name, poolSize, async () => void (created.inUse = false))
  const created: WorkerDatabase = { name, snapshot: await snapshotDatabase(database.pool), inUse: true }
  worker.tidegateWorkerDatabase = created
  return database
}

function open(name: string, poolSize: number, afterClose: () => Promise<void>): ThrowAwayDatabase {
  const url = withDatabase(testServerUrl(), name)
  const handle = connectDatabase({ url, poolSize, applicationName: name })
  const makeLogDays = async (from: Date, days: number) => {
    await ensureUsageLogPartitions(handle.db, { from, days })
  }
  const close = async () => {
    await handle.close()
    await afterClose()
  }
  return { ...handle, url, name, makeLogDays, close }
}

export type DatabaseConnection = DatabaseHandle

/** Connects to a database that the caller creates and drops. */
export function connectTo(url: string): DatabaseConnection {
  return connectDatabase({ url, poolSize: 2, applicationName: 'tidegate-test' })
}

/** Migrates one database per run as a template: copying it takes a third of the time. Returns the teardown. */
export async function shareMigratedDatabase(): Promise<() => Promise<void>> {
  const name = newName()
  const drop = async () => {
    for (const database of [name, ...(await databasesLike(`${name}_%`))]) {
      await onTestServer(`drop database if exists ${database} with (force)`)
    }
  }
  await onTestServer(`create database ${name}`)
  const handle = connectDatabase({ url: withDatabase(testServerUrl(), name), poolSize: 1, applicationName: name })
  try {
    await migrateDatabase(handle)
  } catch (error) {
    await drop()
    throw error
  } finally {
    await handle.close() // a database with open connections cannot be copied
  }
  process.env.TEST_DATABASE_TEMPLATE = withDatabase(testServerUrl(), name)
  return drop
}

/** The template database of this run, if it is on the current test server. */
export function migratedTemplate(): string | undefined {
  const template = process.env.TEST_DATABASE_TEMPLATE
  if (template === undefined || withDatabase(template, '') !== withDatabase(testServerUrl(), '')) return undefined
  return new URL(template).pathname.slice(1)
}

async function migrateDatabase({ db }: DatabaseHandle): Promise<void> {
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

async function databasesLike(pattern: string): Promise<string[]> {
  const rows = await onTestServer('select datname from pg_database where datname like $1', [pattern])
  return rows.map(({ datname }) => String(datname))
}

async function onTestServer(statement: string, parameters: string[] = []): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: testServerUrl() })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement, parameters)).rows
  } finally {
    await client.end()
  }
}
