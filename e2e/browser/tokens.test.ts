import { api } from '@tidegate/contract'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { PHONE } from './browser.ts'
import { chooseFrom, toastWith } from './channel-list.ts'
import { whereIs } from './console-page.ts'
import { faultsOf, NONE } from './faults.ts'
import { startConsole } from './start-console.ts'
import { cellUnder, rowWith } from './table.ts'
import { makeToken, openTokens, storedTokens } from './token-list.ts'
import { answer, drawerOf, queriesTo } from './user-list.ts'

const console = startConsole()
const make = (fields: Parameters<typeof makeToken>[1]) => makeToken(console.site, fields)
const stored = () => storedTokens(console.site)

beforeEach(async () => {
  for (const { id } of await stored()) await console.site.client.call(api.deleteToken, { path: { id } })
})

describe('making tokens', () => {
  it('gives several alike a budget that fills itself up again, and limits', async () => {
    const page = await console.captain()
    await openTokens(page)
    await page.getByRole('button', { name: '添加令牌' }).first().click()
    const drawer = drawerOf(page)
    await drawer.getByLabel('名称', { exact: true }).fill('fleet')
    await drawer.getByRole('button', { name: '10 个', exact: true }).click()
    await drawer.getByRole('radio', { name: '周期预算' }).click()
    await drawer.getByRole('button', { name: '$10', exact: true }).click()
    await drawer.getByText('5,000,000 额度，相当于 $10.00').waitFor()
    await drawer.getByLabel('IP 白名单').fill('10.0.0.0/8\n203.0.113.7')
    await drawer.getByRole('switch', { name: '限制速率' }).click()
    await drawer.getByLabel('最多请求次数').fill('50')

    await drawer.getByRole('button', { name: '创建', exact: true }).click()

    await toastWith(page, '令牌创建成功').waitFor()
    await expect.poll(() => whereIs(page)).toBe('/app/tokens')
    await expect.poll(() => rowWith(page, 'fleet').count()).toBe(10)
    expect((await stored())[0]).toMatchObject({
      budget_period: 'day',
      budget_quota: 5_000_000,
      budget_zone: await page.evaluate(() => new Intl.DateTimeFormat().resolvedOptions().timeZone),
      allow_ips: '10.0.0.0/8\n203.0.113.7',
      rate_limit_enabled: true,
      rate_limit_period: 60,
      rate_limit_count: 50,
      rate_limit_success: 10,
    })
    await expect.poll(() => rowWith(page, 'fleet').first().innerText()).toMatch(/\$10\.00 \/ \$10\.00 每天[\s\S]*重置/)
  })

  it('takes a typed expiry on Enter without submitting, and names a time it cannot read', async () => {
    const page = await console.captain()
    await openTokens(page, '?drawer=create')
    const drawer = drawerOf(page)
    const expiry = drawer.getByLabel('过期时间', { exact: true })
    await drawer.getByLabel('名称', { exact: true }).fill('ferry')
    await expiry.fill('next spring')
    await drawer.getByLabel('IP 白名单').focus()
    await drawer.getByText('过期时间格式错误！').waitFor()

    await expiry.fill('2033-05-18 11:33:20')
    await expiry.press('Enter')
    await drawer.getByText('过期时间格式错误！').waitFor({ state: 'detached' })
    expect(await stored()).toEqual([])
    await drawer.getByRole('button', { name: '创建', exact: true }).click()

    await rowWith(page, 'ferry').waitFor()
    const expected = await page.evaluate(() => new Date(2033, 4, 18, 11, 33, 20).getTime() / 1000)
    expect(await stored()).toMatchObject([{ name: 'ferry', expired_time: expected }])
  })

  it('says beside the field what the server refuses', async () => {
    const page = await console.captain()
    await openTokens(page, '?drawer=create')
    const drawer = drawerOf(page)
    await drawer.getByLabel('名称', { exact: true }).fill('ferry')
    await drawer.getByLabel('IP 白名单').fill('10.0.0.1\nnowhere')

    await drawer.getByRole('button', { name: '创建', exact: true }).click()

    const field = drawer.locator('.ant-form-item').filter({ has: page.getByLabel('IP 白名单') })
    await field.getByText('无效的地址或网段：nowhere').waitFor()
    expect(await stored()).toEqual([])
  })
})

describe('the list', () => {
  it('turns its pages from 0 with a total, and is found by name and by key, in the address', async () => {
    await make({ name: 'harbour' })
    await make({ name: 'fleet', count: 11 })
    const { key } = (await stored()).find(({ name }) => name === 'harbour')!
    const page = await console.captain()
    const lists = queriesTo(page, '/api/token')
    await openTokens(page)
    await page.getByText('第 1–10 条，共 12 条').waitFor()
    await page.getByRole('listitem', { name: '2', exact: true }).click()
    await rowWith(page, 'harbour').waitFor()
    expect(lists).toEqual(['?p=0&size=10', '?p=1&size=10'])

    await page.getByRole('textbox', { name: '名称' }).fill('flee')
    await rowWith(page, 'harbour').waitFor({ state: 'detached' })
    await expect.poll(() => whereIs(page)).toBe('/app/tokens?keyword=flee')
    await page.getByText('第 1–10 条，共 11 条').waitFor()
    await page.getByRole('button', { name: '重置' }).click()
    await page.getByRole('textbox', { name: '密钥片段' }).fill(`sk-${key.slice(0, 12)}`)
    await rowWith(page, 'harbour').waitFor()
    await expect.poll(() => rowWith(page, 'fleet').count()).toBe(0)
  })

  it('copies the keys that are ticked, once some are', async () => {
    await make({ name: 'harbour' })
    await make({ name: 'ferry' })
    const page = await copyingCaptain()
    await openTokens(page)
    await page.getByRole('button', { name: '批量选择' }).click()
    await page.getByRole('button', { name: '复制所选' }).click()
    await toastWith(page, '请至少选择一个令牌！').waitFor()

    await page.getByRole('button', { name: '选择本页全部' }).click()
    await page.getByRole('button', { name: '复制所选' }).click()

    const expected = (await stored()).map(({ name, key }) => `${name}    sk-${key}`).sort()
    await expect.poll(async () => (await clipboard(page)).split('\n').sort()).toEqual(expected)
  })

  it('says that conversations can be read only where they are stored', async () => {
    const page = await console.captain()
    await openTokens(page)
    await page.getByText('令牌仅供个人使用').waitFor()
    await expect.poll(() => page.getByText('站点管理员可以查看对话内容').count()).toBe(0)
    await console.setOption('LogChatContentEnabled', 'true')

    await openTokens(page)

    await page.getByText('站点管理员可以查看对话内容').waitFor()
  })
})

describe('a row', () => {
  it('is copied, edited, disabled, enabled and deleted', async () => {
    await make({ name: 'harbour' })
    const [{ key, id }] = (await stored()) as [api.ApiToken]
    const page = await copyingCaptain()
    await openTokens(page)
    await page.getByRole('button', { name: '复制 harbour 的密钥' }).click()
    await expect.poll(() => clipboard(page)).toBe(`sk-${key}`)

    await page.getByRole('button', { name: '编辑 harbour' }).click()
    const drawer = drawerOf(page)
    await drawer.getByLabel('剩余额度').fill('1500000')
    // Somebody spends meanwhile: what is gone stays gone.
    await sql`update token set remain_quota = remain_quota - 100000, used_quota = 100000 where id = ${id}`.execute(
      console.site.db,
    )
    await drawer.getByRole('button', { name: '保存' }).click()
    await toastWith(page, '令牌更新成功！').waitFor()
    expect(await stored()).toMatchObject([{ name: 'harbour', remain_quota: 1_400_000 }])

    await page.getByRole('button', { name: '禁用 harbour' }).click()
    await expect.poll(() => textUnder(page, 'harbour', '状态')).toBe('已禁用')
    await page.getByRole('button', { name: '启用 harbour' }).click()
    await expect.poll(() => textUnder(page, 'harbour', '状态')).toBe('已启用')

    await page.getByRole('button', { name: '删除 harbour' }).click()
    await answer(page, '删除')
    await page.getByText('还没有令牌').waitFor()
    expect(await stored()).toEqual([])
  })

  it('is told why a token that is spent or past cannot be enabled', async () => {
    await make({ name: 'spent', remain_quota: 0 })
    await make({ name: 'past' })
    await sql`update token set expires_at = now() - interval '1 hour' where name = 'past'`.execute(console.site.db)
    const page = await console.captain()
    await openTokens(page)
    await expect.poll(() => textUnder(page, 'spent', '状态')).toBe('已耗尽')
    await expect.poll(() => textUnder(page, 'past', '状态')).toBe('已过期')

    await page.getByRole('button', { name: '启用 spent' }).click()
    await toastWith(page, '令牌可用额度已用尽，无法启用').waitFor()
    await page.getByRole('button', { name: '启用 past' }).click()
    await toastWith(page, '令牌已过期，无法启用').waitFor()
  })

  it('opens a saved chat with its key', async () => {
    const { url } = console.site.server
    await console.setOption('Chats', JSON.stringify([{ Harbour: `${url}/healthz?k={key}&a={address}` }]))
    await make({ name: 'harbour' })
    const [{ key }] = (await stored()) as [api.ApiToken]
    const page = await console.captain()
    await openTokens(page)
    const opened = page.context().waitForEvent('page')

    await chooseFrom(page.getByRole('button', { name: '用 harbour 聊天' }), 'Harbour')

    const chat = await opened
    await expect.poll(() => chat.url()).toContain(`/healthz?k=sk-${key}&a=http`)
  })
})

describe('on a phone, in English', () => {
  it('each token is a card, and is made and changed in a drawer', async () => {
    const page = await console.captain({ viewport: PHONE, locale: 'en-US' })
    await openTokens(page)
    await page.getByRole('button', { name: 'Add token' }).first().click()
    await drawerOf(page).getByLabel('Name', { exact: true }).fill('Harbour')
    await drawerOf(page).getByRole('radio', { name: 'Unlimited quota' }).click()
    await drawerOf(page).getByRole('button', { name: 'Create' }).click()

    const card = page.getByRole('listitem').filter({ hasText: 'Harbour' }).filter({ hasText: 'Unlimited' })
    await card.waitFor()
    await expect.poll(() => page.getByRole('table').count()).toBe(0)
    await card.getByRole('button', { name: 'Disable Harbour' }).click()

    await toastWith(page, 'Operation completed successfully!').waitFor()
    await expect.poll(() => card.innerText()).toContain('Disabled')
  })
})

describe('the look of it', () => {
  it.each([
    { width: 360, colorScheme: 'light', locale: 'zh-CN', depth: {}, drawers: true },
    { width: 360, colorScheme: 'dark', locale: 'en-US', depth: { rules: 'contrast', tablet: true }, drawers: true },
    { width: 1440, colorScheme: 'light', locale: 'en-US', depth: {}, drawers: true },
    // A drawer has the same colours beside a table as over cards, where they were looked at.
    { width: 1440, colorScheme: 'dark', locale: 'zh-CN', depth: { rules: 'contrast' }, drawers: false },
  ] as const)('has no fault at $width px, $colorScheme, $locale', async ({ width, depth, drawers, ...preferences }) => {
    await make({ name: 'A name that has thirty letters', remain_quota: 1_234_567_890 })
    await make({ name: 'daily', budget_period: 'day', budget_quota: 2_500_000 })
    await make({ name: 'spent', remain_quota: 0 })
    const id = (await stored()).find(({ name }) => name === 'daily')!.id
    const page = await console.captain({ viewport: { width, height: 900 }, ...preferences })

    const untilFilled = () => page.locator('#zone').waitFor()
    const found = {
      list: await faultsOf(page, '/app/tokens', undefined, depth),
      ...(drawers && {
        newOne: await faultsOf(page, '/app/tokens?drawer=create', undefined, depth),
        edited: await faultsOf(page, `/app/tokens?drawer=edit&id=${id}`, untilFilled, depth),
      }),
    }

    expect(found).toEqual({ list: NONE, ...(drawers && { newOne: NONE, edited: NONE }) })
  })
})

async function copyingCaptain(): Promise<Page> {
  const page = await console.captain()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  return page
}

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

const textUnder = async (page: Page, name: string, heading: string) =>
  (await cellUnder(rowWith(page, name), heading)).innerText()
