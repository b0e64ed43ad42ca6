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
  type RunningServer,
  setUpSite,
  startServer,
  throwAwayDatabase,
  withServices,
} from '@tidegate/testing'
import OpenAI from 'openai'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { usageRows } from '../scenarios/books.ts'
import { openSite, type Site } from '../scenarios/site.ts'
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

/** The tests run in this order on one site: each starts or stops what the one before it left. */
describe('a site', () => {
  const OTHER_SECRET = { TIDEGATE_SECRET: 'a-secret-that-is-not-the-one-of-the-site' }
  let site: Site
  let server: RunningServer
  let openai: OpenAI
  beforeAll(async () => {
    site = await openSite()
  })
  afterAll(async () => {
    await server?.stop()
    await site?.close()
  })

  it('is reported by the doctor with its running processes', async () => {
    await expect(run('doctor --site', site.env)).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/✗ gateways: none is running[\s\S]*✗ worker: [\s\S]*Failed checks: 2\./),
    })

    server = await site.start()
    ;({ openai } = await seedSite(server.url))
    await expect
      .poll(() => run('doctor --site', site.env).then(({ stdout }) => stdout))
      .toMatch(
        /✓ database server \(PostgreSQL \d+[\s\S]*✓ gateways \(1 running\)[\s\S]*✓ worker \(1 running\)[\s\S]*✓ channels \(1 enabled\)[\s\S]*✓ Redis[\s\S]*All checks passed/,
      )
    const { stdout } = await run('doctor', site.env)
    expect(stdout).toContain('All checks passed.')
    expect(stdout).not.toContain('gateways')
  })

  it('rejects a start with another secret, and continues', async () => {
    const other = { ...site.env, ...OTHER_SECRET }

    const failure = { code: 1, stdout: expect.stringContaining('does not open with this root key') }
    await expect(run('start', other)).rejects.toMatchObject(failure)
    await expect(run('start --role gateway', other)).rejects.toMatchObject(failure)
    await expect(run('doctor', other)).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/✗ secret of the site: .*\n.*Set TIDEGATE_SECRET/),
    })

    expect((await openai.chat.completions.create(PROMPT)).choices).toHaveLength(1)
    await expect.poll(async () => (await usageRows(site.database.db)).length).toBe(1)
  })

  it('lets an open stream finish and be billed when it stops, accepts nothing new, and exits with 0', async () => {
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
    expect(await usageRows(site.database.db)).toHaveLength(2)
  })

  it('rejects a start with another secret when an earlier release set it up', async () => {
    await sql`delete from secret_key`.execute(site.database.db)

    await expect(run('start', { ...site.env, ...OTHER_SECRET })).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('does not open the secrets of the site'),
    })
  })

  it('waits no longer than configured when it stops, and bills what was streamed', async () => {
    server = await site.start({ env: { TIDEGATE_DRAIN_SECONDS: '1', PORT: String(server.port) } })
    upstream.next({ text: 'a b c d e f g h', stallAfterEvents: 5 })
    const stream = await openai.chat.completions.create({ ...PROMPT, stream: true })
    const read = readAll(stream)
    await upstream.received(1)

    const code = await server.stop()

    expect(code).toBe(0)
    expect(await read).toBe('failed')
    const rows = await usageRows(site.database.db)
    expect(rows).toHaveLength(3)
    expect(Math.min(...rows.map(({ quota }) => quota))).toBeGreaterThan(0)
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

it('reports problems with the doctor and suggests fixes', async () => {
  const broken = { DATABASE_URL: 'postgres://127.0.0.1:9/nowhere', REDIS_URL: 'redis://127.0.0.1:9' }

  await expect(run('doctor', broken)).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /✗ database server: [\s\S]*→ Check that the server runs[\s\S]*✗ Redis: [\s\S]*Failed checks: 2\./,
    ),
  })
})

describe('monitoring', () => {
  it('reports a process without its database alive, a gateway as degraded and any other as not ready', async () => {
    const database = await throwAwayDatabase()
    const env = { DATABASE_URL: database.url, TIDEGATE_SECRET: 'the-secret-of-two-processes-of-a-site' }
    await using cleanup = new AsyncDisposableStack()
    const start = async (args: string[]) => cleanup.adopt(await startServer({ args, env }), (process) => process.kill())
    const [server, control] = [await start([]), await start(['--role', 'control'])]
    for (const { url } of [server, control]) expect((await fetch(`${url}/readyz`)).status).toBe(200)

    await database.close() // drops it under the running servers

    // The gateway can serve known callers.
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    const response = await fetch(`${server.url}/readyz`)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ status: 'ready', problems: [], degraded: ['database'] })
    expect((await fetch(`${server.url}/readyz?strict=1`)).status).toBe(503)
    const ofControl = await fetch(`${control.url}/readyz`)
    expect([ofControl.status, await ofControl.json()]).toEqual([
      503,
      { status: 'not ready', problems: ['the database does not respond'] },
    ])
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
