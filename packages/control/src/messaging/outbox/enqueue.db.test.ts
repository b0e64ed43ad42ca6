import { api } from '@tidegate/contract'
import { startMailbox } from '@tidegate/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startNotificationSite, type NotificationSite } from '../../../test/notification-site.ts'
import { plainParagraphs } from '../notifications/notification.ts'
import { deliverDue } from './deliver.ts'
import { enqueueMail } from './enqueue.ts'

let site: NotificationSite
beforeAll(async () => {
  site = await startNotificationSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.set({ SMTPServer: '127.0.0.1', SMTPPort: String(site.mailbox.port) })
  await site.db.deleteFrom('delivery').execute()
})

const deliver = () => deliverDue(site.deps, new AbortController().signal)
const NOTIFICATION = { type: 'security_test', title: 'Key changed', ...plainParagraphs(['{{value}} <b>', 'Call us.']) }

async function owner(setting: Record<string, unknown> = {}) {
  const client = await site.signedIn('user')
  const email = `${client.username}@reef.example`
  await site.db
    .updateTable('user')
    .set({ email, setting: JSON.stringify(setting) })
    .where('id', '=', client.userId!)
    .execute()
  return { client, email, userId: client.userId! }
}

const enqueue = (recipient: { userId: number; to: string }) =>
  enqueueMail(site.deps, site.db, { ...recipient, language: 'en' }, NOTIFICATION)
const mailsTo = (address: string) => site.mailbox.mails.filter(({ to }) => to.includes(address))

describe('a mail about an account', () => {
  it('is stored with the change, so it survives the process that made the change', async () => {
    const { client, email, userId } = await owner()

    await client.call(api.updateSelf, { body: { password: 'ebb-and-flow' } })

    expect(mailsTo(email)).toEqual([])
    expect(await site.deliveriesOf(userId)).toMatchObject([
      { kind: 'email', type: 'security_password_changed', target: email, status: 'waiting', attempts: 0 },
    ])
    await deliver() // another process
    expect(mailsTo(email)).toHaveLength(1)
  })

  it('is not sent when the change fails', async () => {
    const { userId, email } = await owner()

    const change = site.db.transaction().execute(async (transaction) => {
      await enqueueMail(site.deps, transaction, { userId, to: email, language: 'en' }, NOTIFICATION)
      throw new Error('rolled back')
    })

    await expect(change).rejects.toThrow('rolled back')
    expect(await site.deliveriesOf(userId)).toEqual([])
  })

  it('goes to its own address, not to that of notifications', async () => {
    const { userId, email } = await owner({ notify_type: 'webhook', notification_email: 'other@reef.example' })
    await enqueue({ userId, to: email })

    await deliver()

    expect(mailsTo('other@reef.example')).toEqual([])
    const [mail] = mailsTo(email)
    expect(mail!.subject).toBe('Key changed')
    expect(mail!.text).toContain('{{value}} <b>')
    expect(mail!.html).toContain('lang="en"')
  })

  it('is retried after a temporary error and listed in the delivery log', async () => {
    const busy = await startMailbox({ rejections: [451] })
    await site.set({ SMTPPort: String(busy.port) })
    const { client, userId, email } = await owner()
    await enqueue({ userId, to: email })

    await deliver()
    expect(await client.call(api.listDeliveries)).toMatchObject({
      items: [{ type: 'security_test', status: 'waiting', attempts: 1, error: '邮件服务器未能接收邮件' }],
    })
    await site.skipWaits()
    await deliver()

    expect(busy.mails).toHaveLength(1)
    expect(await site.deliveriesOf(userId)).toMatchObject([{ status: 'delivered', attempts: 2 }])
    await busy.close()
  })

  it('is logged and reported in the inbox if it is rejected for good', async () => {
    const strict = await startMailbox({ rejections: [554] })
    await site.set({ SMTPPort: String(strict.port) })
    const { userId, email } = await owner()
    await enqueue({ userId, to: email })

    await deliver()

    expect(await site.deliveriesOf(userId)).toMatchObject([{ status: 'failed', attempts: 1, error: 'mail_refused' }])
    expect(site.problems).toContainEqual(
      expect.objectContaining({ event: 'delivery.mail_failed', userId, subject: 'Key changed', tries: 1 }),
    )
    expect(await site.inbox(userId)).toMatchObject([{ title: '一条通知未能送达' }])
    await strict.close()
  })

  it.each([
    ['the account has no address', '', '127.0.0.1'],
    ['no mail server is configured', 'x@reef.example', ''],
  ])('is not queued when %s', async (_, to, SMTPServer) => {
    const { userId } = await owner()
    await site.set({ SMTPServer })

    await enqueue({ userId, to })

    expect(await site.deliveriesOf(userId)).toEqual([])
  })
})
