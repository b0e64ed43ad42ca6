import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import OpenAI from 'openai'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useBrowser } from './support/browser.ts'
import { openSite, type Site } from './support/site.ts'
import { cellUnder, exactQuota, rowWith } from './support/table.ts'

const ADMIN = { username: 'operator', password: 'spring-tide-42' }
const MODEL = 'gpt-4o-mini'
const FIRST_BALANCE = 100_000_000

const browser = useBrowser()
let site: Site
let upstream: FakeUpstream
beforeAll(async () => {
  upstream = await fakeUpstream()
  site = await openSite()
})
afterAll(async () => {
  await site?.close()
  await upstream?.close()
})

it('leads from a new server to a verifiable bill, in Chinese', async () => {
  const page = await browser.newPage({ baseURL: site.server.url, locale: 'zh-CN' })

  await expectSetupEverywhere(page)
  await setUp(page)
  await page.getByRole('heading', { name: '开始使用' }).waitFor()
  await addChannel(page, { name: 'harbour', baseUrl: upstream.url, key: 'sk-upstream' })
  const secret = await addToken(page, 'tide table')
  await expect.poll(() => balance(page)).toBe(FIRST_BALANCE)

  upstream.always({ firstEventAfterMs: 120 })
  await sendTwoRequests(new OpenAI({ apiKey: secret, baseURL: `${site.server.url}/v1`, maxRetries: 0 }))

  const rows = await readLog(page)
  expect(rows.map(({ model }) => model)).toEqual([MODEL, MODEL])
  expect(rows.map(({ tokens }) => tokens)).toEqual(upstream.requests.map(tokensSent).toReversed())
  for (const { duration } of rows) expect(duration).toMatch(/\d\.\d\d/)
  // Only a stream has a time to the first token.
  expect(rows.map(({ duration }) => duration.includes(' / '))).toEqual([false, true])
  expect(rows[1]!.duration).toMatch(/^(0\.[1-9]|[1-9]\d*\.)\d* \//)

  const sum = rows.reduce((total, { quota }) => total + quota, 0)
  expect(sum).toBeGreaterThanOrEqual(2)
  await expect.poll(() => balance(page)).toBe(FIRST_BALANCE - sum)
  await expect.poll(() => usedQuota(page, '渠道', 'harbour', '今日计费')).toBe(sum)
  await expect.poll(() => usedQuota(page, 'API 令牌', 'tide table', '剩余额度')).toBe(sum)
})

async function expectSetupEverywhere(page: Page): Promise<void> {
  for (const path of ['/', '/login', '/app/tokens', '/no/such/page']) {
    await page.goto(path)
    await page.waitForURL('**/setup')
  }
}

async function setUp(page: Page): Promise<void> {
  await page.getByLabel('用户名', { exact: true }).fill(ADMIN.username)
  await page.getByLabel('密码', { exact: true }).fill(ADMIN.password)
  await page.getByLabel('确认密码', { exact: true }).fill(ADMIN.password)
  await page.getByRole('button', { name: '初始化系统' }).click()
  await page.waitForURL((url) => url.pathname === '/app/dashboard')
  await page.goto('/setup')
  await page.waitForURL((url) => url.pathname === '/')
  await page.goto('/app/dashboard')
}

async function goTo(page: Page, link: string): Promise<void> {
  await page.getByRole('navigation', { name: '控制台菜单' }).getByRole('link', { name: link, exact: true }).click()
  await page.getByRole('heading', { name: link, level: 1 }).waitFor()
}

async function addChannel(page: Page, channel: { name: string; baseUrl: string; key: string }): Promise<void> {
  await goTo(page, '渠道')
  await page.getByRole('button', { name: '添加渠道' }).first().click()
  const form = page.getByRole('dialog', { name: '添加渠道' })
  await form.getByLabel('名称', { exact: true }).fill(channel.name)
  await form.getByRole('button', { name: '高级设置' }).click()
  await form.getByLabel('接口地址', { exact: true }).fill(channel.baseUrl)
  await form.getByLabel('密钥', { exact: true }).fill(channel.key)
  await form.getByLabel('模型', { exact: true }).fill(MODEL)
  await form.getByLabel('模型', { exact: true }).press('Enter')
  await form.getByText('添加渠道').click() // a click beside the suggestions closes them
  await form.getByRole('button', { name: '添加', exact: true }).click()
  await rowWith(page, channel.name).waitFor()
}

/** Adds an unlimited token and reads its key from the list, like a user. */
async function addToken(page: Page, name: string): Promise<string> {
  await goTo(page, 'API 令牌')
  await page.getByRole('button', { name: '添加令牌' }).first().click()
  const form = page.getByRole('dialog', { name: '添加令牌' })
  await form.getByLabel('名称', { exact: true }).fill(name)
  await form.getByLabel('无限额度').click()
  await form.getByRole('button', { name: '创建', exact: true }).click()
  await page
    .getByRole('dialog', { name: `令牌“${name}”已创建` })
    .getByRole('button', { name: '关闭' })
    .click()
  const row = rowWith(page, name)
  await row.getByRole('button', { name: `显示 ${name} 的密钥` }).click()
  const cell = await cellUnder(row, '密钥')
  await expect.poll(() => cell.innerText()).toMatch(/sk-\w{20,}/)
  return /sk-\w+/.exec(await cell.innerText())![0]
}

async function sendTwoRequests(openai: OpenAI): Promise<void> {
  const messages = [{ role: 'user' as const, content: 'When does the tide turn?' }]
  const stream = await openai.chat.completions.create({ model: MODEL, messages, stream: true })
  let content = ''
  for await (const chunk of stream) content += chunk.choices[0]?.delta.content ?? ''
  const plain = await openai.chat.completions.create({ model: MODEL, messages })
  expect(plain.choices[0]?.message.content).toBe(content)
}

function tokensSent({ body, sent }: FakeUpstream['requests'][number]): string {
  const { messages } = body as { messages: { content: string }[] }
  return `${messages[0]!.content.match(/\w+|\S/g)!.length} / ${sent.tokens}`
}

/** The usage rows, newest first, once both requests are settled. */
async function readLog(page: Page) {
  await goTo(page, '使用日志')
  const rows = rowWith(page, MODEL)
  await expect
    .poll(
      async () => {
        await page.reload()
        await page.getByRole('heading', { name: '使用日志', level: 1 }).waitFor()
        await page.getByRole('status', { name: '加载中' }).waitFor({ state: 'detached' })
        return await rows.count()
      },
      { timeout: 15_000 },
    )
    .toBe(2)
  return [await readRow(rows.nth(0)), await readRow(rows.nth(1))]
}

async function readRow(row: Locator) {
  const text = async (heading: string) => (await (await cellUnder(row, heading)).innerText()).trim()
  return {
    model: (await text('模型')).split('\n')[0]!.trim(),
    tokens: (await text('输入 › 输出')).replaceAll(/\s*›\s*/g, ' / '),
    duration: (await text('首字 / 用时')).replaceAll(/\s+/g, ' '),
    quota: await exactQuota((await cellUnder(row, '花费')).locator('[title*="额度"]')),
  }
}

async function balance(page: Page): Promise<number> {
  await goTo(page, '个人设置')
  await page.reload()
  const amount = page.locator('dt', { hasText: '当前余额' }).locator('xpath=following-sibling::dd').locator('.number')
  return await exactQuota(amount)
}

async function usedQuota(page: Page, list: string, name: string, column: string): Promise<number> {
  await goTo(page, list)
  await page.reload()
  const cell = await cellUnder(rowWith(page, name), column)
  return await exactQuota(cell.locator('.number, [title*="额度"]').first())
}
