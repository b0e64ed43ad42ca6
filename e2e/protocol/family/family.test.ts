import { api } from '@tidegate/contract'
import { addToken } from '@tidegate/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { usageRows, verifyBooks } from '../../scenarios/books.ts'
import { tidegate } from '../ship/run-tidegate.ts'
import {
  countConnections,
  type FamilySite,
  GATEWAYS,
  isRunning,
  keepStreaming,
  logged,
  openConnections,
  openEndlessStream,
  openFamilySite,
  processIds,
  readMetric,
  sendChats,
} from './family-site.ts'

/** Requests of the gateway so far: each test adds its own. The tests run in this order on one site. */
let requests = 0
/** Completed chats, which must be settled once each. */
let chats = 0
let family: FamilySite
beforeAll(async () => {
  family = await openFamilySite()
})
afterAll(() => family.close())

const gatewaysOf = (site: FamilySite) => [...processIds(site)].filter(([slot]) => slot.startsWith('gateway-'))

async function expectSettledOnce(): Promise<void> {
  const { db } = family.site.database
  await expect.poll(async () => (await usageRows(db)).length).toBe(chats)
  const rows = await usageRows(db)
  expect(new Set(rows.map(({ request_id }) => request_id)).size).toBe(chats)
}

/** Small in CI. By hand, run it with 200 streams and two or more reloads. */
const STREAMS = Number(process.env.FAMILY_STREAMS ?? 40)
const RELOADS = Number(process.env.FAMILY_RELOADS ?? 1)

describe('a family of processes', () => {
  it('spreads kept connections over the gateways', async () => {
    const closeConnections = await openConnections(family, 256)
    requests += 256

    const counts = await Promise.all(gatewaysOf(family).map(([, pid]) => countConnections(family, pid)))
    closeConnections()

    expect(counts).toHaveLength(GATEWAYS)
    // The client that set up the site has connections too.
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(256)
    expect(Math.max(...counts)).toBeLessThanOrEqual((256 / GATEWAYS) * 1.6)
  })

  it('counts the requests of all processes in one scrape', async () => {
    expect(await sendChats(family, 60)).toEqual(Array(60).fill(200))
    chats += 60
    requests += 60

    await expect.poll(() => readMetric(family, 'tidegate_calls_total')).toBe(requests)
    expect(await readMetric(family, 'tidegate_process_up')).toBe(GATEWAYS + 1)
  })

  it('serves console requests through control, with the address of the client', async () => {
    const spoofed = { 'x-tidegate-client': '6.6.6.6', 'user-agent': 'spoof' }
    const response = await fetch(`${family.server.url}/api/user/self`, { headers: spoofed })
    const page = await fetch(family.server.url)

    expect(response.status).toBe(401)
    expect(page.headers.get('content-type')).toContain('text/html')
    await expect
      .poll(() => family.server.logs.find(({ path, status }) => path === '/api/user/self' && status === 401))
      .toMatchObject({ slot: 'control', clientAddress: '127.0.0.1' })
    // A POST with a body, and a response without one.
    expect((await addToken(family.client)).secret).toMatch(/^sk-/)
    expect((await fetch(family.server.url, { method: 'HEAD' })).status).toBe(200)
  })

  it('forwards events of control as they happen, until the client leaves', async () => {
    const response = await family.client.open(api.followLiveFigures, {})
    const events = response.body!.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]()

    const texts = [await events.next(), await events.next()]
    await events.return!()

    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(texts.map(({ value }) => String(value))).toEqual([
      expect.stringMatching(/^data: /),
      expect.stringMatching(/^data: /),
    ])
  })

  it('shares rate limits without Redis', async () => {
    const limited = await addToken(family.client, {
      rate_limit_enabled: true,
      rate_limit_period: 600,
      rate_limit_count: 12,
      rate_limit_success: 1000,
    })

    const statuses = await sendChats({ ...family, key: limited.secret }, 30)
    requests += 30

    const numbers = Map.groupBy(statuses, (status) => status)
    expect([numbers.get(200)?.length, numbers.get(429)?.length]).toEqual([12, 18])
    chats += 12
    await expectSettledOnce()
  })

  it(
    'replaces all processes without cutting a stream, and counts none twice',
    async () => {
      const before = processIds(family)
      const streams = keepStreaming(family, STREAMS)
      await expect.poll(() => streams.received.length).toBeGreaterThan(STREAMS)
      for (let reloads = 1; reloads <= RELOADS; reloads += 1) {
        expect(await tidegate(['reload'], { dataDirectory: family.site.dataDirectory })).toMatchObject({ code: 0 })
        await expect.poll(() => logged(family, 'supervisor.reloaded'), { timeout: 280_000 }).toBe(reloads)
      }
      const received = await streams.stop()
      requests += received.length
      chats += received.length

      expect(received.filter(({ complete }) => !complete).map(({ status, tail }) => ({ status, tail }))).toEqual([])
      expect([...processIds(family).values()].filter((pid) => [...before.values()].includes(pid))).toEqual([])
      expect([...before.values()].filter(isRunning)).toEqual([])
      await expectSettledOnce()
      await expect.poll(() => readMetric(family, 'tidegate_calls_total')).toBe(requests)
    },
    RELOADS * 600_000,
  ) // a minute on two idle cores

  it('serves requests while a gateway is down, settles its requests once, and starts it again', async () => {
    const pid = processIds(family).get('gateway-2')!
    expect(await sendChats(family, 60)).toEqual(Array(60).fill(200))
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => logged(family, 'supervisor.process_crashed')).toBe(1)

    expect(await sendChats(family, 30)).toEqual(Array(30).fill(200))
    chats += 90
    await expect.poll(() => readMetric(family, 'tidegate_process_up')).toBe(GATEWAYS + 1)
    await expect.poll(() => processIds(family).get('gateway-2')).not.toBe(pid)
    expect(await readMetric(family, 'tidegate_process_restarts_total')).toBe(1)
    await expectSettledOnce()
  })

  it('serves requests of the gateway while control is down', async () => {
    process.kill(processIds(family).get('control')!, 'SIGKILL')
    await expect.poll(() => logged(family, 'supervisor.process_crashed')).toBe(2)

    const response = await fetch(`${family.server.url}/api/status`)
    expect([response.status, await response.json()]).toMatchObject([503, { code: 'service_unavailable' }])
    expect(await sendChats(family, 6)).toEqual(Array(6).fill(200))
    chats += 6
    await expect.poll(async () => (await fetch(`${family.server.url}/api/status`)).status).toBe(200)
  })

  it('stops all processes when the supervisor is killed, and loses no request', async () => {
    const processes = [...processIds(family).values()]
    const stream = await openEndlessStream(family)
    expect(await sendChats(family, 60)).toEqual(Array(60).fill(200))
    chats += 60

    await family.server.kill()
    await expect.poll(() => processes.filter(isRunning)).toEqual([])
    await stream.ended
    chats += 1 // billed for what was streamed

    await family.start({ TIDEGATE_PROCESSES: '1' })
    await expectSettledOnce()
    expect(await verifyBooks(family.site.env, family.site.dataDirectory)).toBe('')
  })
})

describe('a start of several processes', () => {
  it('reports once why it fails, and leaves nothing running', async () => {
    const { db } = family.site.database
    await family.server.stop()
    await sql`insert into schema_migration (name, timestamp) values ('9999-from-the-future', '2030-01-01')`.execute(db)
    await sql`update schema_compatibility set oldest_build = '9999-from-the-future'`.execute(db)
    const env = { ...family.site.env, TIDEGATE_PROCESSES: '2', PORT: '0', HOST: '127.0.0.1' }

    const { code, stderr } = await tidegate(['start'], { dataDirectory: family.site.dataDirectory, env })

    expect(code).toBe(1)
    expect(stderr.match(/9999-from-the-future/g)).toHaveLength(1)
  })
})
