import { join } from 'node:path'
import { removeDirectory } from '@tidegate/testing'
import { Client } from 'pg'
import {
  asPostgres,
  directoryOfPostgres,
  freePort,
  newestBinaries,
  privatePostgres,
  type PrivateService,
} from '../private-services.ts'
import { until } from '../until.ts'

/** A PostgreSQL server with a synchronous standby: the standby has everything the primary acknowledged. */
export interface PostgresPair {
  readonly primary: PrivateService
  readonly standbyPort: number
  /** Promotes the standby. */
  promote(): Promise<void>
  remove(): Promise<void>
}

const STREAMING_WITHIN_MS = 20_000

export async function postgresPair(): Promise<PostgresPair> {
  const bin = await newestBinaries()
  const primary = await privatePostgres()
  const data = await directoryOfPostgres()
  const standbyPort = await freePort()
  const control = (...args: string[]) => asPostgres(join(bin, 'pg_ctl'), '-D', data, '-w', ...args)
  const remove = async () => {
    await control('-m', 'immediate', 'stop').catch(() => {}) // it may never have started
    await primary.remove()
    await removeDirectory(data)
  }
  try {
    // -R makes it follow the server it was copied from. PostgreSQL requires a private data directory.
    await asPostgres(join(bin, 'pg_basebackup'), '-d', primary.url, '-D', data, '-R', '-X', 'stream', '-c', 'fast')
    await asPostgres('chmod', '700', data)
    const options = `-p ${standbyPort} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${data}`
    await control('-l', join(data, 'server.log'), '-o', options, 'start')
    await onServer(primary.url, async (client) => {
      // Set only now: the copy must not wait for a standby of its own once it is promoted.
      await client.query("alter system set synchronous_standby_names = '*'")
      await client.query('select pg_reload_conf()')
      const isStreaming = await until(async () => {
        const { rows } = await client.query("select from pg_stat_replication where sync_state = 'sync'")
        return rows.length > 0
      }, STREAMING_WITHIN_MS)
      if (!isStreaming) throw new Error('the standby does not follow')
    })
    return { primary, standbyPort, promote: () => control('promote'), remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function onServer(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
