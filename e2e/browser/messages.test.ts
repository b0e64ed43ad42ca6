import { api } from '@tidegate/contract'
import { apiClient, SUPER_ADMIN } from '@tidegate/testing'
import { sql } from 'kysely'
import type { Locator, Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { PHONE } from './browser.ts'
import { toastWith, untilLoaded } from './channel-list.ts'
import { storedItems, whereIs } from './console-page.ts'
import { faultsOf, NONE } from './faults.ts'
import { startConsole } from './start-console.ts'
import { cellUnder, rowWith } from './table.ts'
import { addUser, answer, drawerOf, queriesTo } from './user-list.ts'

const SAILORS = 24

const console = startConsole()
let mira: number
beforeAll(async () => {
  mira = await addUser(console.site, 'mira')
  await sql`
    insert into "user" (username, display_name, password_hash, aff_code)
    select 'sailor' || n, '水手 ' || n, '', 'sailor' || n from generate_series(1, ${SAILORS}::int) n
  `.execute(console.site.db)
  await sql`update "user" set "group" = 'vip' where username in ('mira', 'sailor1')`.execute(console.site.db)
})
afterEach(async () => {
  await sql`delete from message`.execute(console.site.db)
})

describe('writing a message', () => {
  it('needs title, content and recipients, shows how it will look, and reaches those who were picked', async () => {
    const page = await console.captain()
    await openMessages(page)
    await page.getByRole('button', { name: '新建消息' }).first().click()
    const drawer = drawerOf(page)
    await drawer.getByRole('button', { name: '发送', exact: true }).click()
    for (const problem of ['请输入消息标题', '请输入消息内容', '请选择至少一个收件人']) {
      await drawer.getByText(problem).waitFor()
    }

    await drawer.getByLabel('标题').fill(' 停机通知 ')
    await drawer.getByLabel('内容').fill('周六 **停机** 两小时。')
    await expect.poll(() => drawer.getByRole('region', { name: '预览' }).locator('strong').innerText()).toBe('停机')
    await drawer.getByRole('checkbox', { name: '选择本页全部' }).click()
    await drawer.getByText('已选 20 人').waitFor()
    await drawer.getByRole('checkbox', { name: '选择 sailor24' }).click()
    await drawer.getByText('已选 19 人').waitFor()
    await drawer.getByRole('textbox', { name: '用户名、显示名、邮箱或 ID' }).fill('mira')
    await page.keyboard.press('Enter') // looks, and does not send yet
    await drawer.getByRole('checkbox', { name: '选择 mira' }).click()
    await drawer.getByText('已选 20 人').waitFor()
    await drawer.getByRole('button', { name: '发送', exact: true }).click()

    await toastWith(page, '消息已创建').waitFor()
    await expect.poll(() => textUnder(page, '停机通知', '收件人数')).toMatch(/^20\s+已读 0%$/)
    await expect.poll(() => textUnder(page, '停机通知', '状态')).toBe('已发送')
    expect(whereIs(page)).toBe('/admin/messages')
    expect(await inboxOf('mira')).toMatchObject([{ title: '停机通知', content: '周六 **停机** 两小时。' }])
  })

  it('goes to everyone after it was said how many that is', async () => {
    const page = await console.captain()
    await openMessages(page, '?drawer=create')
    await write(drawerOf(page), '全体公告', '大家好')
    await drawerOf(page).getByText('全体用户', { exact: true }).click()
    await drawerOf(page).getByRole('button', { name: '发送', exact: true }).click()

    await page.getByText(`全站现有 ${SAILORS + 2} 个账户`).waitFor()
    await answer(page, '发送给全体用户')

    await toastWith(page, '消息已创建').waitFor()
    await expect.poll(() => textUnder(page, '全体公告', '状态')).toBe('已发送')
    await expect.poll(() => textUnder(page, '全体公告', '收件人数')).toMatch(new RegExp(`^${SAILORS + 2}\\s`))
  })

  it('waits for its time when it has one, and is sent to the group at once when that is wished', async () => {
    await console.setOption('GroupRatio', '{"default":1,"vip":1}')
    const page = await console.captain()
    await openMessages(page, '?drawer=create')
    const drawer = drawerOf(page)
    await write(drawer, '贵宾预告', '敬请期待')
    await drawer.getByText('分组', { exact: true }).click()
    await drawer.getByRole('combobox', { name: '分组' }).click()
    await page.getByTitle('vip', { exact: true }).click()
    await drawer.getByText('定时发送', { exact: true }).first().click()
    await pick(drawer.getByLabel('发送于'), '2001-01-01 00:00')
    await drawer.getByRole('button', { name: '定时发送' }).click()
    await drawer.getByText(/请选择发送时间|发送时间要晚于现在/).waitFor()
    const time = new Date(Date.now() + 86_400_000 * 3)
    await pick(drawer.getByLabel('发送于'), `${time.toISOString().slice(0, 10)} 08:30`)
    await drawer.getByRole('button', { name: '定时发送' }).click()
    await toastWith(page, '消息已创建').waitFor()
    await expect.poll(() => textUnder(page, '贵宾预告', '状态')).toMatch(/定时\s+(\d{4}-)?\d\d-\d\d 08:30 发送/)
    expect(await textUnder(page, '贵宾预告', '收件人数')).toBe('分组 vip')
    expect(await inboxOf('mira')).toEqual([])

    await page.getByRole('button', { name: /^编辑消息/ }).click()
    await drawerOf(page).getByText('立即发送', { exact: true }).click()
    await drawerOf(page).getByRole('button', { name: '保存' }).click()

    await toastWith(page, '消息已更新').waitFor()
    await expect.poll(() => textUnder(page, '贵宾预告', '状态')).toBe('已发送')
    expect(await inboxOf('mira')).toMatchObject([{ title: '贵宾预告' }])
  })
})

describe('a message that was sent', () => {
  it('tells who has read it, is changed for all, and is deleted with its receipts', async () => {
    const { id } = await send('涨潮', { user_ids: await everybody() })
    await (await clientOf('mira')).call(api.readInboxMessage, { path: { id } })
    const page = await console.captain()
    await openMessages(page)
    await expect.poll(() => textUnder(page, '涨潮', '收件人数')).toMatch(/^25\s+已读 4%$/)
    await page.getByRole('button', { name: `编辑消息 #${id}` }).click()
    const drawer = drawerOf(page)
    await expect.poll(() => drawer.locator('dl').innerText()).toMatch(/收件人数\s+25\s+已读人数\s+1 \(4%\)/)
    await drawer.getByText('第 1–10 条，共 25 条').waitFor()
    await drawer.getByRole('listitem', { name: '3', exact: true }).click()
    const reader = drawer.getByRole('row', { name: /mira/ })
    await expect.poll(() => reader.innerText()).toMatch(/已读\s+\d/)

    await drawer.getByLabel('标题').fill('退潮')
    await drawer.getByRole('button', { name: '保存' }).click()
    await toastWith(page, '消息已更新').waitFor()
    expect(await inboxOf('mira')).toMatchObject([{ title: '退潮', is_read: true }])

    await page.getByRole('button', { name: `删除消息 #${id}` }).click()
    await page.getByText(/全部收件记录（25 条）一起删除，无法恢复/).waitFor()
    await answer(page, '删除')
    await toastWith(page, '消息已删除').waitFor()
    await page.getByText('还没有发过消息').waitFor()
    expect(await inboxOf('mira')).toEqual([])
  })
})

describe('the list of messages', () => {
  it('is narrowed by words and days in the address, and remembers its own page size', async () => {
    for (let number = 1; number <= 12; number += 1) await send(`通知 ${number}`)
    await sql`update message set created_at = '2026-01-05T12:00:00Z' where title = '通知 7'`.execute(console.site.db)
    const page = await console.captain()
    const searches = queriesTo(page, '/api/admin/messages/search')
    await openMessages(page)
    await page.getByText('第 1–10 条，共 12 条').waitFor()
    await page.getByRole('combobox', { name: '每页条数' }).click()
    await page.locator('.ant-select-dropdown:visible').getByTitle('20 条/页').click()
    await expect.poll(() => rowWith(page, '通知').count()).toBe(12)
    await expect.poll(() => storedItems(page)).toMatchObject({ 'message-page-size': '20' })
    expect(await storedItems(page)).not.toHaveProperty('page-size')
    expect(searches).toEqual([])

    await page.getByRole('textbox', { name: '标题或内容' }).fill('通知 1')
    await page.getByRole('button', { name: '查询' }).click()
    await expect.poll(() => rowWith(page, '通知').count()).toBe(4)
    expect(new URLSearchParams(searches[0]).has('start_date')).toBe(false)

    await openMessages(page, '?from=2026-01-05&to=2026-01-05')
    await expect.poll(() => rowWith(page, '通知').count()).toBe(1)
    await rowWith(page, '通知 7').waitFor()
    await page.getByRole('button', { name: '重置' }).click()
    await expect.poll(() => rowWith(page, '通知').count()).toBe(12)
  })
})

describe('on a phone, in English', () => {
  it('each message is a card, and a new one is written in a drawer', async () => {
    const page = await console.captain({ viewport: PHONE, locale: 'en-US' })
    await openMessages(page)
    await page.getByRole('button', { name: 'New message' }).first().click()
    const drawer = drawerOf(page)
    await drawer.getByLabel('Title').fill('High tide')
    await drawer.getByText('HTML', { exact: true }).click()
    await drawer.getByLabel('Content').fill('<p>At <em>nine</em></p>')
    await expect.poll(() => drawer.getByRole('region', { name: 'Preview' }).locator('em').innerText()).toBe('nine')
    await drawer.getByRole('checkbox', { name: 'Select sailor24' }).click()
    await drawer.getByRole('button', { name: 'Send', exact: true }).click()

    await toastWith(page, 'Message created').waitFor()
    const card = page.getByRole('listitem').filter({ hasText: 'High tide' })
    await expect.poll(() => card.innerText()).toMatch(/HTML\s+Recipients\s+1\s+0% read\s+State\s+Sent/)
    await expect.poll(() => page.getByRole('table').count()).toBe(0)
  })
})

describe('the look of the messages', () => {
  it.each([
    { width: 390, colorScheme: 'dark', locale: 'zh-CN' },
    { width: 1440, colorScheme: 'light', locale: 'en-US' },
  ] as const)('has no fault at $width px, $colorScheme, $locale', async ({ width, ...preferences }) => {
    const { id } = await send('A title of somebody who had a great deal to say about everything. '.repeat(3).trim())
    await send('定时', { send_at: Math.floor(Date.now() / 1000) + 86_400 })
    const page = await console.captain({ viewport: { width, height: 900 }, ...preferences })

    const found = {
      list: await faultsOf(page, '/admin/messages'),
      create: await faultsOf(page, '/admin/messages?drawer=create'),
      edit: await faultsOf(page, `/admin/messages?drawer=edit&id=${id}`),
    }

    expect(found).toEqual({ list: NONE, create: NONE, edit: NONE })
  })
})

async function openMessages(page: Page, query = ''): Promise<void> {
  await page.goto(`/admin/messages${query}`)
  await page.getByRole('heading', { level: 1, includeHidden: true }).waitFor()
  await untilLoaded(page)
}

async function write(drawer: Locator, title: string, content: string): Promise<void> {
  await drawer.getByLabel('标题').fill(title)
  await drawer.getByLabel('内容').fill(content)
}

/** Types a time into a field that also has a calendar. */
async function pick(field: Locator, time: string): Promise<void> {
  await field.fill(time)
  await field.press('Enter')
}

function send(title: string, message: Partial<api.NewMessage> = {}): Promise<api.Message> {
  return console.site.client.call(api.createMessage, { body: { title, content: 'Ahoy', user_ids: [mira], ...message } })
}

async function everybody(): Promise<number[]> {
  const { items } = await console.site.client.call(api.listUsers, { query: { p: 0, page_size: 100 } })
  return items.filter(({ username }) => username !== SUPER_ADMIN.username).map(({ id }) => id)
}

async function clientOf(username: string) {
  const client = apiClient(console.site.server.url)
  await client.login(username, SUPER_ADMIN.password)
  return client
}

async function inboxOf(username: string): Promise<api.InboxMessage[]> {
  return (await (await clientOf(username)).call(api.listInbox)).items
}

const textUnder = async (page: Page, title: string, heading: string) =>
  (await cellUnder(rowWith(page, title), heading)).innerText()
