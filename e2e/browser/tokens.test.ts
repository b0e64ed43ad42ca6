import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { api } from '@tidegate/contract'
import { addChannel, addToken } from '@tidegate/testing'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PHONE } from './support/browser.ts'
import { addMember, chooseFrom, respond, drawerOf, type Member, openTokens, toastWith } from './support/lists.ts'
import { allowClipboard, clipboardText, submitLogin, visit, currentPath } from './support/console-page.ts'
import { startConsole } from './support/start-console.ts'
import { cellUnder, rowWith } from './support/table.ts'

const ENGLISH = { locale: 'en-US' } as const

const console = startConsole()

describe('tokens', () => {
  it('are created in bulk, found, copied, edited, disabled and deleted', async () => {
    const owner = await addMember(console.site, 'tokens-bulk')
    const page = await console.member(owner, ENGLISH)
    await allowClipboard(page)
    await openTokens(page)
    await page.getByRole('button', { name: 'Add token' }).first().click()
    const drawer = drawerOf(page)
    await drawer.getByLabel('Name', { exact: true }).fill('fleet')
    await drawer.getByRole('button', { name: 'More options' }).click()
    await drawer.getByRole('button', { name: '10', exact: true }).click()
    await drawer.getByRole('radio', { name: 'Budget' }).click()
    await drawer.getByRole('button', { name: '$10', exact: true }).click()
    await drawer.getByRole('button', { name: '$10', exact: true, pressed: true }).waitFor()
    const expiry = drawer.getByLabel('Expires', { exact: true })
    await page.mouse.move(0, 0) // a pointer over the calendar would preview its date in the field
    await expiry.fill('next spring')
    await expiry.press('Tab')
    await drawer.getByText('Expiry time format error!').waitFor()
    await expiry.fill('2033-05-18 11:33:20')
    await expiry.press('Enter')
    await drawer.getByText('Expiry time format error!').waitFor({ state: 'detached' })
    await drawer.getByLabel('Allowed IP addresses').fill('10.0.0.0/8\n203.0.113.7')
    expect(await storedTokens(owner)).toEqual([]) // Enter selected the date and did not submit the form
    await drawer.getByRole('button', { name: 'Create', exact: true }).click()

    await toastWith(page, 'Tokens created').waitFor()
    await expect.poll(() => currentPath(page)).toBe('/app/tokens')
    await expect.poll(() => rowWith(page, 'fleet').count()).toBe(10)
    const [first, ...others] = await storedTokens(owner)
    expect(others).toHaveLength(9)
    expect(first).toMatchObject({
      budget_period: 'day',
      budget_quota: 5_000_000,
      budget_zone: await page.evaluate(() => new Intl.DateTimeFormat().resolvedOptions().timeZone),
      allow_ips: '10.0.0.0/8\n203.0.113.7',
      expired_time: await page.evaluate(() => new Date(2033, 4, 18, 11, 33, 20).getTime() / 1000),
    })

    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await page.getByRole('button', { name: 'Copy selected' }).click()
    const lines = (await storedTokens(owner)).map(({ name, key }) => `${name}    sk-${key}`).toSorted()
    await expect.poll(async () => (await clipboardText(page)).split('\n').toSorted()).toEqual(lines)
    await page.getByRole('button', { name: 'Clear selection' }).click()

    const { id, key } = await addToken(owner.client, { name: 'harbour', unlimited_quota: false, remain_quota: 500_000 })
    await page.getByRole('textbox', { name: 'Part of the key' }).fill(`sk-${key.slice(0, 12)}`)
    await rowWith(page, 'harbour').waitFor()
    await rowWith(page, 'fleet').first().waitFor({ state: 'detached' })
    await expect.poll(() => currentPath(page)).toBe(`/app/tokens?key=sk-${key.slice(0, 12)}`)
    await page.getByRole('button', { name: 'Copy key of harbour' }).click()
    await expect.poll(() => clipboardText(page)).toBe(`sk-${key}`)
    await page.getByRole('button', { name: 'Edit harbour' }).click()
    await drawerOf(page).getByLabel('Amount to spend').fill('3')
    // A request is charged while the form is open: the new quota must not undo that.
    await sql`update token set remain_quota = remain_quota - 100000, used_quota = 100000 where id = ${id}`.execute(
      console.site.db,
    )
    await drawerOf(page).getByRole('button', { name: 'Save' }).click()
    await toastWith(page, 'Token updated').waitFor()
    expect(await storedToken(owner, id)).toMatchObject({ name: 'harbour', remain_quota: 1_400_000 })
    const more = page.getByRole('button', { name: 'More actions for harbour' })
    await chooseFrom(more, 'Disable')
    await expect.poll(() => textUnder(page, 'harbour', 'Status')).toBe('Disabled')
    expect(await storedToken(owner, id)).toMatchObject({ status: api.TOKEN_STATUS.disabled })
    await chooseFrom(more, 'Delete')
    await respond(page, 'Delete')
    await rowWith(page, 'harbour').waitFor({ state: 'detached' })
    expect(await storedToken(owner, id)).toBeUndefined()
  })

  it('are shown with instructions to connect after creation', async () => {
    const owner = await addMember(console.site, 'tokens-one')
    const page = await console.member(owner, ENGLISH)
    await allowClipboard(page)
    await openTokens(page, '?drawer=create')
    await drawerOf(page).getByLabel('Name', { exact: true }).fill('laptop')
    await drawerOf(page).getByRole('button', { name: 'Create', exact: true }).click()

    const dialog = page.getByRole('dialog', { name: 'Token “laptop” created' })
    await dialog.getByRole('button', { name: 'Copy token' }).click()

    const [token] = await storedTokens(owner)
    await expect.poll(() => clipboardText(page)).toBe(`sk-${token!.key}`)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect.poll(() => currentPath(page)).toBe('/app/tokens')
  })

  it('are cards on a phone, and fit a table without sideways scrolling at 1440 px', async () => {
    await addChannel(console.site.client, { url: 'http://127.0.0.1:9' }, { models: 'tokens-model' })
    const owner = await addMember(console.site, 'tokens-fit')
    await addToken(owner.client, {
      name: 'A name with thirty characters!',
      unlimited_quota: false,
      remain_quota: 1_234_567_890,
      expired_time: Math.round(Date.now() / 1000) + 340 * 86_400,
      model_limits_enabled: true,
      model_limits: 'tokens-model',
    })
    await sql`
      update token set used_quota = 6000000000, accessed_at = now() - interval '11 months' where user_id = ${owner.id}
    `.execute(console.site.db)
    const page = await console.member(owner, { viewport: PHONE, ...ENGLISH })
    await openTokens(page)
    await page.getByRole('listitem').filter({ hasText: 'A name with' }).waitFor()
    expect(await page.getByRole('table').count()).toBe(0)

    await page.setViewportSize({ width: 1440, height: 900 })

    await page.getByRole('button', { name: 'Show key of A name' }).click()
    const table = page.locator('.ant-table-content')
    expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  })
})

/** A web chat that reports where it was opened. */
const CHAT_PAGE = `<!doctype html><title>chat</title><p id="where"></p>
<script>where.textContent = location.pathname + location.hash; localStorage.stored = 'yes'</script>`

describe('saved chats', () => {
  let chatSite: Server
  let chatUrl: string
  beforeAll(async () => {
    chatSite = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(CHAT_PAGE))
    await new Promise<void>((listening) => chatSite.listen(0, '127.0.0.1', listening))
    chatUrl = `http://127.0.0.1:${(chatSite.address() as AddressInfo).port}`
  })
  afterAll(() => void chatSite?.close())

  it('embed the chat with the key of an enabled token after signing in, and redirect to it', async () => {
    const owner = await addMember(console.site, 'tokens-chat')
    const { secret } = await addToken(owner.client, { name: 'harbour' })
    await console.setOption('Chats', JSON.stringify([{ Harbour: `${chatUrl}/talk#k={key}&u={address}` }]))
    const page = await console.anonymous()
    await visit(page, '/chat/0')
    await page.getByRole('main').getByRole('button', { name: '登录' }).click()
    await page.waitForURL(({ pathname }) => pathname === '/login')
    await submitLogin(page, owner)
    expect(currentPath(page)).toBe('/chat/0')

    const where = page.frameLocator('iframe').locator('#where')
    const expected = `/talk#k=${secret}&u=${encodeURIComponent(console.site.server.url)}`
    await expect.poll(() => where.innerText()).toBe(expected)
    const frame = (await page.locator('iframe').boundingBox())!
    // Beside the sidebar, to the edges of the window.
    expect([frame.x, frame.width, frame.y + frame.height]).toEqual([200, 1080, 800])

    await page.goto('/chat2link')

    await page.waitForURL(`${chatUrl}/talk**`)
    expect(page.url()).toContain(`#k=${secret}`)
  })
})

const storedTokens = ({ client }: Member): Promise<api.ApiToken[]> =>
  client.call(api.listTokens, { query: { size: 100 } })

const storedToken = async (owner: Member, id: number) => (await storedTokens(owner)).find((token) => token.id === id)

const textUnder = async (page: Page, name: string, heading: string) =>
  (await cellUnder(rowWith(page, name), heading)).innerText()
