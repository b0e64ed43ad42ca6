import { deliveries } from '@tidegate/storage'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deliverDue } from './deliver.ts'
import type { LocalizedNotification } from '../notifications/notification.ts'
import { notifyUser } from './enqueue.ts'
import { startNotificationSite, type NotificationSite } from '../../../test/notification-site.ts'

let site: NotificationSite
beforeAll(async () => {
  site = await startNotificationSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  site.receiver.respond({})
  await site.set({ SMTPServer: '127.0.0.1' })
  await site.db.deleteFrom('delivery').execute()
})

const both = (text: string) => ({ zh: text, en: text })
const NOTIFICATION: LocalizedNotification = {
  type: 'quota_exceed',
  title: both('Low <b>'),
  content: both('{{value}}\n\n[{{value}}]({{value}})'),
  values: ['<i>5 left</i>', 'https://gate.example/w', 'https://gate.example/w'],
}
const GO_ON = new AbortController().signal

async function notify(userId: number): Promise<void> {
  const user = await site.db.selectFrom('user').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
  await site.db.transaction().execute((transaction) => notifyUser(transaction, user, NOTIFICATION))
}

const deliver = () => deliverDue(site.deps, GO_ON)
async function deliverToTheEnd(): Promise<void> {
  for (let attempt = 0; attempt < 4; attempt += 1) {
    await site.skipWaits()
    await deliver()
  }
}

let hooks = 0
const newHook = () => `${site.receiver.url}/hook-${(hooks += 1)}`
const calls = (url: string) => site.receiver.received.filter(({ path }) => url.endsWith(path))
const withHook = (webhook_url: string) => site.addUser({ setting: { notify_type: 'webhook', webhook_url } })
const titles = async (userId: number) => (await site.inbox(userId)).map(({ title }) => title)

describe('a mail notification', () => {
  it('is sent as text and HTML with escaped values', async () => {
    const id = await site.addUser({ email: 'account@reef.example', setting: { notification_email: 'n@reef.example' } })
    await notify(id)

    await deliver()

    const { subject, text, html } = await site.mailbox.mailTo('n@reef.example')
    expect(subject).toBe('Low <b>')
    expect(text.split(/(?:\r?\n)+/)).toEqual(expect.arrayContaining(['<i>5 left</i>', 'https://gate.example/w']))
    expect(html).toContain('&#60;i&#62;5 left&#60;/i&#62;')
    expect(html).toContain('<a href="https://gate.example/w">')
    expect(await site.deliveriesOf(id)).toMatchObject([
      { status: 'delivered', attempts: 1, error: '', target: 'n@reef.example', next_attempt_at: null },
    ])
  })

  it('is not created without an address; the inbox has it', async () => {
    const id = await site.addUser()

    await notify(id)

    expect(await site.deliveriesOf(id)).toEqual([])
    expect(await titles(id)).toEqual(['Low <b>'])
  })

  it('fails without a mail server', async () => {
    await site.set({ SMTPServer: '' })
    const id = await site.addUser({ email: 'nomail@reef.example' })
    await notify(id)

    await deliver()

    expect(await site.deliveriesOf(id)).toMatchObject([{ status: 'failed', attempts: 1, error: 'mail_not_configured' }])
    expect(await titles(id)).toEqual(['Low <b>'])
  })
})

describe('a webhook notification', () => {
  it('is sent once with any number of workers', async () => {
    const url = newHook()
    const ids = await Promise.all(Array.from({ length: 30 }, () => withHook(url)))
    for (const id of ids) await notify(id)

    await Promise.all([deliver(), deliver(), deliver()])

    expect(calls(url)).toHaveLength(30)
    expect(new Set(calls(url).map(({ headers }) => headers['x-webhook-id'])).size).toBe(30)
  })

  it('is tried four times with growing delays and one id; then it is reported to its owner', async () => {
    const url = newHook()
    const id = await withHook(url)
    site.receiver.respond({ status: 503, body: 'later' })
    await notify(id)

    const waits: number[] = []
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await site.skipWaits()
      await deliver()
      const [row] = await site.deliveriesOf(id)
      const next = row!.next_attempt_at as Date | null
      if (next) waits.push(Math.round((next.getTime() - (row!.last_attempt_at as Date).getTime()) / 1000))
    }
    await site.skipWaits()
    await deliver()

    expect(waits).toEqual([10, 60, 300])
    expect(calls(url)).toHaveLength(4)
    expect(new Set(calls(url).map(({ headers }) => headers['x-webhook-id'])).size).toBe(1)
    expect(new Set(calls(url).map(({ body }) => body)).size).toBe(1)
    expect(await site.deliveriesOf(id)).toMatchObject([
      { status: 'failed', attempts: 4, error: 'refused', response_status: 503, response_body: 'later' },
    ])
    expect(await site.inbox(id)).toMatchObject([
      { title: 'Low <b>' },
      { title: '一条通知未能送达', content: expect.stringContaining('HTTP 503') },
    ])
    expect((await site.inbox(id))[1]!.content).not.toContain(new URL(url).pathname)
  })

  it('is not reported if it succeeds at the second attempt', async () => {
    const id = await withHook(newHook())
    site.receiver.respond({ status: 500 })
    await notify(id)
    await deliver()

    site.receiver.respond({})
    await site.skipWaits()
    await deliver()

    expect(await site.deliveriesOf(id)).toMatchObject([{ status: 'delivered', attempts: 2, error: '' }])
    expect(await titles(id)).toEqual(['Low <b>'])
  })

  it('is taken over from a dead process', async () => {
    const url = newHook()
    const id = await withHook(url)
    await notify(id)
    await deliveries.claimDue(site.db, 10) // the process died

    await deliver()
    expect(calls(url)).toHaveLength(0)
    await site.skipWaits()
    await deliver()

    expect(calls(url)).toHaveLength(1)
    expect(await site.deliveriesOf(id)).toMatchObject([{ status: 'delivered', attempts: 2 }])
  })

  it('uses the current address; the new secret goes nowhere else', async () => {
    const [old, corrected] = [newHook(), newHook()]
    const id = await withHook(old)
    site.receiver.respond({ status: 500 })
    await notify(id)
    await deliver()
    const webhook_secret = site.deps.vault.seal('webhook-secret', String(id), 'fresh')
    const setting = JSON.stringify({ notify_type: 'webhook', webhook_url: corrected, webhook_secret })
    await site.db.updateTable('user').set({ setting }).where('id', '=', id).execute()

    site.receiver.respond({})
    await site.skipWaits()
    await deliver()

    expect(calls(old)).toHaveLength(1)
    expect(calls(corrected)).toMatchObject([{ headers: { authorization: 'Bearer fresh' } }])
    expect(await site.deliveriesOf(id)).toMatchObject([{ status: 'delivered', target: corrected }])
  })

  it('is not sent for a deleted account', async () => {
    const url = newHook()
    const id = await withHook(url)
    await notify(id)
    await site.db.updateTable('user').set({ deleted_at: new Date() }).where('id', '=', id).execute()

    await deliver()

    expect(calls(url)).toEqual([])
    expect(await site.deliveriesOf(id)).toMatchObject([{ status: 'failed', error: 'account_gone' }])
  })

  it('is given up after internal errors, such as a secret that cannot be opened', async () => {
    const url = newHook()
    const id = await site.addUser({ setting: { notify_type: 'webhook', webhook_url: url, webhook_secret: 'unsealed' } })
    await notify(id)

    await deliverToTheEnd()

    expect(calls(url)).toEqual([])
    expect(await site.deliveriesOf(id)).toMatchObject([{ status: 'failed', attempts: 4, error: 'interrupted' }])
  })

  it('is given up at once after a permanent error', async () => {
    const id = await withHook('http://hooks.example/in')
    await notify(id)

    await deliver()

    expect(await site.deliveriesOf(id)).toMatchObject([{ status: 'failed', attempts: 1, error: 'address_invalid' }])
  })
})

describe('a failing webhook', () => {
  it('is paused after the third failure, reported, and resumed by a success', async () => {
    const url = newHook()
    const id = await withHook(url)
    site.receiver.respond({ status: 410 })
    for (let sent = 0; sent < 3; sent += 1) {
      await notify(id)
      await deliverToTheEnd()
    }
    expect((await titles(id)).at(-1)).toBe('Webhook 通知已暂停')
    const before = calls(url).length

    await notify(id)
    await deliver()
    expect(calls(url)).toHaveLength(before)
    expect((await titles(id)).at(-1)).toBe('Low <b>')

    const [first] = await site.deliveriesOf(id)
    const result = { status: 'delivered', target: url, response_status: 200, response_body: '', error: '' } as const
    const again = (await deliveries.claimFailed(site.db, id, Number(first!.id)))!
    await deliveries.finish(site.db, again, result)
    site.receiver.respond({})
    await notify(id)
    await deliver()
    expect(calls(url)).toHaveLength(before + 1)
  })
})
