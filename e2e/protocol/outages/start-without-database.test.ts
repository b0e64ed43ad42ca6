import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { api } from '@tidegate/contract'
import {
  addToken,
  apiClient,
  fakeUpstream,
  type ApiClient,
  type FakeUpstream,
  type RunningServer,
} from '@tidegate/testing'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { behindProxy, bringBack, type ProxiedService, takeAway } from '../../scenarios/behind-proxy.ts'
import { openLeases, setBalance, usageRows, verifyBooks } from '../../scenarios/books.ts'
import { MODEL, openSite, seedSite, type Site } from '../../scenarios/site.ts'

const PASSWORD = 'spring-tide-45'
const SLOW = { timeout: 60_000, interval: 200 }

let site: Site
let away: ProxiedService[]
let server: RunningServer | undefined
let upstream: FakeUpstream
let admin: ApiClient
let charged = 0

beforeEach(async () => {
  site = await openSite()
  away = await Promise.all([behindProxy(site.env.DATABASE_URL!), behindProxy(site.env.REDIS_URL!)])
  upstream = await fakeUpstream()
  charged = 0
})
afterEach(async () => {
  await server?.kill()
  await Promise.all(away.map(({ proxy }) => proxy.close()))
  await upstream.close()
  await site.close()
})

function start(env: Record<string, string> = {}): Promise<RunningServer> {
  const [database, redis] = away
  return site.start({ env: { DATABASE_URL: database!.url, REDIS_URL: redis!.url, ...env } })
}

async function seed(): Promise<void> {
  admin = (await seedSite(server!.url, upstream)).client
}

async function addUser(username: string) {
  await admin.call(api.createUser, { body: { username, display_name: username, password: PASSWORD } })
  const client = apiClient(server!.url)
  const { id } = await client.login(username, PASSWORD)
  await setBalance(site.database.db, id, 1_000_000)
  return { client, ...(await addToken(client)) }
}

/** On a connection of its own, so that each process gets some. */
async function chat(key: string): Promise<number> {
  const sent = request(`${server!.url}/v1/chat/completions`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  })
  const messages = [{ role: 'user', content: 'when does the tide turn?' }]
  sent.end(JSON.stringify({ model: MODEL, messages, max_tokens: 50 }))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  await once(response, 'end')
  if (response.statusCode === 200) charged += 1
  return response.statusCode!
}

/** What the snapshot says about itself: the number of its parts, when it was written, and the version of its content. */
async function snapshotHead(name: string): Promise<{ count: number; at: number; version: number }> {
  const text = await readFile(join(site.dataDirectory, 'snapshot', name), 'utf8').catch(() => '{"count":0,"at":0}')
  return JSON.parse(text.split('\n')[0]!) as { count: number; at: number; version: number }
}

/** The catalog is current, and the callers were written after the time. */
async function untilWritten(names: readonly string[], since = Date.now()): Promise<void> {
  for (const name of names) {
    const isWritten = ({ count, at }: { count: number; at: number }) => count > 0 && at > since
    await expect.poll(async () => isWritten(await snapshotHead(name)), SLOW).toBe(true)
  }
  const { rows } = await sql<{ version: number }>`select version from catalog_version`.execute(site.database.db)
  await expect.poll(async () => (await snapshotHead('catalog')).version, SLOW).toBe(rows[0]!.version)
}

async function expectBooksExact(): Promise<void> {
  await server!.stop()
  server = undefined
  expect(await usageRows(site.database.db)).toHaveLength(charged)
  expect(await openLeases(site.database.db)).toBe(0)
  expect(await verifyBooks(site.env, site.dataDirectory)).toBe('')
}

it('serves known callers from their leases after a crash while PostgreSQL and Redis are away', async () => {
  server = await start()
  await seed()
  const holder = await addUser('holder')
  const revoked = await addUser('revoked')
  const unknown = await addUser('unknown')
  expect([await chat(holder.secret), await chat(revoked.secret)]).toEqual([200, 200])
  await revoked.client.call(api.deleteToken, { path: { id: revoked.id } })
  expect(await chat(revoked.secret)).toBe(401)
  await untilWritten(['callers-port-0'])
  expect(await chat(holder.secret)).toBe(200) // an idle lease is returned after ten seconds
  takeAway(away)
  await server.kill()

  server = await start()

  expect(server.logs).toContainEqual(expect.objectContaining({ event: 'server.started_without_database' }))
  expect(await Promise.all([chat(holder.secret), chat(holder.secret)])).toEqual([200, 200])
  const others = [revoked.secret, unknown.secret, 'sk-wrong-key']
  expect(await Promise.all(others.map(chat))).toEqual([503, 503, 503])
  expect((await fetch(`${server.url}/readyz?strict=1`)).status).toBe(503)

  bringBack(away)
  await expect.poll(() => chat(unknown.secret), SLOW).toBe(200)
  expect(await chat(revoked.secret)).toBe(401)
  await expectBooksExact()
})

it('serves a known caller without a lease from the outage credit', async () => {
  server = await start()
  await seed()
  const options = { OutageCredit: '100000' }
  for (const [key, value] of Object.entries(options)) await admin.call(api.updateOption, { body: { key, value } })
  const known = await addUser('known')
  const since = Date.now()
  expect(await chat(known.secret)).toBe(200)
  await untilWritten(['callers-port-0'], since)
  await expect.poll(() => openLeases(site.database.db), SLOW).toBe(0) // idle leases are returned
  takeAway(away)
  await server.kill()

  server = await start()

  expect(await chat(known.secret)).toBe(200)
  expect(await chat('sk-wrong-key')).toBe(503)
  bringBack(away)
  await expect.poll(() => chat(known.secret), SLOW).toBe(200)
  await expectBooksExact()
})

it('serves from several processes that start without PostgreSQL and Redis', async () => {
  const env = { TIDEGATE_PROCESSES: '2' }
  server = await start(env)
  await seed()
  const holder = await addUser('holder')
  const since = Date.now()
  for (let call = 0; call < 8; call += 1) expect(await chat(holder.secret)).toBe(200)
  await untilWritten(['callers-gateway-1', 'callers-gateway-2'], since)
  for (let call = 0; call < 4; call += 1) expect(await chat(holder.secret)).toBe(200) // as above
  takeAway(away)
  await server.stop()

  server = await start(env)

  const statuses: number[] = []
  for (let call = 0; call < 6; call += 1) statuses.push(await chat(holder.secret))
  expect(statuses).toContain(200)
  expect(statuses.filter((status) => ![200, 503].includes(status))).toEqual([])
  expect((await fetch(`${server.url}/api/status`)).status).not.toBe(401)

  bringBack(away)
  await expect.poll(async () => (await fetch(`${server!.url}/readyz?strict=1`)).status, SLOW).toBe(200)
  await expect.poll(() => chat(holder.secret), SLOW).toBe(200)
  await expectBooksExact()
})

it('serves from the leases of processes whose supervisor was killed, once they have ended', async () => {
  const env = { TIDEGATE_PROCESSES: '2' }
  const first = (server = await start(env))
  await seed()
  const holder = await addUser('holder')
  const since = Date.now()
  for (let call = 0; call < 8; call += 1) expect(await chat(holder.secret)).toBe(200)
  await untilWritten(['callers-gateway-1', 'callers-gateway-2'], since)
  for (let call = 0; call < 4; call += 1) expect(await chat(holder.secret)).toBe(200) // as above
  takeAway(away)
  process.kill(first.pid, 'SIGKILL')

  server = await start(env)

  const statuses: number[] = []
  for (let call = 0; call < 6; call += 1) statuses.push(await chat(holder.secret))
  expect(statuses).toContain(200)
  await first.kill()
  bringBack(away)
  await expect.poll(() => chat(holder.secret), SLOW).toBe(200)
  await expectBooksExact()
})

it('keeps the processes that hold leases when it is reloaded while PostgreSQL is away', async () => {
  server = await start({ TIDEGATE_PROCESSES: '2' })
  await seed()
  const holder = await addUser('holder')
  const since = Date.now()
  for (let call = 0; call < 8; call += 1) expect(await chat(holder.secret)).toBe(200)
  await untilWritten(['callers-gateway-1', 'callers-gateway-2'], since)
  for (let call = 0; call < 4; call += 1) expect(await chat(holder.secret)).toBe(200) // as above
  takeAway(away)

  process.kill(server.pid, 'SIGHUP')

  await expect.poll(() => server!.logs.map(({ event }) => event), SLOW).toContain('supervisor.reload_failed')
  expect(await Promise.all([1, 2, 3, 4].map(() => chat(holder.secret)))).toEqual([200, 200, 200, 200])
  bringBack(away)
  await expect.poll(async () => (await fetch(`${server!.url}/readyz?strict=1`)).status, SLOW).toBe(200)
  await expectBooksExact()
})

it('does not start without PostgreSQL and a snapshot', async () => {
  takeAway(away)

  await expect(start()).rejects.toThrow('before it listened')
})
