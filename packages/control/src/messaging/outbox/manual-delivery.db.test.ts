import { api, type BodyInput } from '@tidegate/contract'
import type { ApiClient } from '@tidegate/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestSite } from '../../../test/start-site.ts'
import { startNotificationSite, type NotificationSite } from '../../../test/notification-site.ts'

let site: NotificationSite
beforeAll(async () => {
  site = await startNotificationSite()
})
beforeEach(() => site.receiver.respond({}))
afterAll(() => site.close())

const EN = { headers: { 'accept-language': 'en' } }
let hooks = 0
const newHook = () => `${site.receiver.url}/hook-${(hooks += 1)}`
const calls = (url: string) => site.receiver.received.filter(({ path }) => url.endsWith(path))
const codeOf = async (result: Promise<{ envelope: object }>) => ((await result).envelope as { code?: string }).code
const test = (client: ApiClient, body: BodyInput<typeof api.testNotice>) => client.call(api.testNotice, { body })

describe('a webhook test', () => {
  it('uses the unsaved form and returns the response', async () => {
    const client = await site.signedIn('user')
    const url = newHook()
    site.receiver.respond({ status: 201, body: 'got it' })

    const delivery = await test(client, { notify_type: 'webhook', webhook_url: url, webhook_secret: 'draft' })

    expect(delivery).toMatchObject({
      kind: 'webhook',
      type: 'test',
      target: url,
      status: 'delivered',
      attempts: 1,
      response_status: 201,
      response_body: 'got it',
      error: '',
      next_attempt_at: null,
    })
    expect(calls(url)).toMatchObject([
      { headers: { 'x-webhook-id': String(delivery.id), 'x-webhook-signature': expect.any(String) } },
    ])
    expect(JSON.stringify(calls(url))).not.toContain('draft')
    const rows = JSON.stringify(await site.deliveriesOf(client.userId!))
    expect(rows).not.toContain('draft')
  })

  it('uses stored values for blank fields', async () => {
    const client = await site.signedIn('user')
    const url = newHook()
    const saved = { notify_type: 'webhook', webhook_url: url, webhook_secret: 'stored', webhook_bearer: true }
    await client.call(api.updateSetting, { body: saved })

    await test(client, { notify_type: 'webhook' })

    expect(calls(url)).toMatchObject([{ headers: { authorization: 'Bearer stored' } }])
  })

  it('sends a new secret as a bearer token only if chosen', async () => {
    const client = await site.signedIn('user')
    const url = newHook()
    const save = (body: BodyInput<typeof api.updateSetting>) => client.call(api.updateSetting, { body })
    await save({ notify_type: 'webhook', webhook_url: url, webhook_secret: 'first' })

    await test(client, { notify_type: 'webhook' })
    await test(client, { notify_type: 'webhook', webhook_bearer: true })
    await save({ webhook_bearer: true })
    await save({ webhook_secret: 'second' }) // the choice is stored
    await test(client, { notify_type: 'webhook' })
    await save({ webhook_secret: null })
    await save({ webhook_secret: 'third' })
    await test(client, { notify_type: 'webhook' })

    const sent = calls(url).map(({ headers }) => headers.authorization)
    expect(sent).toEqual([undefined, 'Bearer first', 'Bearer second', undefined])
  })

  it('still sends an older secret as a bearer token', async () => {
    const client = await site.signedIn('user')
    const url = newHook()
    const webhook_secret = site.deps.vault.seal('webhook-secret', String(client.userId), 'old')
    const setting = JSON.stringify({ webhook_url: url, webhook_secret, webhook_secret_set: true })
    await site.db.updateTable('user').set({ setting }).where('id', '=', client.userId!).execute()

    await test(client, { notify_type: 'webhook' })
    await client.call(api.updateSetting, { body: { webhook_secret: 'renewed' } })
    await test(client, { notify_type: 'webhook' })

    expect(calls(url).map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer renewed'])
  })

  it('never sends the stored secret to another address', async () => {
    const client = await site.signedIn('user')
    const elsewhere = newHook()
    const saved = { notify_type: 'webhook', webhook_url: newHook(), webhook_secret: 'stored' }
    await client.call(api.updateSetting, { body: saved })

    await test(client, { notify_type: 'webhook', webhook_url: elsewhere })

    expect(calls(elsewhere)).toHaveLength(1)
    expect(calls(elsewhere)[0]!.headers).not.toHaveProperty('authorization')
    expect(JSON.stringify(calls(elsewhere))).not.toContain('signature')
  })

  it('returns the reason of a failure in the language of the caller, without retry or alert', async () => {
    const client = await site.signedIn('user')
    site.receiver.respond({ status: 404, body: 'no such hook' })
    const body = { notify_type: 'webhook', webhook_url: newHook() } as const

    const delivery = await test(client, body)
    const { envelope } = await client.send(api.listDeliveries, EN)

    expect(delivery).toMatchObject({ status: 'failed', error: '对方返回 HTTP 404', response_body: 'no such hook' })
    expect(envelope).toMatchObject({ data: { total: 1, items: [{ error: 'The response was HTTP 404.' }] } })
    expect(await site.inbox(client.userId!)).toEqual([])
  })

  it.each([
    [{ notify_type: 'webhook' }, 'webhook_required'],
    [{ notify_type: 'webhook', webhook_url: 'http://hooks.example/' }, 'webhook_invalid'],
    [{ notify_type: 'webhook', webhook_url: 'https://h.example/', webhook_secret: 'a b' }, 'webhook_secret_invalid'],
    [{ notify_type: 'email' }, 'email_missing'],
    [{ notify_type: 'sms' }, 'invalid_input'],
  ] as const)('is rejected with %o', async (body, code) => {
    const client = await site.signedIn('user')

    expect(await codeOf(client.send(api.testNotice, { body: body as never }))).toBe(code)
    expect(await site.deliveriesOf(client.userId!)).toEqual([])
  })

  it('is limited to five per minute', async () => {
    const client = await site.signedIn('user')
    const body = { notify_type: 'webhook', webhook_url: newHook() } as const

    const codes = await Promise.all(Array.from({ length: 8 }, () => codeOf(client.send(api.testNotice, { body }))))

    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(3)
    expect(calls(body.webhook_url)).toHaveLength(5)
  })

  it('rejects private addresses outside tests', async () => {
    const ordinary = await startTestSite()
    await ordinary.initialise()
    const client = await ordinary.signedIn('user')
    const body = { notify_type: 'webhook', webhook_url: newHook() } as const

    expect(await codeOf(client.send(api.testNotice, { body }))).toBe('webhook_invalid')
    expect(calls(body.webhook_url)).toEqual([])
    await ordinary.close()
  })
})

describe('a mail test', () => {
  it('uses the language of the console', async () => {
    const client = await site.signedIn('user')
    const email = 'trial@reef.example'
    await site.db.updateTable('user').set({ email }).where('id', '=', client.userId!).execute()

    await client.send(api.testNotice, { body: { notify_type: 'email' }, ...EN })

    expect(await site.mailbox.mailTo(email)).toMatchObject({ subject: 'Test notification' })
    expect(await client.call(api.listDeliveries)).toMatchObject({
      items: [{ kind: 'email', status: 'delivered', target: email, response_status: null }],
    })
  })

  it('is rejected without a mail server', async () => {
    const client = await site.signedIn('user')
    await site.db.updateTable('user').set({ email: 'x@reef.example' }).where('id', '=', client.userId!).execute()
    await site.set({ SMTPServer: '' })

    expect(await codeOf(client.send(api.testNotice, { body: { notify_type: 'email' } }))).toBe('mail_not_configured')

    await site.set({ SMTPServer: '127.0.0.1' })
  })
})

describe('a failed delivery', () => {
  async function createFailedDelivery() {
    const client = await site.signedIn('user')
    const url = newHook()
    site.receiver.respond({ status: 500 })
    const { id } = await test(client, { notify_type: 'webhook', webhook_url: url })
    site.receiver.respond({})
    return { client, url, id }
  }
  const retry = (client: ApiClient, id: number) => client.send(api.retryDelivery, { path: { id } })

  it('can be retried, once for concurrent requests', async () => {
    const { client, url, id } = await createFailedDelivery()

    const responses = await Promise.all([1, 2, 3].map(() => retry(client, id)))

    expect(calls(url)).toHaveLength(2)
    const codes = responses.map(({ envelope }) => ('code' in envelope ? envelope.code : undefined))
    expect(codes.filter((code) => code === 'delivery_not_failed')).toHaveLength(2)
    expect(responses.map(({ envelope }) => envelope).find(({ success }) => success)).toMatchObject({
      data: { id, status: 'delivered', attempts: 2, error: '' },
    })
  })

  it('stays failed without retries when it fails again', async () => {
    const { client, id } = await createFailedDelivery()
    site.receiver.respond({ status: 502 })

    const { envelope } = await retry(client, id)

    const data = { status: 'failed', attempts: 2, response_status: 502, next_attempt_at: null }
    expect(envelope).toMatchObject({ data })
  })

  it('is visible to its user only', async () => {
    const { id } = await createFailedDelivery()
    const otherUser = await site.signedIn('admin')

    expect(await codeOf(retry(otherUser, id))).toBe('delivery_not_found')
    expect(await otherUser.call(api.listDeliveries)).toMatchObject({ total: 0, items: [] })
  })
})

it('lists deliveries in pages, newest first', async () => {
  const client = await site.signedIn('user')
  for (let trial = 0; trial < 3; trial += 1) {
    await test(client, { notify_type: 'webhook', webhook_url: newHook() })
  }

  const first = await client.call(api.listDeliveries, { query: { p: 1, page_size: 2 } })
  const second = await client.call(api.listDeliveries, { query: { p: 2, page_size: 2 } })

  expect([first.total, first.items.length, second.items.length]).toEqual([3, 2, 1])
  const ids = [...first.items, ...second.items].map(({ id }) => id)
  expect(ids).toEqual(ids.toSorted((a, b) => b - a))
})
