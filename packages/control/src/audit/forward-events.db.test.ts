import { createHmac } from 'node:crypto'
import { readSettings } from '@tidegate/contract'
import { createUpstreamClient, limitEgress, type UpstreamClient } from '@tidegate/providers'
import { auditEvents } from '@tidegate/storage'
import { startWebhookReceiver, workerDatabase, type WebhookReceiver, type ThrowAwayDatabase } from '@tidegate/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { sealEvents } from './seal-events.ts'
import { recordEvents, seedTrail, vault } from '../../test/audit-trail.ts'
import { forwardEvents, type ForwardStatus } from './forward-events.ts'
import { startCollector, startUdpCollector, type Collector } from '../../test/syslog-collector.ts'

let client: UpstreamClient
let guardedClient: UpstreamClient
let receiver: WebhookReceiver
beforeAll(async () => {
  client = createUpstreamClient({ allowPrivateAddresses: true })
  guardedClient = createUpstreamClient({ allowPrivateAddresses: false })
  receiver = await startWebhookReceiver()
})
afterAll(async () => {
  await client.close()
  await guardedClient.close()
  await receiver.close()
})

let database: ThrowAwayDatabase
let collectors: Collector[]
let time: Date
const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
const statuses: ForwardStatus[] = []
beforeEach(async () => {
  database = await workerDatabase()
  await seedTrail(database.db)
  collectors = []
  time = new Date('2030-03-03T10:01:00Z')
  statuses.length = 0
  vi.clearAllMocks()
  receiver.respond({})
  ;(receiver.received as unknown[]).length = 0
})
afterEach(async () => {
  for (const collector of collectors) await collector.close()
  await database.close()
})

async function collect(starting: Promise<Collector>): Promise<Collector> {
  const collector = await starting
  collectors.push(collector)
  return collector
}

interface Run {
  settings: Record<string, string>
  isGuarded?: boolean
}

/** Runs the job once. */
function forward({ settings, isGuarded = false }: Run) {
  return forwardEvents(
    {
      db: database.db,
      catalog: () => ({ settings: readSettings(new Map(Object.entries(settings))) }) as never,
      log,
      now: () => time,
      site: { allowPrivateFetches: !isGuarded } as never,
      webhookClient: isGuarded ? guardedClient : client,
      report: (status) => void statuses.push(status),
    },
    new AbortController().signal,
  )
}

async function addEvents(count: number): Promise<void> {
  await recordEvents(database.db, count, time)
  await sealEvents(database.db, { vault, now: time, limit: 2 })
}

const passSeconds = (seconds: number) => void (time = new Date(time.getTime() + seconds * 1000))
const idsIn = (lines: readonly string[]) => lines.map((line) => (JSON.parse(line) as { id: number }).id)
const bodyOf = (message: string) => message.slice(message.indexOf('{'))
const syslogIds = ({ messages }: Collector) => idsIn(messages.map(bodyOf))
const webhookIds = () => receiver.received.map(({ body }) => idsIn(body.trimEnd().split('\n')))

describe('syslog', () => {
  it.each(['tcp', 'tls'] as const)('receives the events over %s in order, once', async (protocol) => {
    const collector = await collect(startCollector(protocol))
    const settings = { 'audit.syslog_address': collector.address }

    await forward({ settings })
    await addEvents(3)
    await forward({ settings })
    await forward({ settings })

    expect(syslogIds(collector)).toEqual([11, 12, 13, 14, 15, 16, 17, 18])
    expect(collector.messages[0]).toMatch(
      /^<110>1 2030-03-03T10:00:00\.000000Z \S+ tidegate - user\.disable - {"id":11,/,
    )
  })

  it('receives events over UDP', async () => {
    const collector = await collect(startUdpCollector())

    await forward({ settings: { 'audit.syslog_address': collector.address } })

    await expect.poll(() => syslogIds(collector)).toEqual([11, 12, 13, 14, 15])
  })

  it('rejects a collector with an untrusted certificate', async () => {
    const collector = await collect(startCollector('tls', { isTrusted: false }))

    await forward({ settings: { 'audit.syslog_address': collector.address } })

    expect(log.warn.mock.calls[0]![0]).toMatchObject({ destination: 'syslog', error: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
    expect(collector.messages).toEqual([])
  })

  it('rejects a collector outside the egress allow list', async () => {
    const collector = await collect(startCollector('tcp'))
    limitEgress(['collector.example'])

    await forward({ settings: { 'audit.syslog_address': collector.address } })
    limitEgress(undefined)

    expect(log.warn.mock.calls[0]![0]).toMatchObject({ destination: 'syslog', error: 'EGRESS_NOT_ALLOWED' })
    expect(collector.messages).toEqual([])
  })

  it('continues from the same event after a broken connection and reports the lag', async () => {
    const collector = await collect(startCollector('tcp'))
    const settings = { 'audit.syslog_address': collector.address }
    collector.cut(true)
    await forward({ settings })
    expect(log.warn).toHaveBeenCalledTimes(1)
    expect(statuses.at(-1)).toEqual({ destination: 'syslog', lagSeconds: 60, failed: true })

    collector.cut(false)
    await forward({ settings }) // too early
    expect(collector.messages).toEqual([])
    expect(statuses.at(-1)).toMatchObject({ lagSeconds: 60, failed: false })
    passSeconds(6)
    await forward({ settings })

    expect(syslogIds(collector)).toEqual([11, 12, 13, 14, 15])
    expect(log.info).toHaveBeenCalledWith(
      { event: 'audit.forward_recovered', destination: 'syslog' },
      expect.any(String),
    )
    expect(statuses.at(-1)).toEqual({ destination: 'syslog', lagSeconds: 0, failed: false })
  })
})

describe('the audit webhook', () => {
  const settings = () => ({
    'audit.webhook_url': `${receiver.url}/audit`,
    'audit.webhook_secret': 's3cret',
  })

  it('receives signed JSON lines without the secret', async () => {
    await forward({ settings: settings() })

    expect(webhookIds()).toEqual([[11, 12, 13, 14, 15]])
    const { headers, body } = receiver.received[0]!
    const hmac = (text: string) => createHmac('sha256', 's3cret').update(text).digest('hex')
    expect(headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'x-webhook-id': 'audit-11-15',
      'x-webhook-signature': hmac(body),
      'x-webhook-timestamped-signature': hmac(`${headers['x-webhook-timestamp'] as string}.${body}`),
    })
    expect(JSON.stringify(headers)).not.toContain('s3cret')
  })

  it('is retried until it accepts, with the same id only for the same batch', async () => {
    receiver.respond({ status: 503 })
    await forward({ settings: settings() })
    await addEvents(1)
    passSeconds(6)
    await forward({ settings: settings() })
    receiver.respond({})
    passSeconds(11)
    await forward({ settings: settings() })

    expect(webhookIds()).toEqual([
      [11, 12, 13, 14, 15],
      [11, 12, 13, 14, 15, 16],
      [11, 12, 13, 14, 15, 16],
    ])
    expect(receiver.received.map(({ headers }) => headers['x-webhook-id'])).toEqual([
      'audit-11-15',
      'audit-11-16',
      'audit-11-16',
    ])
    expect(log.warn.mock.calls.map(([details]) => details as object)).toEqual([
      { event: 'audit.forward_failed', destination: 'webhook', error: 'refused 503', failures: 1 },
      { event: 'audit.forward_failed', destination: 'webhook', error: 'refused 503', failures: 2 },
    ])
  })

  it('rejects private addresses', async () => {
    await forward({ settings: settings(), isGuarded: true })

    expect(receiver.received).toEqual([])
    expect(log.warn.mock.calls[0]![0]).toMatchObject({ error: 'address_invalid' })
  })

  it('receives many events in several requests', async () => {
    await database.db
      .insertInto('audit_event')
      .values(Array.from({ length: 450 }, () => ({ actor_id: null, action: 'many.events', created_at: time })))
      .execute()
    await sealEvents(database.db, { vault, now: time })

    await forward({ settings: settings() })

    expect(webhookIds().map((ids) => ids.length)).toEqual([200, 200, 55])
  })
})

it('continues with one destination while another fails', async () => {
  const collector = await collect(startCollector('tcp'))
  receiver.respond({ status: 500 })

  await forward({ settings: { 'audit.syslog_address': collector.address, 'audit.webhook_url': receiver.url } })

  expect(syslogIds(collector)).toHaveLength(5)
  expect(statuses).toContainEqual({ destination: 'webhook', lagSeconds: 60, failed: true })
  expect(statuses).toContainEqual({ destination: 'syslog', lagSeconds: 0, failed: false })
})

it('loses nothing and advances once when two processes send concurrently', async () => {
  const settings = { 'audit.webhook_url': receiver.url }
  await Promise.all([forward({ settings }), forward({ settings })])
  await addEvents(1)
  await forward({ settings })

  expect(webhookIds().slice(0, -1)).toContainEqual([11, 12, 13, 14, 15])
  expect(webhookIds().at(-1)).toEqual([16])
})

it('sends events that were recorded while forwarding was disabled', async () => {
  const settings = { 'audit.webhook_url': receiver.url }
  await forward({ settings })

  await addEvents(1)
  await forward({ settings: {} })
  await forward({ settings })

  expect(webhookIds()).toEqual([[11, 12, 13, 14, 15], [16]])
})

it('forwards an event whose transaction committed late', async () => {
  const settings = { 'audit.webhook_url': receiver.url }
  const slow = await database.db.startTransaction().execute()
  await auditEvents.record(slow, { actorId: 1, action: 'user.enable' })
  await addEvents(1)
  await forward({ settings })
  await slow.commit().execute()
  await addEvents(0)
  await forward({ settings })

  expect(webhookIds()).toEqual([[11, 12, 13, 14, 15, 17], [16]])
})
