import { connectDatabase } from '@tidegate/storage'
import { InputError } from '../errors.ts'
import { addressOf, type Engine, type Row } from './source.ts'

export async function openPostgres(url: string): Promise<Engine> {
  const { pool, close } = connectDatabase({ url, poolSize: 1, applicationName: 'tidegate import' })

  async function query(statement: string, parameters: readonly (string | number)[] = []): Promise<Row[]> {
    let position = 0
    const { rows } = await pool.query<Record<string, unknown>>(
      statement.replace(/\?/g, () => `$${(position += 1)}`),
      [...parameters],
    )
    return rows
  }

  try {
    await query('set default_transaction_read_only = on')
  } catch (error) {
    await close()
    const { message, code } = error as { message?: string; code?: string }
    throw new InputError(`${addressOf(url)} does not respond: ${message || code}`)
  }
  return {
    name: 'PostgreSQL',
    address: addressOf(url),
    quote: (name) => `"${name}"`,
    query,
    async columnsOf(table) {
      const rows = await query(
        'select column_name as name from information_schema.columns where table_schema = current_schema() and table_name = ?',
        [table],
      )
      return rows.map(({ name }) => String(name))
    },
    close,
  }
}
