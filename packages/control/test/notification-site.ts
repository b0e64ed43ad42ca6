import { randomBytes } from 'node:crypto'
import { createUpstreamClient } from '@tidegate/providers'
import { startWebhookReceiver, type WebhookReceiver } from '@tidegate/testing'
import { startRegistrationSite, type RegistrationSite } from './registration-site.ts'

export interface NotificationSite extends RegistrationSite {
  readonly receiver: WebhookReceiver
  /** Adds a user; `email` is the account's address. */
  addUser(fields?: { quota?: number; email?: string; setting?: Record<string, unknown> }): Promise<number>
  /** Inbox of a user, oldest first. */
  inbox(userId: number): Promise<{ title: string; content: string }[]>
  deliveriesOf(userId: number): Promise<Record<string, unknown>[]>
  /** Makes all waiting deliveries due. */
  skipWaits(): Promise<void>
}

/** A site with a mail server and a local webhook receiver. */
export async function startNotificationSite(): Promise<NotificationSite> {
  const receiver = await startWebhookReceiver()
  const client = createUpstreamClient({ allowPrivateAddresses: true })
  const site = await startRegistrationSite({
    webhookClient: client,
    upstream: client,
    site: { allowPrivateFetches: true },
  })
  const { db } = site
  return {
    ...site,
    receiver,
    async addUser({ quota = 0, email = '', setting = {} } = {}) {
      const name = `u${randomBytes(5).toString('hex')}`
      const { id } = await db
        .insertInto('user')
        .values({ username: name, display_name: name, aff_code: name, quota, email, setting: JSON.stringify(setting) })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },
    inbox: (userId) =>
      db
        .selectFrom('message')
        .innerJoin('message_recipient', 'message_recipient.message_id', 'message.id')
        .select(['title', 'content'])
        .where('user_id', '=', userId)
        .orderBy('message.id')
        .execute(),
    deliveriesOf: (userId) =>
      db.selectFrom('delivery').selectAll().where('user_id', '=', userId).orderBy('id').execute(),
    async skipWaits() {
      const past = new Date(Date.now() - 1_000)
      await db.updateTable('delivery').set({ next_attempt_at: past }).where('status', '=', 'waiting').execute()
    },
    async close() {
      await site.close()
      await client.close()
      await receiver.close()
    },
  }
}
