import { api } from '@tidegate/contract'
import { SUPER_ADMIN } from '@tidegate/testing'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type PageOptions, PHONE } from './browser.ts'
import { toastWith, untilLoaded } from './channel-list.ts'
import { visit, whereIs } from './console-page.ts'
import { faultsOf, NONE } from './faults.ts'
import { startConsole } from './start-console.ts'
import { addUser } from './user-list.ts'

const console = startConsole()
let mira: number
beforeAll(async () => {
  mira = await addUser(console.site, 'mira')
})
afterEach(async () => {
  await sql`delete from message`.execute(console.site.db)
})

describe('the inbox of somebody who is looking', () => {
  it('shows a message the moment it is sent, and the bell says so without a reload', async () => {
    const page = await asMira()
    await openInbox(page)
    await page.getByText('暂无消息').waitFor()
    await bell(page, '站内信').waitFor()

    const { id } = await send({ title: '涨潮提醒', content: '# 今晚\n\n**九点**涨潮，[详情](https://tide.test)。' })

    await bell(page, '站内信，1 条未读').waitFor()
    const item = page.getByRole('listitem').filter({ hasText: '涨潮提醒' })
    await expect.poll(() => item.innerText()).toMatch(/涨潮提醒\s+未读\s+\d\d:\d\d\s+今晚 九点涨潮，详情。/)
    await item.getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: '涨潮提醒' }).waitFor()
    await page.getByText(/^阅读于 \d{4}-/).waitFor()
    expect(whereIs(page)).toBe(`/app/inbox/${id}`)
    await bell(page, '站内信').waitFor()
    await page.getByRole('link', { name: '返回站内信' }).click()
    await expect.poll(() => item.innerText()).not.toContain('未读')
  })

  it('follows what is read in another tab', async () => {
    const { id } = await send({ title: '涨潮提醒' })
    const page = await asMira()
    await openInbox(page)
    await page.getByText('未读', { exact: true }).waitFor()

    const other = await asMira()
    await visit(other, `/app/inbox/${id}`)

    await bell(page, '站内信').waitFor()
    await page.getByText('未读', { exact: true }).waitFor({ state: 'detached' })
  })
})

describe('the pages of an inbox', () => {
  it('are turned, and a message on any of them opens by its address alone', async () => {
    const first = await send({ title: '最早的一封' })
    for (let number = 2; number <= 12; number += 1) await send({ title: `第 ${number} 封` })
    const page = await asMira()
    await openInbox(page)
    await page.getByText('第 1–10 条，共 12 条').waitFor()
    await page.getByRole('listitem', { name: '2', exact: true }).click()
    await page.getByText('最早的一封').waitFor()
    expect(whereIs(page)).toBe('/app/inbox?page=2')

    await visit(page, `/app/inbox/${first.id}`)
    await page.getByRole('heading', { level: 1, name: '最早的一封' }).waitFor()
    await bell(page, '站内信，11 条未读').waitFor()

    await page.goto('/app/inbox/987654321')
    await toastWith(page, '消息不存在').waitFor()
    await page.getByRole('heading', { level: 1, name: '站内信' }).waitFor()
    expect(whereIs(page)).toBe('/app/inbox')
  })

  it('are read at once on a phone, in English', async () => {
    for (let number = 1; number <= 3; number += 1) await send({ title: `Letter ${number}` })
    const page = await asMira({ viewport: PHONE, locale: 'en-US' })
    await openInbox(page)
    await bell(page, 'Inbox, 3 unread').waitFor()
    await expect.poll(() => page.getByText('Unread', { exact: true }).count()).toBe(3)

    await page.getByRole('button', { name: 'Mark all as read' }).click()

    await toastWith(page, 'Marked as read: 3').waitFor()
    await bell(page, 'Inbox').waitFor()
    await expect.poll(() => page.getByText('Unread', { exact: true }).count()).toBe(0)
    await expect.poll(() => page.getByRole('button', { name: 'Mark all as read' }).isDisabled()).toBe(true)
  })
})

const HOSTILE = [
  'Ahoy <script>window.owned = 1</script>',
  '<img src=x onerror="window.owned = 2"><svg onload="window.owned = 3"></svg>',
  '<a href="javascript:window.owned = 4">one</a> [two](javascript:window.owned=5) <a href=" jAvaScript:owned=6">three</a>',
  '<iframe srcdoc="<script>parent.owned = 7</script>"></iframe><form action="javascript:owned=8"><button>go</button></form>',
  '<style>body { display: none }</style><details open ontoggle="window.owned = 9">four</details>',
].join('\n\n')

describe('a hostile message', () => {
  it.each([
    ['html', 'as the server keeps it'],
    ['markdown', 'as the server keeps it'],
    ['html', 'as it was written'],
    ['markdown', 'as it was written'],
  ] as const)('in %s, %s, does nothing to its recipient', async (format, kept) => {
    const { id } = await send({ title: '<b onclick="owned=0">Storm</b>', content: HOSTILE, format })
    // What a console must withstand even if nobody had cleaned it before.
    if (kept === 'as it was written') await sql`update message set content = ${HOSTILE}`.execute(console.site.db)
    const page = await asMira()
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('dialog', (dialog) => complaints.push(dialog.message()))

    await openInbox(page)
    await page.getByText('<b onclick="owned=0">Storm</b>').click()
    await page.waitForURL(`**/app/inbox/${id}`)
    await page.getByText('Ahoy').waitFor()

    const sheet = page.getByRole('article')
    for (const link of await sheet.getByText(/^(one|two|three)$/).all()) await link.click()
    const alive =
      'script, style, iframe, form, button:not([aria-label]), svg[onload], b[onclick], [onerror], [ontoggle]'
    expect(await sheet.locator(alive).count()).toBe(0)
    const addresses = await sheet.locator('a').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(addresses.filter((address) => /script/i.test(address ?? ''))).toEqual([])
    expect(await page.evaluate(() => (window as { owned?: unknown }).owned)).toBeUndefined()
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([])
    expect(whereIs(page)).toBe(`/app/inbox/${id}`)
  })
})

describe('the look of the inbox', () => {
  it.each([
    { width: 390, colorScheme: 'light', locale: 'zh-CN' },
    { width: 1440, colorScheme: 'dark', locale: 'en-US' },
  ] as const)('has no fault at $width px, $colorScheme, $locale', async ({ width, ...preferences }) => {
    const long = 'A title of somebody who had a great deal to say about everything. '.repeat(3).trim()
    const { id } = await send({ title: long, content: '## Tides\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n`code`' })
    await send({ title: '未读的一封', content: '<p>你好</p>', format: 'html' })
    const page = await asMira({ viewport: { width, height: 900 }, ...preferences })

    const found = {
      message: await faultsOf(page, `/app/inbox/${id}`, (open) => open.getByRole('table').waitFor()),
      list: await faultsOf(page, '/app/inbox'),
    }

    expect(found).toEqual({ message: NONE, list: NONE })
  })
})

const asMira = (options?: PageOptions) => console.member({ username: 'mira', password: SUPER_ADMIN.password }, options)

function send(message: Partial<api.NewMessage>): Promise<api.Message> {
  return console.site.client.call(api.createMessage, {
    body: { title: 'Ahoy', content: 'Ahoy', user_ids: [mira], ...message },
  })
}

async function openInbox(page: Page): Promise<void> {
  await visit(page, '/app/inbox')
  await untilLoaded(page)
}

const bell = (page: Page, name: string) => page.getByRole('banner').getByRole('link', { name, exact: true })
