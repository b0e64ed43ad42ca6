import { realpathSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { InputError } from '../errors.ts'
import type { Engine, Row } from './source.ts'

export function openSqlite(path: string): Engine {
  const file = realPath(path)
  const database = new DatabaseSync(file, { readOnly: true })
  const quote = (name: string) => `"${name}"`

  async function query(statement: string, parameters: readonly (string | number)[] = []): Promise<Row[]> {
    try {
      const prepared = database.prepare(statement)
      prepared.setReadBigInts(true) // values outside the safe integer range would throw otherwise
      return prepared.all(...parameters)
    } catch (error) {
      throw new InputError(`${path}: ${(error as Error).message}`)
    }
  }

  return {
    name: 'SQLite',
    address: `sqlite:${file}`,
    quote,
    query,
    columnsOf: async (table) => (await query(`pragma table_info(${quote(table)})`)).map(({ name }) => String(name)),
    close: async () => database.close(),
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    throw new InputError(`There is no file ${path}.`)
  }
}
