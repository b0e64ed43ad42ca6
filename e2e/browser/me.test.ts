import { createHmac } from 'node:crypto'
import { api } from '@tidegate/contract'
import { addChannel, fakeUpstream, type FakeUpstream, type Mailbox, startMailbox } from '@tidegate/testing'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PHONE, type StorageState } from './browser.ts'
import { storedItems, visit, whereIs } from './console-page.ts'
import { type FakeWorker, startFakeWorker } from './fake-worker.ts'
import { faultsOf, NONE } from './faults.ts'
import { EN, ZH } from './me-words.ts'
import { sessionAt } from './session.ts'
import { addOrdinaryUser } from './site.ts'
import { startConsole } from './start-console.ts'

const LONG_MODEL = 'an-unusually-long-vendor/model-name-with-a-date-2026-02-30-preview'
const MODELS = Array.from({ length: 11 }, (_, number) => `tide-${String(number + 1).padStart(2, '0')}`)

let mailbox: Mailbox
let worker: FakeWorker
let upstream: FakeUpstream
beforeAll(async () => {
  mailbox = await startMailbox()
  worker = await startFakeWorker()
  upstream = await fakeUpstream()
})
afterAll(async () => {
  await mailbox?.close()
  await worker?.close()
  await upstream?.close()
})

const console = startConsole()
beforeAll(() => addChannel(console.site.client, upstream, { models: [...MODELS, LONG_MODEL].join(',') }))
beforeEach(async () => {
  const options = {
    CheckInQuota: '617283',
    CheckInEnabled: 'true',
    AffEnabled: 'true',
    WorkerUrl: worker.url,
    SMTPServer: '127.0.0.1',
    SMTPPort: String(mailbox.port),
    SMTPFrom: 'gate@example.com',
  }
  for (const [key, value] of Object.entries(options)) await console.setOption(key, value)
})

describe.each([
  ['in Chinese on a desktop', 'zh-CN', ZH, { width: 1440, height: 900 }, 'mira'],
  ['in English on a phone', 'en-US', EN, PHONE, 'lin'],
] as const)('personal settings %s', (_, locale, words, viewport, username) => {
  let session: StorageState
  beforeAll(async () => {
    const user = await addOrdinaryUser(console.site, username)
    await change({ quota: 500_000, aff_count: 3, aff_quota: 1_250_000, aff_history_quota: 2_500_000 })
    session = await sessionAt(console.site.server.url, user)
  })
  const open = async (path = '/app/me') => {
    const page = await console.visitor({ locale, viewport, storageState: session })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await visit(page, path)
    return page
  }
  const change = async (fields: Record<string, string | number>) => {
    for (const [name, value] of Object.entries(fields))
      await sql`update "user" set ${sql.ref(name)} = ${value} where username = ${username}`.execute(console.site.db)
  }
  const setting = async (): Promise<Record<string, unknown>> => {
    const found = await sql<{ setting: Record<string, unknown> }>`
      select setting from "user" where username = ${username}`.execute(console.site.db)
    return found.rows[0]!.setting
  }

  it('show ten models until all are wanted, and copy one by a click', async () => {
    const page = await open()
    const models = page.getByRole('list', { name: words.models }).getByRole('listitem')
    await expect.poll(() => models.count()).toBe(10)

    await button(page, words.showAll).click()
    await expect.poll(() => models.count()).toBe(12)
    await button(page, new RegExp(LONG_MODEL)).click()

    await expect.poll(() => clipboard(page)).toBe(LONG_MODEL)
    expect((await storedItems(page)).modelsExpanded).toBe('true')
  })

  it('pay the reward of the day once', async () => {
    const page = await open()

    await button(page, words.checkIn).click()

    await page.getByText(words.reward).waitFor()
    await button(page, words.checkedIn).and(page.locator(':disabled')).waitFor()
    await expect.poll(() => profile(page, words).innerText()).toContain('$2.23')
    await page.reload()
    await button(page, words.checkedIn).and(page.locator(':disabled')).waitFor()
  })

  it('give the link to invite with, and move what it earned to the balance', async () => {
    const page = await open()
    const link = await field(page, words.inviteLink).inputValue()
    expect(link).toBe(`${console.site.server.url}/register?aff=${username}`)
    await button(page, words.copyLink).click()
    await expect.poll(() => clipboard(page)).toBe(link)
    await change({ quota: 0 })

    await button(page, words.transfer).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(words.amount).fill('499999')
    await dialog.getByRole('button', { name: words.transfer }).click()
    await dialog.getByText(words.leastTransfer).waitFor()
    await dialog.getByRole('button', { name: words.all, exact: true }).click()
    await dialog.getByText(words.worth).waitFor()
    await page.keyboard.press('Enter')

    await page.getByText(words.transferred).waitFor()
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(() => profile(page, words).innerText()).toContain('$2.50')
    await button(page, words.transfer).and(page.locator(':disabled')).waitFor()
  })

  it('change the names, the username once in thirty days', async () => {
    const page = await open()
    await button(page, words.edit).click()
    await page.getByLabel(words.displayName).fill('Captain')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Captain' }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })

    for (const name of [`${username}2`, username]) {
      await button(page, words.edit).click()
      await page.getByLabel(words.username, { exact: true }).fill(name)
      await page.keyboard.press('Enter')
      if (name === username) await page.getByText(words.renamedLately).waitFor()
      else await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }

    await sql`update "user" set username = ${username} where username = ${`${username}2`}`.execute(console.site.db)
  })

  it('send mails to an address that was proven, after a test', async () => {
    const address = `${username}@watch.example`
    const page = await open()
    await button(page, '1,000,000 · $2.00').click()
    await page.getByText(words.below).waitFor()
    await field(page, words.email).fill(address)
    await button(page, words.getCode).click()
    await button(page, words.countdown).waitFor()
    const { text } = await mailbox.mailTo(address)
    await field(page, words.code).fill(/\b\d{6}\b/.exec(text)![0])
    await button(page, words.save).click()
    await page.getByText(words.saved).waitFor()

    await button(page, words.test).click()

    const result = page.getByRole('status', { name: words.result })
    await result.getByText(words.delivered).waitFor()
    await result.getByText(address).waitFor()
    await mailbox.mailTo(address, 1)
    await entries(page, words).filter({ hasText: words.delivered }).first().waitFor()
    expect(await setting()).toMatchObject({ notification_email: address, quota_warning_threshold: 1_000_000 })
    await button(page, words.save).click()
    await page.getByText(words.unchanged).waitFor()
  })

  it('call a webhook, tell that it failed, send again from the log, and forget its secret after a question', async () => {
    worker.answer(500, 'the harbour is closed')
    const page = await open()
    await page.getByText('Webhook', { exact: true }).first().click()
    await field(page, words.webhook).fill('http://hooks.example/in')
    await button(page, words.save).click()
    await page.getByText(words.httpsOnly).waitFor()
    await field(page, words.webhook).fill('https://hooks.example/in')
    await field(page, words.secret).fill('hush-hush')
    await button(page, words.save).click()
    await page.getByText(words.saved).waitFor()
    await button(page, words.forget).waitFor()
    expect(await page.content()).not.toContain('hush-hush')

    await button(page, words.test).click()
    const result = page.getByRole('status', { name: words.result })
    for (const shown of [words.failed, 'HTTP 500', 'the harbour is closed'])
      await result.getByText(shown, { exact: true }).waitFor()
    worker.answer(200, 'welcome')
    await button(page, words.retry).click()
    await page.getByText(words.sentAgain).waitFor()

    await button(page, words.retry).waitFor({ state: 'detached' })
    const [first, second] = worker.orders.slice(-2)
    expect(first).toMatchObject({ url: 'https://hooks.example/in', body: { type: 'test' } })
    expect(second!.headers).toMatchObject({
      Authorization: 'Bearer hush-hush',
      [api.WEBHOOK_HEADERS.signature]: createHmac('sha256', 'hush-hush')
        .update(JSON.stringify(second!.body))
        .digest('hex'),
      [api.WEBHOOK_HEADERS.id]: first!.headers[api.WEBHOOK_HEADERS.id],
    })
    await entries(page, words).first().getByRole('button', { name: words.unfold }).click()
    await page.getByText('welcome', { exact: true }).waitFor()

    await button(page, words.forget).click()
    await page.getByRole('dialog').getByRole('button', { name: words.forget }).click()

    await page.getByText(words.notSet, { exact: true }).waitFor()
    expect(await setting()).not.toHaveProperty('webhook_secret')
  })

  it('keep the two choices about calls, and ask before changes are lost', async () => {
    const page = await open('/app/me?tab=price')
    await page.getByRole('switch', { name: words.unpriced }).click()
    await button(page, words.save).click()
    await page.getByText(words.saved).waitFor()
    await page.getByRole('tab', { name: words.other }).click()
    await expect.poll(() => whereIs(page)).toBe('/app/me?tab=other')
    await page.getByRole('switch', { name: words.ip }).click()

    await page.getByRole('banner').getByRole('link', { name: words.inbox }).click()
    await page.getByRole('button', { name: words.keepEditing }).click()
    expect(whereIs(page)).toBe('/app/me?tab=other')
    await button(page, words.save).click()

    await expect.poll(setting).toMatchObject({ accept_unset_model_ratio_model: true, show_ip_in_logs: true })
  })
})

/** Every width with either colour, and every colour with either language. */
describe('the look of the personal settings', () => {
  it.each([
    { width: 360, colorScheme: 'dark', locale: 'en-US', answers: false },
    { width: 768, colorScheme: 'light', locale: 'en-US', answers: true },
    { width: 1440, colorScheme: 'dark', locale: 'zh-CN', answers: true },
  ] as const)('has no fault at $width px, $colorScheme, $locale', async ({ width, answers, ...preferences }) => {
    if (answers) worker.answer(404, 'x'.repeat(500))
    else worker.hangUp()
    const page = await console.captain({ viewport: { width, height: 900 }, ...preferences })

    const faults = await faultsOf(page, '/app/me', async () => {
      await page.getByText('Webhook', { exact: true }).first().click()
      await page.getByLabel(/^(Webhook 地址|Webhook address)$/).fill(`https://hooks.example/${'long'.repeat(60)}`)
      await page.getByRole('button', { name: /^(发送测试|Send test)$/ }).click()
      await page.getByRole('status', { name: /测试结果|Result of the test/ }).waitFor()
      await page
        .getByRole('button', { name: /^(重试发往|Retry .* to )/ })
        .first()
        .waitFor()
    })

    expect(faults).toEqual(NONE)
  })
})

type Words = typeof ZH

const field = (page: Page, label: string | RegExp) => page.getByRole('main').getByLabel(label, { exact: true })
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('main').getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
const profile = (page: Page, words: Words) => page.getByRole('region', { name: words.profile, exact: true })
/** Rows of the delivery log, or its cards on a phone. */
const entries = (page: Page, words: Words) =>
  page
    .getByRole('table')
    .getByRole('row')
    .filter({ hasNot: page.getByRole('columnheader') })
    .or(page.getByRole('list', { name: words.log }).getByRole('listitem'))
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
