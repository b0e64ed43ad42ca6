import { createHmac } from 'node:crypto'
import { api } from '@tidegate/contract'
import { addChannel, type Mailbox, startMailbox } from '@tidegate/testing'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PHONE } from './support/browser.ts'
import { visit, currentPath } from './support/console-page.ts'
import { type FakeWorker, startFakeWorker } from './support/fake-worker.ts'
import { addOrdinaryUser } from './support/site.ts'
import { startConsole } from './support/start-console.ts'
import { priceModels } from './support/lists.ts'

const LONG_MODEL = 'an-unusually-long-provider/model-name-with-a-date-2026-02-30-preview'

const console = startConsole()
let mailbox: Mailbox
let worker: FakeWorker
beforeAll(async () => {
  mailbox = await startMailbox()
  worker = await startFakeWorker()
})
afterAll(async () => {
  await mailbox?.close()
  await worker?.close()
})

it('shows the account: models and invite link to copy, daily reward, earnings to transfer, and a new name', async () => {
  await setOptions({ CheckInQuota: '617283', CheckInEnabled: 'true', AffEnabled: 'true' })
  await addChannel(console.site.client, { url: 'http://127.0.0.1:9' }, { models: `gpt-4o,${LONG_MODEL}` })
  await priceModels(console.site, { [LONG_MODEL]: 1 })
  const user = await addOrdinaryUser(console.site, 'lin')
  await sql`update "user" set quota = 500000, aff_count = 3, aff_quota = 1250000, aff_history_quota = 2500000
    where username = 'lin'`.execute(console.site.db)
  const page = await console.member(user, { locale: 'en-US', viewport: PHONE })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await visit(page, '/app/me')
  const profile = page.getByRole('region', { name: 'Profile', exact: true })

  await page.getByRole('button', { name: LONG_MODEL }).click()
  await expect.poll(() => clipboard(page)).toBe(LONG_MODEL)
  await button(page, 'Copy invite link').click()
  await expect.poll(() => clipboard(page)).toBe(`${console.site.server.url}/register?aff=lin`)

  await button(page, 'Check in').click()
  await page.getByText('Checked in: $1.23 added').waitFor()
  await expect.poll(() => profile.innerText()).toContain('$2.23')

  await button(page, 'Transfer to balance').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'All', exact: true }).click()
  await expect.poll(() => dialog.getByRole('spinbutton').inputValue()).toBe('2.50')
  await page.keyboard.press('Enter')
  await page.getByText('The earnings were moved to your balance.').waitFor()
  await expect.poll(() => profile.innerText()).toContain('$4.73')

  await button(page, 'Edit profile').click()
  await page.getByLabel('Display name').fill('Harbour master')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Harbour master' }).waitFor()

  await page.getByRole('tab', { name: 'Other' }).click()
  await page.getByRole('switch', { name: 'Record the client IP in logs' }).click()
  await page.getByRole('banner').getByRole('link', { name: 'Inbox' }).click()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  expect(currentPath(page)).toBe('/app/me?tab=other')
})

it('sends notifications by mail after a code, and by a signed webhook that can be sent again', async () => {
  const address = 'lin@watch.example'
  await setOptions({
    WorkerUrl: worker.url,
    ServerAddress: console.site.server.url,
    SMTPServer: '127.0.0.1',
    SMTPPort: String(mailbox.port),
    SMTPFrom: 'gate@example.com',
  })
  const page = await console.member(await addOrdinaryUser(console.site, 'mira'), { locale: 'en-US' })
  await visit(page, '/app/me?tab=notifications')
  await field(page, 'Notification email').fill(address)
  await button(page, 'Send code').click()
  const { text } = await mailbox.mailTo(address)
  await field(page, 'Verification code').fill(/\b\d{6}\b/.exec(text)![0])
  await button(page, 'Save').click()
  await page.getByText('Settings saved').waitFor()
  await button(page, 'Send test').click()
  await page.getByRole('status', { name: 'Test result' }).getByText('Delivered').waitFor()
  await mailbox.mailTo(address, 1)

  worker.response(500, 'the harbour is closed')
  await page.getByText('Webhook', { exact: true }).first().click()
  await field(page, 'Webhook URL').fill('https://hooks.example/in')
  await page.getByLabel(/^Webhook secret/).fill('hush-hush')
  await button(page, 'Save').click()
  await button(page, 'Remove secret').waitFor()
  expect(await page.content()).not.toContain('hush-hush')
  await button(page, 'Send test').click()
  const result = page.getByRole('status', { name: 'Test result' })
  await result.getByText('the harbour is closed', { exact: true }).waitFor()
  worker.response(200, 'welcome')
  await page.getByRole('button', { name: /^Retry .* to / }).click()
  await page.getByText('Resent and delivered').waitFor()

  const [first, second] = worker.requests.slice(-2)
  expect(first).toMatchObject({ url: 'https://hooks.example/in', body: { type: 'test' } })
  expect(second!.headers).toMatchObject({
    [api.WEBHOOK_HEADERS.signature]: createHmac('sha256', 'hush-hush')
      .update(JSON.stringify(second!.body))
      .digest('hex'),
    [api.WEBHOOK_HEADERS.id]: first!.headers[api.WEBHOOK_HEADERS.id],
  })
  expect(JSON.stringify(second!.headers)).not.toContain('hush-hush')
})

async function setOptions(options: Record<string, string>): Promise<void> {
  for (const [key, value] of Object.entries(options)) await console.setOption(key, value)
}

const field = (page: Page, label: string) => page.getByRole('main').getByLabel(label, { exact: true })
const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
