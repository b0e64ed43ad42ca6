import { createHmac } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api, type OptionKey } from '@tidegate/contract'
import {
  addChannel,
  addToken,
  apiClient,
  type ApiClient,
  fakeUpstream,
  type FakeUpstream,
  type WebhookReceiver,
  type Mailbox,
  type RunningServer,
  setUpSite,
  startWebhookReceiver,
  startMailbox,
  startServer,
  throwAwayDatabase,
  type ThrowAwayDatabase,
} from '@tidegate/testing'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, it } from 'vitest'

const PASSWORD = 'spring-tide-42'
/** The cost of a request: 0.1 of a unit. */
const COST = 50_000
const THRESHOLD = 500_000
/** A batch, a balance check and a delivery follow a request. Each takes seconds on a busy machine. */
const NOTIFIED = { timeout: 30_000, interval: 100 }
const SLOW = { timeout: 180_000 }

let directory: string
let server: RunningServer
let database: ThrowAwayDatabase
let upstream: FakeUpstream
let mailbox: Mailbox
let receiver: WebhookReceiver
let root: ApiClient

beforeAll(async () => {
  ;[database, upstream, mailbox, receiver] = await Promise.all([
    throwAwayDatabase({ poolSize: 1 }),
    fakeUpstream(),
    startMailbox(),
    startWebhookReceiver(),
  ])
  directory = await mkdtemp(join(tmpdir(), 'tidegate-certificate-'))
  const trusted = join(directory, 'receiver.pem')
  await writeFile(trusted, receiver.certificate)
  server = await startServer({
    env: { DATABASE_URL: database.url, TIDEGATE_ALLOW_PRIVATE_FETCHES: 'true', NODE_EXTRA_CA_CERTS: trusted },
  })
  root = apiClient(server.url)
  await setUpSite(root)
  await addChannel(root, upstream)
  const options: Partial<Record<OptionKey, string>> = {
    ModelPrice: JSON.stringify({ 'gpt-4o-mini': COST / 500_000 }),
    ServerAddress: 'https://gate.example',
    SMTPServer: '127.0.0.1',
    SMTPPort: String(mailbox.port),
    SMTPFrom: 'gate@example.com',
  }
  for (const [key, value] of Object.entries(options)) await root.call(api.updateOption, { body: { key, value } })
})
afterAll(async () => {
  await server?.stop()
  await Promise.all([database?.close(), upstream?.close(), mailbox?.close(), receiver?.close()])
  await rm(directory, { recursive: true, force: true })
})

interface Spender {
  id: number
  client: ApiClient
  spend(requests: number): Promise<void>
}

async function addSpender(username: string, quota: number): Promise<Spender> {
  await root.call(api.createUser, { body: { username, display_name: username, password: PASSWORD } })
  const client = apiClient(server.url)
  const { id } = await client.login(username, PASSWORD)
  await setBalance(id, username, quota)
  const { secret } = await addToken(client)
  const openai = new OpenAI({ apiKey: secret, baseURL: `${server.url}/v1`, maxRetries: 0 })
  const question = { model: 'gpt-4o-mini', messages: [{ role: 'user' as const, content: 'High water?' }] }
  return {
    id,
    client,
    async spend(requests) {
      await Promise.all(Array.from({ length: requests }, () => openai.chat.completions.create(question)))
    },
  }
}

const setBalance = (id: number, username: string, quota: number) =>
  root.call(api.updateUser, { body: { id, username, display_name: username, group: 'default', quota } })

async function inbox({ id }: Spender): Promise<string[]> {
  const rows = await database.db
    .selectFrom('message')
    .innerJoin('message_recipient', 'message_recipient.message_id', 'message.id')
    .select('title')
    .where('user_id', '=', id)
    .execute()
  return rows.map(({ title }) => title)
}

const LOW = '余额不足提醒'
const mailsTo = (address: string) => mailbox.mails.filter(({ to }) => to.includes(address))

/** This user is checked after all users created before: once it is warned, the others have been checked. */
let sentinels = 0
async function waitForQuotaCheck(): Promise<void> {
  const sentinel = await addSpender(`sentinel${(sentinels += 1)}`, THRESHOLD)
  await sentinel.spend(1)
  await expect.poll(() => inbox(sentinel), NOTIFIED).toEqual([LOW])
}

it('warns once when requests bring a balance below the threshold, and again after it was above', SLOW, async () => {
  const start = THRESHOLD + COST * 1.2
  const [mailed, hooked] = [await addSpender('mailed', start), await addSpender('hooked', start)]
  const email = 'mailed@reef.example'
  await database.db.updateTable('user').set({ email }).where('id', '=', mailed.id).execute()
  const hook = { notify_type: 'webhook', webhook_url: `${receiver.url}/low`, webhook_secret: 'hook-secret' }
  await hooked.client.call(api.updateSetting, { body: hook })

  await Promise.all([mailed.spend(1), hooked.spend(1)]) // still above
  await waitForQuotaCheck()
  expect([await inbox(mailed), await inbox(hooked)]).toEqual([[], []])

  await Promise.all([mailed.spend(3), hooked.spend(3)]) // concurrently, and the first of them crosses the threshold
  await expect.poll(() => mailsTo(email).length, NOTIFIED).toBe(1)
  await expect.poll(() => receiver.received.length, NOTIFIED).toBe(1)
  expect([await inbox(mailed), await inbox(hooked)]).toEqual([[LOW], [LOW]])
  const { body, headers } = receiver.received[0]!
  const link = 'https://gate.example/app/wallet'
  expect(JSON.parse(body)).toMatchObject({
    type: 'quota_exceed',
    title: LOW,
    content: expect.stringContaining('{{value}}'),
    values: [expect.any(String), expect.stringMatching(/^\$0\.\d\d$/), link, link],
  })
  expect(headers['x-webhook-signature']).toBe(createHmac('sha256', 'hook-secret').update(body).digest('hex'))
  expect(headers.authorization).toBeUndefined()
  expect(mailsTo(email)[0]).toMatchObject({ subject: LOW, text: expect.stringContaining(link) })

  await Promise.all([mailed.spend(2), hooked.spend(2)]) // lower and lower
  await waitForQuotaCheck()
  expect([await inbox(mailed), await inbox(hooked)]).toEqual([[LOW], [LOW]])

  await setBalance(mailed.id, 'mailed', start)
  await mailed.spend(2) // above and below again between two checks
  await expect.poll(() => mailsTo(email).length, NOTIFIED).toBe(2)
  expect(await inbox(mailed)).toEqual([LOW, LOW])
  expect(receiver.received).toHaveLength(1)
})
