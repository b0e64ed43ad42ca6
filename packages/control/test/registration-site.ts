import { api, type OptionKey } from '@tidegate/contract'
import { startMailbox, type Mailbox, type ReceivedMail } from '@tidegate/testing'
import { deliverDue } from '../src/messaging/outbox/deliver.ts'
import { startTestSite, type TestSite } from './start-site.ts'

export interface RegistrationSite extends TestSite {
  readonly mailbox: Mailbox
  readonly root: Awaited<ReturnType<TestSite['signedIn']>>
  /** Delivers the outbox as a worker does, and returns the mail to this address with this text in its subject. */
  outboxMail(to: string, subject: string): Promise<ReceivedMail>
  /** Changes options as super admin, unless they have the value already. */
  set(options: Partial<Record<OptionKey, string>>): Promise<void>
  /** Sends a request from a new client address, so rate limits do not interfere. */
  request(
    method: 'GET' | 'POST',
    url: string,
    payload?: object,
    headers?: Record<string, string>,
  ): Promise<TestResponse>
}

export interface TestResponse {
  status: number
  body: string
  json: { success: boolean; message: string; code?: string; data?: unknown }
  headers: Readonly<Record<string, unknown>>
}

/** A site with a mail server and a super admin who can change its options. */
export async function startRegistrationSite(
  overrides: Parameters<typeof startTestSite>[0] = {},
): Promise<RegistrationSite> {
  const site = await startTestSite(overrides)
  const mailbox = await startMailbox()
  await site.initialise()
  const root = await site.signedIn('root')
  let callers = 0

  const set: RegistrationSite['set'] = async (options) => {
    const rows = await site.db.selectFrom('option').select(['key', 'value']).execute()
    const stored = new Map(rows.map(({ key, value }) => [key, value]))
    for (const [key, value] of Object.entries(options)) {
      if (stored.get(key) !== value) await root.call(api.updateOption, { body: { key, value } })
    }
  }
  await set({
    ServerAddress: 'https://gate.example',
    SMTPServer: '127.0.0.1',
    SMTPPort: String(mailbox.port),
    SMTPFrom: 'gate@example.com',
    SystemName: 'Harbour <1>',
  })

  return {
    ...site,
    mailbox,
    root,
    set,
    async outboxMail(to, subject) {
      await deliverDue(site.deps, new AbortController().signal)
      const mail = mailbox.mails.find((sent) => sent.to.includes(to) && sent.subject.includes(subject))
      if (!mail) throw new Error(`no mail to ${to} about ${subject}`)
      return mail
    },
    async request(method, url, payload, headers = {}) {
      callers += 1
      const remoteAddress = `10.${callers >> 16}.${(callers >> 8) & 255}.${callers & 255}`
      const response = await site.app.inject({ method, url, payload, headers, remoteAddress })
      return { status: response.statusCode, body: response.body, json: response.json(), headers: response.headers }
    },
    async close() {
      await site.close()
      await mailbox.close()
    },
  }
}
