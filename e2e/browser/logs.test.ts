import { readFile } from 'node:fs/promises'
import { api } from '@tidegate/contract'
import { addChannel, SUPER_ADMIN } from '@tidegate/testing'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { untilLoaded } from './channel-list.ts'
import { logIn, whereIs } from './console-page.ts'
import { faultsOf, NONE } from './faults.ts'
import { addLogRow, CACHED_CALL } from './logs-rows.ts'
import { startConsole } from './start-console.ts'
import { cellUnder, rowWith } from './table.ts'
import { addUser } from './user-list.ts'

const REQUEST_ID = '20261115093005123AbCdEfGh'
const SAID = 'When does the <b>tide</b> turn?'

const console = startConsole()
beforeAll(furnish)

describe('the usage log of an administrator', () => {
  it('says whose call went where, how long it took and what it cost, and what else happened', async () => {
    const page = await openLogs()
    const slow = rowWith(page, 'claude-sonnet')

    await expect.poll(() => textUnder(slow, '渠道')).toMatch(/^#2\s+harbour$/)
    await expect.poll(() => textUnder(slow, '重试路径')).toBe('1 → 2')
    await expect.poll(() => textUnder(slow, '用时 / 首字')).toMatch(/偏慢\s*152 秒.*偏慢\s*首字 4\.20 秒\s*流式/s)
    await expect.poll(() => textUnder(slow, '花费')).toBe('$0.00285')
    await expect.poll(() => rowWith(page, '错误').innerText()).toContain('429 · rate_limited · Slow down.')
    await rowWith(page, '管理员调整余额：$1.00 → $5.00（+$4.00）').waitFor()
    await rowWith(page, '每日签到，获得 $0.10').waitFor()
  })

  it('explains a row: its bill, every field, and what was said as plain text', async () => {
    const page = await openLogs('?token=laptop')
    await rowWith(page, 'captain').getByRole('button', { name: '展开行' }).click()

    await page.getByText('(800 + 200 × 0.5 + 500 × 4) × 1.25 = 3,625 → $0.00725').waitFor()
    await page.getByText(/^全部记录字段/).click()
    await expect.poll(() => fact(page, '缓存读取').innerText()).toBe('200 token')
    await page.getByText(/^输入内容/).click()
    await expect.poll(() => page.locator('pre').filter({ visible: true }).innerText()).toBe(SAID)
    await page.getByRole('link', { name: '请求全程' }).click()
    await expect.poll(() => whereIs(page)).toBe(`/app/logs/request/${REQUEST_ID}`)
    await page.getByRole('link', { name: '返回使用日志' }).click()
    await expect.poll(() => whereIs(page)).toBe('/app/logs/api-usage?token=laptop')
  })

  it('tells how a user stands, and shows only their rows', async () => {
    const page = await openLogs()
    await rowWith(page, 'claude-sonnet').getByRole('button', { name: '查看用户 mira' }).click()
    const popup = page.locator('.ant-popover').filter({ visible: true })

    await expect.poll(() => fact(popup, '余额').innerText()).toBe('$5.00')
    await popup.getByRole('button', { name: '只看该用户的日志' }).click()

    await expect.poll(() => whereIs(page)).toBe('/app/logs/api-usage?username=mira')
    await expect.poll(() => rowWith(page, 'captain').count()).toBe(0)
  })

  it('is filtered by what is typed and chosen, and saved as a file of the same', async () => {
    const page = await openLogs()
    await page.getByRole('textbox', { name: '模型，支持 %' }).fill('claude%')
    await expect.poll(() => whereIs(page)).toBe('/app/logs/api-usage?model=claude%25')
    await page.getByRole('combobox', { name: '类型' }).click()
    await page.locator('.ant-select-dropdown:visible').getByTitle('消费').click()
    await rowWith(page, '错误').waitFor({ state: 'detached' })
    await expect.poll(() => whereIs(page)).toBe('/app/logs/api-usage?model=claude%25&type=2')
    await rowWith(page, 'claude-sonnet').waitFor()

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: '导出 CSV' }).click(),
    ])

    expect(file.suggestedFilename()).toMatch(/^usage-log-\d{4}-\d\d-\d\d\.csv$/)
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatch(/,2,\d+,mira,laptop,default,claude-sonnet-4-5,true,152,1500,50,1425,0\.002850,/)
    await page.getByText(/^日志已导出/).waitFor()
  })
})

describe('the usage log of an ordinary user', () => {
  it('has the own rows, and no word about channels', async () => {
    const page = await console.visitor()
    await logIn(page, { username: 'mira', password: SUPER_ADMIN.password })
    await page.goto('/app/logs/api-usage')
    await untilLoaded(page)
    const row = rowWith(page, 'claude-sonnet')
    await row.getByRole('button', { name: '展开行' }).click()
    await page.getByText('(100 + 1,000 × 0.1 + 400 × 1.25 + 50 × 5) × 1.5 = 1,425 → $0.00285').waitFor()
    await page.getByText(/^全部记录字段/).click()

    const shown = await page.getByRole('main').innerText()
    expect(shown).toContain('该模型未设价格，按兜底倍率计费')
    for (const hidden of ['渠道', '重试路径', '用户名', 'captain', '1 → 2']) expect(shown).not.toContain(hidden)
  })
})

describe.each([
  { viewport: { width: 390, height: 844 }, colorScheme: 'light', locale: 'en-US' },
  { viewport: { width: 1440, height: 900 }, colorScheme: 'dark', locale: 'zh-CN' },
] as const)('at $viewport.width px, $colorScheme, $locale', (look) => {
  it('the usage log has no fault', async () => {
    const page = await console.captain(look)

    const found = await faultsOf(page, '/app/logs/api-usage?size=20&range=week', async (shown) => {
      await shown
        .getByRole('button', { name: /^(展开行|Show more)$/ })
        .first()
        .click()
      await shown.getByText(/^(花费怎么算|How the cost is made)$/).waitFor()
    })

    expect(found).toEqual(NONE)
  })
})

async function openLogs(query = ''): Promise<Page> {
  const page = await console.captain({ viewport: { width: 1440, height: 900 } })
  await page.goto(`/app/logs/api-usage${query}`)
  await untilLoaded(page)
  return page
}

const textUnder = async (row: Locator, heading: string) => (await (await cellUnder(row, heading)).innerText()).trim()

/** The value beside a term. */
const fact = (place: Page | Locator, term: string): Locator =>
  place.locator('dt').getByText(term, { exact: true }).locator('xpath=following-sibling::dd')

/** One row of every kind that reads differently. */
async function furnish(): Promise<void> {
  const { site } = console
  const models = 'gpt-4o,claude-sonnet-4-5' // a pattern is held against the models on offer
  for (const name of ['dry dock', 'harbour'])
    await addChannel(site.client, { url: 'http://127.0.0.1:9' }, { name, models })
  await addUser(site, 'mira', { quota: 2_500_000 })
  await addLogRow(site, {
    ...CACHED_CALL,
    channel: 2,
    requestId: REQUEST_ID,
    other: { ...CACHED_CALL.other, input_content: SAID, admin_info: { use_channel: ['2'] } },
  })
  await addLogRow(site, {
    username: 'mira',
    model: 'claude-sonnet-4-5',
    channel: 2,
    quota: 1425,
    input: 1500,
    output: 50,
    milliseconds: 152_000,
    isStream: true,
    secondsAgo: 2,
    other: {
      claude: true,
      model_price: -1,
      model_ratio: 1.5,
      completion_ratio: 5,
      group_ratio: 1,
      cache_tokens: 1000,
      cache_ratio: 0.1,
      cache_creation_tokens: 400,
      cache_creation_ratio: 1.25,
      frt: 4200,
      price_basis: 'fallback',
      admin_info: { use_channel: ['1', '2'] },
    },
  })
  await addLogRow(site, {
    type: 'error',
    channel: 1,
    content: 'Slow down.',
    secondsAgo: 3,
    token: 'night job',
    other: { error_code: 'rate_limited', status_code: 429 },
  })
  const change = { event: 'balance_changed', amount: 2_000_000, before: 500_000, after: 2_500_000 }
  await addLogRow(site, { type: 'admin', username: 'mira', secondsAgo: 4, other: change })
  await addLogRow(site, { type: 'checkIn', secondsAgo: 5, other: { event: 'check_in', amount: 50_000 } })
  const { total } = await site.client.call(api.listLogs, { query: {} })
  expect(total).toBeGreaterThanOrEqual(5)
}
