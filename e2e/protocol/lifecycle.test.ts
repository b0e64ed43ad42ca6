import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { api } from '@tidegate/contract'
import {
  addChannel,
  addToken,
  apiClient,
  COMPILE_CACHE,
  fakeUpstream,
  type FakeUpstream,
  setUpSite,
  startServer,
  throwAwayDatabase,
  withServices,
} from '@tidegate/testing'
import OpenAI from 'openai'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { usageRows } from '../scenarios/books.ts'
import { openSite } from '../scenarios/site.ts'
import { sharedSite } from './shared-site.ts'
import { METRICS_TOKEN } from './start-sites.ts'

const TIDEGATE = fileURLToPath(new URL('../../apps/server/dist/tidegate.mjs', import.meta.url))
const PROMPT = { model: 'gpt-4o-mini', messages: [{ role: 'user' as const, content: 'tell me about the sea' }] }

const shared = sharedSite()
let upstream: FakeUpstream
beforeAll(async () => {
  upstream = await fakeUpstream()
})
afterEach(() => upstream.reset())
afterAll(() => upstream.close())

describe('a stop', () => {
  it('lets an open stream finish and be billed, accepts nothing new, and exits with 0', async () => {
    const site = await openSite()
    const server = await site.start()
    const { openai } = await seedSite(server.url)
    upstream.next({ text: 'one two three four five six seven eight', betweenEventsMs: 150 })
    const stream = await openai.chat.completions.create({ ...PROMPT, stream: true })
    const chunks = stream[Symbol.asyncIterator]()
    await chunks.next()

    const stopped = server.stop()
    await expect.poll(() => rejectsConnections(server.url)).toBe(true)
    let text = ''
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      text += next.value.choices[0]?.delta.content ?? ''
    }

    expect(text).toContain('seven eight')
    expect(await stopped).toBe(0)
    expect(await usageRows(site.database.db)).toHaveLength(1)
    await site.close()
  })

  it('waits no longer than configured, and bills what was streamed', async () => {
    const site = await openSite()
    const server = await site.start({ env: { TIDEGATE_DRAIN_SECONDS: '1' } })
    const { openai } = await seedSite(server.url)
    upstream.next({ text: 'a b c d e f g h', stallAfterEvents: 5 })
    const stream = await openai.chat.completions.create({ ...PROMPT, stream: true })
    const read = readAll(stream)
    await upstream.received(1)

    const code = await server.stop()

    expect(code).toBe(0)
    expect(await read).toBe('failed')
    const [row] = await usageRows(site.database.db)
    expect(row?.quota).toBeGreaterThan(0)
    await site.close()
  })
})

describe('a start', () => {
  it('rejects a schema of a newer build with a message', async () => {
    const database = await throwAwayDatabase()
    await sql`insert into schema_migration (name, timestamp) values ('9999-from-the-future', '2030-01-01')`.execute(
      database.db,
    )
    await sql`update schema_compatibility set oldest_build = '9999-from-the-future'`.execute(database.db)

    await expect(run('start', { DATABASE_URL: database.url })).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('9999-from-the-future'),
    })
    await database.close()
  })

  it('rejects an incomplete schema and lists what is missing', async () => {
    const database = await throwAwayDatabase()
    await sql`drop table credit_lease`.execute(database.db)

    await expect(run('start', { DATABASE_URL: database.url })).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('credit_lease'),
    })
    await database.close()
  })

  it('exits when it cannot listen, and leaves nothing running', async () => {
    const services = await withServices()

    await expect(run('start', { ...services.env, PORT: String(shared.port) })).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('EADDRINUSE'),
    })
    await services.close()
  })

  it('fails with another secret than that of the site, and the site continues', async () => {
    const site = await openSite()
    const server = await site.start()
    const { openai } = await seedSite(server.url)
    const other = { ...site.env, TIDEGATE_SECRET: 'a-secret-that-is-not-the-one-of-the-site' }

    const failure = { code: 1, stdout: expect.stringContaining('does not open with this root key') }
    await expect(run('start', other)).rejects.toMatchObject(failure)
    await expect(run('start --role gateway', other)).rejects.toMatchObject(failure)
    await expect(run('doctor', other)).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/✗ secret of the site: .*\n.*Set TIDEGATE_SECRET/),
    })

    expect((await openai.chat.completions.create(PROMPT)).choices).toHaveLength(1)
    await server.stop()
    await site.close()
  })

  it('fails with another secret on a site that an earlier release set up', async () => {
    const site = await openSite()
    const server = await site.start()
    await seedSite(server.url)
    await server.stop()
    await sql`delete from secret_key`.execute(site.database.db)

    await expect(
      run('start', { ...site.env, TIDEGATE_SECRET: 'a-secret-that-is-not-the-one-of-the-site' }),
    ).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('does not open the secrets of the site'),
    })
    const again = await site.start()
    await again.stop()
    await site.close()
  })

  it('does not migrate an old schema when the operator migrates', async () => {
    const database = await throwAwayDatabase({ migrate: false })

    await expect(run('start', { DATABASE_URL: database.url, TIDEGATE_MIGRATE: 'off' })).rejects.toMatchObject({
      stdout: expect.stringContaining('tidegate migrate'),
    })
    await expect(run('migrate', { DATABASE_URL: database.url })).resolves.toMatchObject({
      stdout: expect.stringContaining('Applied: 0001-foundation'),
    })
    await database.close()
  })
})

describe('the doctor', () => {
  it('finds no problem on a healthy site', async () => {
    const services = await withServices()

    const { stdout } = await run('doctor', services.env)

    expect(stdout).toMatch(/✓ database server \(PostgreSQL \d+/)
    expect(stdout).toContain('✓ Redis')
    expect(stdout).toContain('All checks passed.')
    await services.close()
  })

  it('checks the running processes of a site', async () => {
    const site = await openSite()
    await expect(run('doctor --site', site.env)).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/✗ gateways: none is running[\s\S]*✗ worker: [\s\S]*Failed checks: 2\./),
    })

    const server = await site.start()
    await seedSite(server.url)
    await expect
      .poll(() => run('doctor --site', site.env).then(({ stdout }) => stdout))
      .toMatch(
        /✓ gateways \(1 running\)[\s\S]*✓ worker \(1 running\)[\s\S]*✓ channels \(1 enabled\)[\s\S]*All checks passed/,
      )

    await server.kill()
    expect((await run('doctor', site.env)).stdout).not.toContain('gateways')
    await site.close()
  })

  it('reports problems and suggests fixes', async () => {
    const broken = { DATABASE_URL: 'postgres://127.0.0.1:9/nowhere', REDIS_URL: 'redis://127.0.0.1:9' }

    await expect(run('doctor', broken)).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /✗ database server: [\s\S]*→ Check that the server runs[\s\S]*✗ Redis: [\s\S]*Failed checks: 2\./,
      ),
    })
  })
})

describe('monitoring', () => {
  it('reports alive without a database, and a gateway that can serve known callers as degraded', async () => {
    const database = await throwAwayDatabase({ migrate: false })
    const server = await startServer({ env: { DATABASE_URL: database.url } })
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)

    await database.close() // drops it under the running server

    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    const response = await fetch(`${server.url}/readyz`)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ status: 'ready', problems: [], degraded: ['database'] })
    expect((await fetch(`${server.url}/readyz?strict=1`)).status).toBe(503)
    await server.kill()
  })

  it('reports a process without a gateway as not ready without its database', async () => {
    const database = await throwAwayDatabase({ migrate: false })
    const server = await startServer({ args: ['start', '--role', 'control'], env: { DATABASE_URL: database.url } })
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)

    await database.close()

    const response = await fetch(`${server.url}/readyz`)
    expect([response.status, await response.json()]).toEqual([
      503,
      { status: 'not ready', problems: ['the database does not respond'] },
    ])
    await server.kill()
  })

  it('returns metrics only with the token', async () => {
    const scrape = (token: string) => fetch(`${shared.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })

    expect((await scrape('a-guess')).status).toBe(401)
    await apiClient(shared.url).send(api.login, { body: { username: 'no-such-user', password: 'nothing-at-all' } })
    const metrics = await (await scrape(METRICS_TOKEN)).text()
    for (const name of [
      'tidegate_open_calls',
      'tidegate_journal_bytes',
      'tidegate_open_breakers',
      'tidegate_uncovered_quota',
      'tidegate_auth_failures_total{kind="login_failed"}',
      'tidegate_waiting_rows{state="errors"}',
      'tidegate_database_connections{state="waiting"}',
    ]) {
      expect(metrics.split('\n').filter((line) => line.startsWith(`${name} `))).toHaveLength(1)
    }
  })

  it('logs the setup code and no secret', async () => {
    const services = await withServices()
    const server = await startServer({ env: { ...services.env, TIDEGATE_LOG_LEVEL: 'trace' } })
    const { token, openai } = await seedSite(server.url, { channelKey: 'sk-upstream-never-log-me' })
    upstream.next({ status: 401, body: { error: { message: 'Incorrect API key provided: sk-upstream-never-log-me' } } })
    await openai.chat.completions.create(PROMPT).catch(() => {})
    await server.stop()

    const log = JSON.stringify(server.logs)
    expect(log).toMatch(/"setupCode":"[0-9a-f]{12}"/)
    expect(log).not.toContain(token.key)
    expect(log).not.toContain('never-log-me')
    expect(log).not.toContain(services.env.TIDEGATE_SECRET!)
    await services.close()
  })
})

async function seedSite(url: string, { channelKey = 'sk-upstream' } = {}) {
  const client = apiClient(url)
  await setUpSite(client)
  await addChannel(client, upstream, { key: channelKey })
  const token = await addToken(client)
  return { client, token, openai: new OpenAI({ apiKey: token.secret, baseURL: `${url}/v1`, maxRetries: 0 }) }
}

async function readAll(stream: AsyncIterable<unknown>): Promise<'complete' | 'failed'> {
  try {
    for await (const chunk of stream) void chunk
    return 'complete'
  } catch {
    return 'failed'
  }
}

function rejectsConnections(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    () => false,
    () => true,
  )
}

function run(command: string, env: Record<string, string>) {
  return promisify(execFile)(process.execPath, [TIDEGATE, ...command.split(' ')], {
    env: {
      PATH: process.env.PATH,
      ...COMPILE_CACHE,
      TIDEGATE_DATA_DIR: '/tmp/tidegate-lifecycle-test',
      PORT: '0',
      HOST: '127.0.0.1',
      TIDEGATE_PROCESSES: '1',
      ...env,
    },
  })
}
