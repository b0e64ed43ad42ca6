import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { Client, Pool } from 'pg'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { watchConnections } from './watch-connections.ts'

let database: ThrowAwayDatabase
const cleanups: (() => unknown)[] = []
beforeAll(async () => {
  database = await workerDatabase()
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})
afterAll(() => database.close())

/** A proxy to the database. After `move`, its existing connections stay open but carry no data. */
async function movableProxy() {
  const { hostname, port } = new URL(database.url)
  let generation = 0
  const server: Server = createServer((near) => {
    const mine = generation
    const far = connect(Number(port || 5432), hostname)
    near.on('data', (data) => mine === generation && far.write(data))
    far.on('data', (data) => mine === generation && near.write(data))
    near.on('error', () => {}).on('close', () => far.destroy())
    far.on('error', () => {}).on('close', () => mine === generation && near.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => server.close())
  const url = new URL(database.url)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: url.href, move: () => void (generation += 1) }
}

/** Ends these connections on the server, so that it no longer lists their process IDs. */
async function endOnServer(pids: readonly number[]): Promise<void> {
  await database.pool.query('select pg_terminate_backend(pid) from unnest($1::integer[]) as pid', [pids])
  await expect
    .poll(async () => (await database.pool.query('select from pg_stat_activity where pid = any($1)', [pids])).rowCount)
    .toBe(0)
}

function watchedPool(url: string): Pool {
  const pool = new Pool({ connectionString: url, max: 2 })
  pool.on('connect', (client) => client.on('error', () => {}))
  const unwatch = watchConnections(pool, () => new Client({ connectionString: url }), { suspectAfterMs: 100 })
  cleanups.push(() => pool.end(), unwatch)
  return pool
}

it('ends a query whose server vanished, and serves the next one', async () => {
  const proxy = await movableProxy()
  const pool = watchedPool(proxy.url)
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  proxy.move()
  await endOnServer(rows.map(({ pid }) => pid))

  await expect(pool.query('select 1')).rejects.toThrow()

  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

it('does not end a query that only takes long', async () => {
  const pool = watchedPool(database.url)

  const { rows } = await pool.query<{ slept: string }>("select pg_sleep(1)::text || 'well' as slept")

  expect(rows).toEqual([{ slept: 'well' }])
})
