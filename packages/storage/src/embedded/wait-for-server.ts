import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { DUPLICATE_DATABASE, hasCode, UNIQUE_VIOLATION } from '../connection/error-codes.ts'
import { SUPERUSER } from './create-cluster.ts'

export interface ServerAddress {
  socketDir: string
  database: string
}

/** Returns true when the server accepts a connection, and false when it exited. */
export async function waitUntilReady(socketDir: string, hasExited: () => Promise<boolean>): Promise<boolean> {
  for (;;) {
    if (await acceptsConnections(socketDir)) return true
    if (await hasExited()) return false
    await delay(20)
  }
}

/** Creates our database in a new cluster. Another process may do so at the same time. */
export async function ensureDatabase({ socketDir, database }: ServerAddress): Promise<void> {
  const client = newClient(socketDir)
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database])
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(database)}`)
  } catch (error) {
    if (!hasCode(error, DUPLICATE_DATABASE, UNIQUE_VIOLATION)) throw error
  } finally {
    await client.end()
  }
}

/** Whether a server accepts connections on this socket. */
export async function acceptsConnections(socketDir: string): Promise<boolean> {
  const client = newClient(socketDir)
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

function newClient(socketDir: string): Client {
  return new Client({ host: socketDir, port: 5432, user: SUPERUSER, database: 'postgres', ssl: false })
}
