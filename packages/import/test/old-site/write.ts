import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MYSQL_URL, throwAwayDatabase } from '@tidegate/testing'
import { createConnection } from 'mysql2/promise'
import type { OldContent, OldRow } from './content.ts'
import type { ColumnKind, OldTables } from './tables.ts'

/** A database of another product. */
export interface OldDatabase {
  /** The `--from` address. */
  readonly from: string
  run(statement: string): Promise<void>
  close(): Promise<void>
}

type Types = Readonly<Record<ColumnKind, string>>
type Value = OldRow[string]

export async function oldSqlite(tables: OldTables, content: OldContent): Promise<OldDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'tidegate-old-'))
  const path = join(folder, 'one-api.db')
  const database = new DatabaseSync(path)
  const types: Types = {
    id: 'integer primary key',
    int: 'integer',
    text: 'text',
    flag: 'numeric',
    char32: 'char(32)',
    char48: 'char(48)',
    real: 'real',
    time: 'datetime',
    json: 'json',
  }
  const plain = (value: Value) =>
    value instanceof Date ? value.toISOString() : typeof value === 'boolean' ? Number(value) : value
  for (const { statement, insert, rows } of plan(tables, content, types, '"', () => '?')) {
    database.exec(`begin; ${statement}`) // one transaction, because a commit per row is slow
    const inserting = database.prepare(insert)
    for (const row of rows) inserting.run(...row.map(plain))
    database.exec('commit')
  }
  return {
    from: `sqlite:${path}`,
    run: async (statement) => database.exec(statement),
    close: async () => {
      database.close()
      rmSync(folder, { recursive: true })
    },
  }
}

export async function isMysqlAvailable(): Promise<boolean> {
  try {
    await (await createConnection({ uri: MYSQL_URL, connectTimeout: 2_000 })).end()
    return true
  } catch {
    return false
  }
}

export async function oldMysql(tables: OldTables, content: OldContent): Promise<OldDatabase> {
  const name = `tidegate_old_${randomBytes(6).toString('hex')}`
  const connection = await createConnection({ uri: MYSQL_URL, charset: 'utf8mb4', timezone: 'Z' })
  await connection.query(`create database ${name} character set utf8mb4`)
  await connection.query(`use ${name}`)
  const types: Types = {
    id: 'bigint primary key',
    int: 'bigint',
    text: 'longtext',
    flag: 'tinyint(1)',
    char32: 'char(32)',
    char48: 'char(48)',
    real: 'double',
    time: 'datetime(3)',
    json: 'json',
  }
  for (const { statement, insert, rows } of plan(tables, content, types, '`', () => '?')) {
    await connection.query(statement)
    for (const row of rows) await connection.query(insert, [...row])
  }
  return {
    from: `${MYSQL_URL}/${name}`,
    run: async (statement) => void (await connection.query(statement)),
    close: async () => {
      await connection.query(`drop database ${name}`)
      await connection.end()
    },
  }
}

export async function oldPostgres(tables: OldTables, content: OldContent): Promise<OldDatabase> {
  const database = await throwAwayDatabase({ migrate: false, poolSize: 1 })
  const types: Types = {
    id: 'bigint primary key',
    int: 'bigint',
    text: 'text',
    flag: 'boolean',
    char32: 'char(32)',
    char48: 'char(48)',
    real: 'numeric',
    time: 'timestamptz',
    json: 'json',
  }
  for (const { statement, insert, rows } of plan(tables, content, types, '"', (place) => `$${place + 1}`)) {
    await database.pool.query(statement)
    for (const row of rows) await database.pool.query(insert, [...row])
  }
  return {
    from: database.url,
    run: async (statement) => void (await database.pool.query(statement)),
    close: () => database.close(),
  }
}

/** Statements that create and fill each table, with only the columns of the product. */
function plan(
  tables: OldTables,
  content: OldContent,
  types: Types,
  mark: string,
  placeholder: (place: number) => string,
) {
  return Object.entries(tables).map(([table, columns]) => {
    const names = Object.keys(columns)
    const quoted = names.map((name) => `${mark}${name}${mark}`)
    return {
      statement: `create table ${table} (${names.map((name, place) => `${quoted[place]} ${types[columns[name]!]}`).join(', ')})`,
      insert: `insert into ${table} (${quoted.join(', ')}) values (${names.map((_, place) => placeholder(place)).join(', ')})`,
      rows: (content[table] ?? []).map((row) => names.map((name) => row[name] ?? null)),
    }
  })
}
