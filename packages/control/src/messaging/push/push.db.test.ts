import { createHash, createPublicKey, randomBytes } from 'node:crypto'
import { api } from '@tidegate/contract'
import { createUpstreamClient } from '@tidegate/providers'
import { openVault, pushSubscriptions } from '@tidegate/storage'
import { apiClient, fakeBrowserPush, type ApiClient, type FakeBrowserPush } from '@tidegate/testing'
import { jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { startNotificationSite, type NotificationSite } from '../../../test/notification-site.ts'
import { PASSWORD } from '../../../test/start-site.ts'
import type { LocalizedNotification } from '../notifications/notification.ts'
import { deliverDue } from '../outbox/deliver.ts'
import { notifyUser } from '../outbox/enqueue.ts'
import { checkPushEndpoint } from './send-push.ts'
import { pushKey, vapidAuthorization } from './vapid.ts'

let site: NotificationSite
beforeAll(async () => {
  site = await startNotificationSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  site.receiver.respond({ status: 201 })
  await site.db.deleteFrom('delivery').execute()
})

const newBrowser = () => fakeBrowserPush(`${site.receiver.url}/push/${randomBytes(12).toString('hex')}`)
const subscribe = (client: ApiClient, browser: FakeBrowserPush) =>
  client.call(api.subscribePush, { body: browser.subscription })
const codeOf = async (result: Promise<{ envelope: object }>) => ((await result).envelope as { code?: string }).code
const rejection = (client: ApiClient, body: FakeBrowserPush['subscription']) =>
  codeOf(client.send(api.subscribePush, { body }))
const devicesOf = async (client: ApiClient) => (await client.call(api.getPush)).devices
const pushesTo = ({ subscription }: FakeBrowserPush) =>
  site.receiver.received.filter(({ path }) => subscription.endpoint.endsWith(path))
const deliver = () => deliverDue(site.deps, new AbortController().signal)

const both = (text: string) => ({ zh: text, en: text })
const NOTIFICATION: LocalizedNotification = {
  type: 'quota_exceed',
  title: both('Low'),
  content: both('{{value}}\n\n[{{value}}]({{value}})'),
  values: ['5 left', 'Wallet', 'https://gate.example/app/wallet'],
}

async function notify(userId: number): Promise<void> {
  const user = await site.db.selectFrom('user').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
  await site.db.transaction().execute((transaction) => notifyUser(transaction, user, NOTIFICATION))
}

describe('a subscription', () => {
  it('is listed without endpoint and keys, which are stored sealed', async () => {
    const client = await site.signedIn('user')
    const browser = newBrowser()
    const { endpoint, keys } = browser.subscription

    const device = await subscribe(client, browser)

    expect(device).toEqual({
      id: expect.any(Number),
      endpoint_hash: createHash('sha256').update(endpoint).digest('hex'),
      host: new URL(endpoint).host,
      user_agent: expect.any(String),
      created_at: expect.any(String),
      last_success_at: null,
    })
    expect(await devicesOf(client)).toEqual([device])
    const stored = JSON.stringify(await site.db.selectFrom('push_subscription').selectAll().execute())
    for (const secret of [new URL(endpoint).pathname, keys.auth, keys.p256dh]) expect(stored).not.toContain(secret)
    const trail = await site.db.selectFrom('audit_event').select(['action', 'details']).orderBy('id', 'desc').execute()
    expect(trail[0]).toEqual({ action: 'user.push_add', details: { host: new URL(endpoint).host } })
  })

  it('is replaced when the same browser subscribes again', async () => {
    const client = await site.signedIn('user')
    const browser = newBrowser()

    const [first, second] = [await subscribe(client, browser), await subscribe(client, browser)]

    expect(second.id).toBe(first.id)
    expect(await devicesOf(client)).toHaveLength(1)
  })

  it('moves to the next user of the same browser, and is rejected with other keys', async () => {
    const [before, after, other] = [
      await site.signedIn('user'),
      await site.signedIn('user'),
      await site.signedIn('user'),
    ]
    const browser = newBrowser()
    await subscribe(before, browser)
    const forged = { ...newBrowser().subscription, endpoint: browser.subscription.endpoint }

    expect(await rejection(other, forged)).toBe('push_keys_invalid')
    await subscribe(after, browser)

    expect(await devicesOf(before)).toEqual([])
    expect(await devicesOf(after)).toHaveLength(1)
  })

  it('is limited to ten per user, also for concurrent requests', async () => {
    const client = await site.signedIn('user')
    const send = () => rejection(client, newBrowser().subscription)

    const codes = await Promise.all(Array.from({ length: 13 }, send))

    expect(codes.filter((code) => code === 'push_limit')).toHaveLength(3)
    expect(await devicesOf(client)).toHaveLength(api.MAX_PUSH_DEVICES)
  })

  it.each([
    ['http://push.example/a', {}, 'push_endpoint_invalid'],
    ['https://name:word@push.example/a', {}, 'push_endpoint_invalid'],
    ['not an address', {}, 'push_endpoint_invalid'],
    ['https://push.example/a', { auth: 'c2hvcnQ' }, 'invalid_input'],
    ['https://push.example/a', { p256dh: 'B'.repeat(86) }, 'invalid_input'],
    ['https://push.example/a', { p256dh: `B${'x'.repeat(86)}` }, 'push_keys_invalid'],
  ])('is rejected with the endpoint %s and the keys %o', async (endpoint, keys, code) => {
    const client = await site.signedIn('user')
    const valid = newBrowser().subscription

    expect(await rejection(client, { endpoint, keys: { ...valid.keys, ...keys } })).toBe(code)
    expect(await devicesOf(client)).toEqual([])
  })

  it('needs a known push service while the site hides its address behind a worker', async () => {
    const client = await site.signedIn('user')
    const keys = newBrowser().subscription.keys
    await site.set({ WorkerUrl: 'https://worker.example' })

    expect(await rejection(client, { endpoint: 'https://push.example/a', keys })).toBe('push_endpoint_invalid')
    for (const endpoint of [
      'https://fcm.googleapis.com/fcm/send/a',
      'https://updates.push.services.mozilla.com/wpush/v2/a',
      'https://web.push.apple.com/a',
      'https://wns2-by3p.notify.windows.com/w/?token=a',
    ]) {
      expect(await rejection(client, { endpoint, keys })).toBeUndefined()
    }

    await site.set({ WorkerUrl: '' })
  })
})

describe('a subscription is removed', () => {
  it('by its owner only, by ID or by the hash of its endpoint', async () => {
    const [owner, other] = [await site.signedIn('user'), await site.signedIn('admin')]
    const { id } = await subscribe(owner, newBrowser())
    const { endpoint_hash } = await subscribe(owner, newBrowser())
    type Query = Record<string, string | number>
    const remove = (client: ApiClient, query: Query) => codeOf(client.send(api.unsubscribePush, { query }))
    const known: Query[] = [{ id }, { endpoint_hash }]

    for (const query of [...known, {}]) expect(await remove(other, query)).toBe('push_device_not_found')
    expect(await devicesOf(owner)).toHaveLength(2)
    for (const query of known) expect(await remove(owner, query)).toBeUndefined()

    expect(await devicesOf(owner)).toEqual([])
    expect(await remove(owner, { id })).toBe('push_device_not_found')
  })

  it('when its session logs out or is ended from another one', async () => {
    const here = await site.signedIn('user')
    const login = async () => {
      const client = apiClient(site.url)
      await client.login(here.username, PASSWORD)
      return client
    }
    const [laptop, phone] = [await login(), await login()]
    await subscribe(here, newBrowser())
    await subscribe(laptop, newBrowser())
    await laptop.call(api.logout)
    expect(await devicesOf(here)).toHaveLength(1)

    const known = new Set((await here.call(api.listSessions)).map(({ id }) => id))
    const tablet = await login()
    await subscribe(tablet, newBrowser())
    const ended = (await here.call(api.listSessions)).find(({ id }) => !known.has(id))!
    await here.call(api.endSession, { path: { hash: ended.id } })
    expect(await devicesOf(here)).toHaveLength(1)

    await subscribe(phone, newBrowser())
    await phone.call(api.endAllSessions)
    expect(await pushSubscriptions.listOf(site.db, here.userId!)).toEqual([])
  })

  it('when its account is deregistered', async () => {
    const client = await site.signedIn('user')
    await subscribe(client, newBrowser())

    await client.call(api.deleteSelf)

    expect(await pushSubscriptions.listOf(site.db, client.userId!)).toEqual([])
  })

  it.each([404, 410])('when the push service responds %d, without a report', async (status) => {
    const client = await site.signedIn('user')
    await subscribe(client, newBrowser())
    site.receiver.respond({ status, body: 'https://push.example/secret' })
    await notify(client.userId!)

    await deliver()

    expect(await devicesOf(client)).toEqual([])
    const gone = {
      status: 'failed',
      error: 'subscription_gone',
      attempts: 1,
      response_status: status,
      response_body: '',
    }
    expect(await site.deliveriesOf(client.userId!)).toMatchObject([gone])
    expect(await site.inbox(client.userId!)).toMatchObject([{ title: 'Low' }])
  })
})

describe('a notification', () => {
  it('is sent encrypted and signed to every browser of the user, beside mail', async () => {
    const client = await site.signedIn('user')
    const email = `${client.username}@reef.example`
    await site.db.updateTable('user').set({ email }).where('id', '=', client.userId!).execute()
    const browsers = [newBrowser(), newBrowser()]
    for (const browser of browsers) await subscribe(client, browser)
    await notify(client.userId!)
    const host = new URL(site.receiver.url).host
    expect(await site.deliveriesOf(client.userId!)).toMatchObject([
      { kind: 'push', target: host, status: 'waiting' },
      { kind: 'push', target: host, status: 'waiting' },
      { kind: 'email', target: email, status: 'waiting' },
    ])

    await deliver()

    const { public_key, devices } = await client.call(api.getPush)
    for (const browser of browsers) {
      const [push, ...others] = pushesTo(browser)
      expect(others).toEqual([])
      expect(push!.headers).toMatchObject({
        'content-encoding': 'aes128gcm',
        ttl: '86400',
        urgency: 'high',
        authorization: expect.stringMatching(new RegExp(`^vapid t=[\\w.-]+, k=${public_key}$`)),
      })
      const message = { title: 'Low', body: '5 left', path: '/app/wallet', tag: expect.any(String) }
      expect(browser.read(push!.bytes)).toEqual(message)
    }
    expect(devices.map(({ last_success_at }) => last_success_at)).toEqual([expect.any(String), expect.any(String)])
    const { items } = await client.call(api.listDeliveries)
    expect(items).toMatchObject([{ kind: 'email' }, { kind: 'push', status: 'delivered', response_status: 201 }, {}])
    for (const { subscription } of browsers) {
      expect(JSON.stringify(items)).not.toContain(new URL(subscription.endpoint).pathname)
    }
  })

  it('is pushed to a user without mail address and without webhook', async () => {
    const client = await site.signedIn('user')
    await subscribe(client, newBrowser())

    await notify(client.userId!)

    expect(await site.deliveriesOf(client.userId!)).toMatchObject([{ kind: 'push' }])
  })

  it('is retried when the push service is busy, and can be retried by its owner', async () => {
    const client = await site.signedIn('user')
    const browser = newBrowser()
    await subscribe(client, browser)
    await notify(client.userId!)
    site.receiver.respond({ status: 503 })
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await site.skipWaits()
      await deliver()
    }
    expect(pushesTo(browser)).toHaveLength(4)
    const [failed] = await site.deliveriesOf(client.userId!)
    expect(failed).toMatchObject({ status: 'failed', attempts: 4, error: 'refused', response_status: 503 })
    expect(await site.inbox(client.userId!)).toHaveLength(1)

    site.receiver.respond({ status: 201 })
    const again = await client.call(api.retryDelivery, { path: { id: Number(failed!.id) } })

    expect(again).toMatchObject({ status: 'delivered', attempts: 5 })
    const tags = pushesTo(browser).map(({ bytes }) => (browser.read(bytes) as { tag: string }).tag)
    expect(new Set(tags).size).toBe(1)
  })

  it.each([
    [400, []],
    [401, ['delivery.push_rejected']],
    [403, ['delivery.push_rejected']],
    [413, []],
  ])('is not retried after the status %d, and no log line contains the endpoint', async (status, events) => {
    const client = await site.signedIn('user')
    const browser = newBrowser()
    await subscribe(client, browser)
    site.receiver.respond({ status, body: browser.subscription.endpoint })
    await notify(client.userId!)
    const lines: object[] = []
    const write = (line: object) => void lines.push(line)
    const log = { info: write, warn: write, error: write }

    await deliverDue({ ...site.deps, log }, new AbortController().signal)

    expect(await site.deliveriesOf(client.userId!)).toMatchObject([{ status: 'failed', attempts: 1, error: 'refused' }])
    expect(await devicesOf(client)).toHaveLength(1)
    expect(lines.map((line) => (line as { event?: string }).event)).toEqual(events)
    expect(JSON.stringify(lines)).not.toContain(new URL(browser.subscription.endpoint).pathname)
  })

  it('does not follow redirects of a push service', async () => {
    const client = await site.signedIn('user')
    const [browser, other] = [newBrowser(), newBrowser()]
    await subscribe(client, browser)
    site.receiver.respond({ status: 307, headers: { location: other.subscription.endpoint } })
    await notify(client.userId!)

    await deliver()

    expect(await site.deliveriesOf(client.userId!)).toMatchObject([{ error: 'redirected', response_status: 307 }])
    expect(pushesTo(other)).toEqual([])
  })
})

describe('a private address', () => {
  it.each([
    'https://127.0.0.1/push',
    'https://localhost/push',
    'https://10.0.0.1/push',
    'https://169.254.169.254/latest/meta-data',
    'https://[::ffff:127.0.0.1]/push',
    'https://push.example:8443/push',
  ])('cannot be subscribed outside tests: %s', (endpoint) => {
    const deps = { ...site.deps, site: { ...site.deps.site, allowPrivateFetches: false } }

    expect(() => checkPushEndpoint(deps, endpoint)).toThrow(expect.objectContaining({ code: 'push_endpoint_invalid' }))
  })

  it('is rejected again when connecting, because names can resolve differently', async () => {
    const client = await site.signedIn('user')
    const browser = newBrowser()
    await subscribe(client, browser)
    const guarded = createUpstreamClient({ allowPrivateAddresses: false })
    onTestFinished(() => guarded.close())
    await notify(client.userId!)

    await deliverDue({ ...site.deps, webhookClient: guarded }, new AbortController().signal)

    expect(await site.deliveriesOf(client.userId!)).toMatchObject([{ error: 'private_address', response_status: null }])
    expect(pushesTo(browser)).toEqual([])
  })
})

describe('a test notification', () => {
  const test = (client: ApiClient, id: number) => client.send(api.testPush, { body: { id } })

  it('is sent to one browser of the owner, in the language of the console', async () => {
    const [owner, other] = [await site.signedIn('user'), await site.signedIn('admin')]
    const [browser, second] = [newBrowser(), newBrowser()]
    const { id } = await subscribe(owner, browser)
    await subscribe(owner, second)

    expect(await codeOf(test(other, id))).toBe('push_device_not_found')
    const headers = { 'accept-language': 'en' }
    const { envelope } = await owner.send(api.testPush, { body: { id }, headers })

    expect(envelope).toMatchObject({ data: { kind: 'push', type: 'test', status: 'delivered' } })
    expect(pushesTo(second)).toEqual([])
    expect(pushesTo(browser).map(({ bytes }) => browser.read(bytes))).toMatchObject([{ title: 'Test notification' }])
  })

  it('shares the limit of five per minute with other tests', async () => {
    const client = await site.signedIn('user')
    const { id } = await subscribe(client, newBrowser())

    const codes = await Promise.all(Array.from({ length: 7 }, () => codeOf(test(client, id))))

    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(2)
  })
})

describe('the key pair of the site', () => {
  it('is created once by concurrent nodes, and kept', async () => {
    await site.db.deleteFrom('push_key').execute()

    const keys = await Promise.all(Array.from({ length: 5 }, () => pushKey(site.deps)))

    expect(new Set(keys.map(({ public_key }) => public_key)).size).toBe(1)
    expect(await pushKey(site.deps)).toEqual(keys[0])
  })

  it('does not open with another root key', async () => {
    const { public_key, sealed_private_key } = await pushKey(site.deps)
    const other = openVault(randomBytes(32))

    expect(() => other.open('push-key', public_key, sealed_private_key)).toThrow('does not open')
  })

  it.each([
    [{ ServerAddress: 'https://gate.example/' }, 'https://gate.example'],
    [{ ServerAddress: 'http://10.0.0.1:3000' }, 'mailto:gate@example.com'],
  ])('signs for one push service and names a contact: %o', async (options, sub) => {
    await site.set(options)
    const header = await vapidAuthorization(site.deps, new URL('https://push.example/secret'))

    const [, token, key] = /^vapid t=(\S+), k=(\S+)$/.exec(header)!
    const point = Buffer.from(key!, 'base64url')
    const [x = '', y = ''] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
    const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
    const { payload, protectedHeader } = await jwtVerify(token!, publicKey)
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'JWT' })
    expect(payload).toEqual({ aud: 'https://push.example', exp: expect.any(Number), sub })
    expect(payload.exp! - Date.now() / 1000).toBeLessThan(24 * 3600)
    await site.set({ ServerAddress: 'https://gate.example' })
  })
})
