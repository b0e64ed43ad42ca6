import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { connectDatabase } from './connect.ts'

let database: ThrowAwayDatabase
const cleanups: (() => unknown)[] = []
beforeAll(async () => {
  database = await workerDatabase()
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})
afterAll(() => database.close())

/** A server with an address of its own that can be stopped, like one of several nodes. */
async function startNode(port = 0) {
  const { hostname, port: serverPort } = new URL(database.url)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(serverPort || 5432), hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket
        .on('error', () => {})
        .on('close', () => {
          near.destroy()
          far.destroy()
        })
    }
    near.pipe(far).pipe(near)
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  let connections = 0
  server.on('connection', () => (connections += 1))
  const stop = async () => {
    for (const socket of sockets) socket.destroy()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  cleanups.push(stop)
  const { port: own } = server.address() as AddressInfo
  return { port: own, stop, connections: () => connections }
}

function connectTo(ports: readonly number[]) {
  const url = new URL(database.url)
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',')
  const address = `postgres://${url.username}${url.password && `:${url.password}`}@${hosts}${url.pathname}`
  const handle = connectDatabase({ url: address, poolSize: 2, applicationName: 'several-servers' })
  cleanups.push(() => handle.close())
  return handle
}

const one = async ({ db }: ReturnType<typeof connectDatabase>) =>
  (await sql<{ one: number }>`select 1 as one`.execute(db)).rows[0]!.one

it('uses the first server that takes writes, and no other', async () => {
  const [first, second] = [await startNode(), await startNode()]
  const handle = connectTo([first.port, second.port])

  expect(await Promise.all([one(handle), one(handle)])).toEqual([1, 1])

  expect([first.connections(), second.connections()]).toEqual([3, 1]) // one connection each was a check
})

it('continues on the next server when the first is away, and stays there', async () => {
  const [first, second] = [await startNode(), await startNode()]
  const handle = connectTo([first.port, second.port])
  expect(await one(handle)).toBe(1)
  await first.stop()

  await expect.poll(() => one(handle).catch(() => 'away')).toBe(1)
  const again = await startNode(first.port)

  expect(await one(handle)).toBe(1)
  expect(again.connections()).toBe(0)
})

it('connects to a server that starts later', async () => {
  const [first, second] = [await startNode(), await startNode()]
  await Promise.all([first.stop(), second.stop()])
  const handle = connectTo([first.port, second.port])
  await expect(one(handle)).rejects.toThrow()

  await startNode(second.port)

  expect(await one(handle)).toBe(1)
})

it('listens on the server that takes writes', async () => {
  const [first, second] = [await startNode(), await startNode()]
  await first.stop()
  const client = connectTo([first.port, second.port]).newClient()
  await client.connect()
  cleanups.push(() => client.end())

  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})
