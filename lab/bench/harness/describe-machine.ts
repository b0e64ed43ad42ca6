import { cpus, totalmem } from 'node:os'
import type { ThrowAwayDatabase } from '@tidegate/testing'

/** What figures were made on, in one line for a table's foot. */
export async function describeMachine(database?: Pick<ThrowAwayDatabase, 'pool'>): Promise<string> {
  const [first] = cpus()
  const memory = `${Math.round(totalmem() / 1024 ** 3)} GB`
  const server = await database?.pool.query<{ server_version: string }>('show server_version')
  const version = server === undefined ? '' : `, PostgreSQL ${server.rows[0]!.server_version.split(' ', 1)[0]}`
  const date = new Date().toISOString().slice(0, 10)
  return `${date}, ${cpus().length} cores (${first?.model ?? 'unknown'}), ${memory}, Node ${process.version}${version}`
}
