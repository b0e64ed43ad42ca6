import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise'
import { InputError } from '../errors.ts'
import { addressOf, type Engine, type Row } from './source.ts'

/** MySQL and MariaDB. */
export async function openMysql(url: string): Promise<Engine> {
  const connection = await connect(url)
  await connection.query('set session transaction read only')

  async function query(statement: string, parameters: readonly (string | number)[] = []): Promise<Row[]> {
    const [rows] = await connection.query<RowDataPacket[]>(statement, [...parameters])
    return rows
  }

  return {
    name: 'MySQL',
    address: addressOf(url),
    quote: (name) => `\`${name}\``,
    query,
    async columnsOf(table) {
      const rows = await query(
        'select column_name as name from information_schema.columns where table_schema = database() and table_name = ?',
        [table],
      )
      return rows.map(({ name }) => String(name))
    },
    close: () => connection.end(),
  }
}

async function connect(url: string): Promise<Connection> {
  try {
    // Large numbers are returned as text, which `cells.ts` accepts.
    return await createConnection({ uri: url, supportBigNumbers: true, charset: 'utf8mb4', timezone: 'Z' })
  } catch (error) {
    const { message, code } = error as { message?: string; code?: string }
    throw new InputError(`${addressOf(url)} does not respond: ${message || code}`)
  }
}
