import { api } from '@tidegate/contract'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { addMember, respond, drawerOf, type Member, toastWith, untilLoaded } from './support/lists.ts'
import { visit, currentPath } from './support/console-page.ts'
import { startConsole } from './support/start-console.ts'
import { cellUnder, rowWith } from './support/table.ts'

const ENGLISH = { locale: 'en-US' } as const

const console = startConsole()
let mira: Member
beforeAll(async () => {
  mira = await addMember(console.site, 'msg-mira')
})

describe('a message', () => {
  it('is written, arrives without a reload, is read, changed and deleted', async () => {
    const inbox = await console.member(mira, ENGLISH)
    await visit(inbox, '/app/inbox')
    await inbox.getByText('No messages').waitFor()
    const otherTab = await inbox.context().newPage()
    await visit(otherTab, '/app/inbox')
    const page = await console.admin(ENGLISH)
    await visit(page, '/admin/messages')
    await untilLoaded(page)
    await page.getByRole('button', { name: 'New message' }).first().click()
    const drawer = drawerOf(page)
    await drawer.getByLabel('Title').fill(' Maintenance ')
    await drawer.getByLabel('Content').fill('# Tonight\n\n**Two hours**, see [the plan](https://tide.test).')
    const preview = drawer.getByRole('region', { name: 'Preview' })
    await expect.poll(() => preview.locator('strong').innerText()).toBe('Two hours')
    await drawer.getByRole('button', { name: 'Select users' }).click()
    await drawer.getByRole('textbox', { name: 'Username, display name, email or ID' }).fill('msg-mira')
    await page.keyboard.press('Enter') // searches for recipients and does not submit the form
    await drawer.getByRole('checkbox', { name: 'Select msg-mira' }).click()
    await drawer.getByText('1 selected').waitFor()
    await drawer.getByRole('button', { name: 'Send', exact: true }).click()
    await toastWith(page, 'Message created').waitFor()
    const { id } = (await inboxOf(mira)).find(({ title }) => title === 'Maintenance')!

    await bell(inbox, 'Inbox, 1 unread').waitFor()
    const item = inbox.getByRole('listitem').filter({ hasText: 'Maintenance' })
    await expect.poll(() => item.innerText()).toMatch(/Unread\s.*\s+Tonight Two hours, see the plan\./s)
    await item.getByRole('link').click()
    await inbox.getByRole('heading', { level: 1, name: 'Maintenance' }).waitFor()
    expect(currentPath(inbox)).toBe(`/app/inbox/${id}`)
    await bell(inbox, 'Inbox').waitFor()
    await bell(otherTab, 'Inbox').waitFor()
    await otherTab.getByText('Unread', { exact: true }).waitFor({ state: 'detached' })
    await inbox.getByRole('link', { name: 'Back to inbox' }).click()
    await expect.poll(() => item.innerText()).not.toContain('Unread')

    await page.getByRole('button', { name: `Edit message #${id}` }).click()
    await expect.poll(() => drawer.getByRole('row', { name: /msg-mira/ }).innerText()).toMatch(/Read\s+[A-Z]/)
    await drawer.getByLabel('Title').fill('Maintenance is over')
    await drawer.getByRole('button', { name: 'Save' }).click()
    await toastWith(page, 'Message updated').waitFor()
    expect(await inboxOf(mira)).toMatchObject([{ title: 'Maintenance is over', is_read: true }])
    const recipients = await cellUnder(rowWith(page, 'Maintenance is over'), 'Recipients')
    await expect.poll(() => recipients.innerText()).toMatch(/^1\s+100% read$/)

    await page.getByRole('button', { name: `More actions for message #${id}` }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('its receipt records (1) from every inbox').waitFor()
    await respond(page, 'Delete')
    await toastWith(page, 'Message deleted').waitFor()
    expect(await inboxOf(mira)).toEqual([])
  })

  it.each(['html', 'markdown'] as const)(
    'runs no script of hostile %s, even when stored unsanitised',
    async (format) => {
      const body = { title: HOSTILE_TITLE, content: HOSTILE, format, user_ids: [mira.id] }
      const { id } = await console.site.client.call(api.createMessage, { body })
      await sql`update message set content = ${HOSTILE} where id = ${id}`.execute(console.site.db)
      const page = await console.member(mira)
      const complaints: string[] = []
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
      page.on('dialog', (dialog) => complaints.push(dialog.message()))
      await visit(page, `/app/inbox/${id}`)
      await page.getByRole('heading', { level: 1, name: HOSTILE_TITLE }).waitFor()
      await page.getByText('Ahoy').waitFor()

      const sheet = page.getByRole('article')
      for (const link of await sheet.getByText(/^(one|two|three)$/).all()) await link.click()

      const active =
        'script, style, iframe, form, button:not([aria-label]), svg[onload], b[onclick], [onerror], [ontoggle]'
      expect(await sheet.locator(active).count()).toBe(0)
      const addresses = await sheet.locator('a').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
      expect(addresses.filter((address) => /script/i.test(address ?? ''))).toEqual([])
      expect(await page.evaluate(() => (window as { owned?: unknown }).owned)).toBeUndefined()
      expect(complaints.filter((text) => !text.includes('404'))).toEqual([])
      expect(currentPath(page)).toBe(`/app/inbox/${id}`)
    },
  )
})

const HOSTILE_TITLE = '<b onclick="owned=0">Storm</b>'
const HOSTILE = [
  'Ahoy <script>window.owned = 1</script>',
  '<img src=x onerror="window.owned = 2"><svg onload="window.owned = 3"></svg>',
  '<a href="javascript:window.owned = 4">one</a> [two](javascript:window.owned=5) <a href=" jAvaScript:owned=6">three</a>',
  '<iframe srcdoc="<script>parent.owned = 7</script>"></iframe><form action="javascript:owned=8"><button>go</button></form>',
  '<style>body { display: none }</style><details open ontoggle="window.owned = 9">four</details>',
].join('\n\n')

const inboxOf = async ({ client }: Member): Promise<api.InboxMessage[]> => (await client.call(api.listInbox)).items

const bell = (page: Page, name: string) => page.getByRole('banner').getByRole('link', { name, exact: true })
