import { readFile } from 'node:fs/promises'
import { api } from '@tidegate/contract'
import { apiClient, fakeEpay, type FakeEpay, SUPER_ADMIN } from '@tidegate/testing'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PageOptions, PHONE } from './browser.ts'
import { toastWith } from './channel-list.ts'
import { visit, whereIs } from './console-page.ts'
import { makeCoupons } from './coupon-list.ts'
import { faultsOf, NONE } from './faults.ts'
import { startConsole } from './start-console.ts'
import { cellUnder, rowWith } from './table.ts'
import { addUser } from './user-list.ts'

/** A page may send its forms to secure addresses only, so the gateway is given one, which leads to the fake. */
const GATEWAY = 'https://pay.example'

const console = startConsole({ provesBooks: true })
let gateway: FakeEpay
beforeAll(async () => {
  gateway = await fakeEpay()
})
afterAll(() => gateway.close())

describe('a redemption code', () => {
  it('adds what it is worth, and stands in the statement', async () => {
    const [key] = await makeCoupons(console.site, { quota: 1_250_000 })
    const page = await pageOf('redeemer')
    await visit(page, '/app/wallet')
    await expect.poll(() => numbers(page).innerText()).toContain('$0.00')

    await page.getByLabel('兑换码', { exact: true }).fill(`  ${key} `)
    await page.getByRole('button', { name: '兑换', exact: true }).click()

    await toastWith(page, '兑换成功，$2.50 已计入余额').waitFor()
    await expect.poll(() => numbers(page).innerText()).toContain('$2.50')
    await expect.poll(() => textUnder(page, '兑换码', '金额')).toBe('+$2.50')
    await expect.poll(() => textUnder(page, '兑换码', '变动后余额')).toBe('$2.50')
    await expect.poll(() => page.getByLabel('兑换码', { exact: true }).inputValue()).toBe('')
  })

  it('comes with the address, and a gift is called one, in English on a phone', async () => {
    const [key] = await makeCoupons(console.site, { quota: 500_000, is_gift: true, max_uses: 5 })
    const page = await pageOf('gifted', { locale: 'en-US', viewport: PHONE })
    await visit(page, `/app/wallet?code=${key}`)
    await expect.poll(() => page.getByLabel('Redemption code').inputValue()).toBe(key)

    await page.getByRole('button', { name: 'Redeem', exact: true }).click()

    await toastWith(page, 'Gift code redeemed: you were given $1.00').waitFor()
    await expect.poll(() => whereIs(page)).toBe('/app/wallet')
    const card = page.getByRole('list', { name: 'Statement' }).getByRole('listitem')
    await expect.poll(() => card.innerText()).toMatch(/Redemption code\s+\+\$1\.00/)
  })

  it('that is blank or wrong is told beside the field', async () => {
    const page = await pageOf('guesser')
    await visit(page, '/app/wallet')
    await page.getByRole('button', { name: '兑换', exact: true }).click()
    await page.getByText('请输入兑换码！').waitFor()

    await page.getByLabel('兑换码', { exact: true }).fill('no-such-code')
    await page.getByRole('button', { name: '兑换', exact: true }).click()

    await page.locator('.ant-form-item-explain').filter({ hasText: '兑换码无效' }).waitFor()
    await expect.poll(() => page.getByLabel('兑换码', { exact: true }).inputValue()).toBe('no-such-code')
  })

  it('is sold where the operator says, or it is said that there is no such place', async () => {
    const page = await pageOf('buyer')
    await visit(page, '/app/wallet')
    await page.getByRole('button', { name: '获取兑换码' }).click()
    await toastWith(page, '超级管理员未设置充值链接！').waitFor()

    await console.setOption('TopUpLink', 'https://shop.example/codes')
    await page.reload()

    const link = page.getByRole('link', { name: '获取兑换码' })
    await expect.poll(() => link.getAttribute('href')).toBe('https://shop.example/codes')
  })
})

describe('topping up online', () => {
  it('is closed until the operator sets up a way to pay', async () => {
    const page = await pageOf('early')

    await visit(page, '/app/wallet')

    await page.getByText('管理员已关闭在线充值').waitFor()
  })

  it('leads to the gateway with the order, and shows the credit once it is paid', async () => {
    await openGateway()
    const page = await pageOf('payer')
    const arrived = await leadToGateway(page)
    await visit(page, '/app/wallet')
    await page.getByText('应付 ¥7.30').waitFor()
    await page.getByRole('button', { name: '$10', exact: true }).click()
    await page.getByText('应付 ¥73.00').waitFor()
    await page.getByText('微信支付', { exact: true }).click()
    await page.getByRole('button', { name: '充值', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await expect.poll(() => dialog.innerText()).toMatch(/\$10\.00[\s\S]*¥73\.00[\s\S]*微信支付/)

    await dialog.getByRole('button', { name: '前往支付' }).click()

    await page.getByText('pay here').waitFor()
    expect(arrived).toEqual([200])
    const form = gateway.forms.at(-1)!
    expect(form).toMatchObject({ type: 'wxpay', money: '73.00', pid: gateway.pid })
    await visit(page, '/app/wallet?tab=orders')
    await expect.poll(() => textUnder(page, form['out_trade_no']!, '状态')).toBe('待支付')

    expect(await gateway.pay(form['out_trade_no']!)).toEqual(['success'])
    await page.getByRole('button', { name: '刷新' }).click()

    await expect.poll(() => textUnder(page, form['out_trade_no']!, '状态')).toBe('已到账')
    await expect.poll(() => textUnder(page, form['out_trade_no']!, '支付金额')).toBe('¥73.00')
    await expect.poll(() => numbers(page).innerText()).toContain('$10.00')
    await page.getByRole('tab', { name: '收支明细' }).click()
    await expect.poll(() => textUnder(page, '在线充值', '关联信息')).toBe(form['out_trade_no'])
  })

  it('refuses less than the least amount, and never takes less than one', async () => {
    await openGateway()
    await console.setOption('MinTopUp', '5')
    const page = await pageOf('saver')
    await visit(page, '/app/wallet')
    const amount = page.getByLabel('充值数量（美元）')
    await expect.poll(() => amount.inputValue()).toBe('5')

    await amount.fill('-3')
    await page.getByRole('button', { name: '充值', exact: true }).click()

    await page.getByText('充值数量不能小于 5').waitFor()
    await expect.poll(() => amount.inputValue()).toBe('1')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })

  it('says so when the payment could not be asked for', async () => {
    await openGateway()
    const page = await pageOf('unlucky')
    await page.route('**/api/user/pay', (route) => route.abort())
    await visit(page, '/app/wallet')
    await page.getByRole('button', { name: '充值', exact: true }).click()

    await page.getByRole('dialog').getByRole('button', { name: '前往支付' }).click()

    await toastWith(page, '支付请求失败').waitFor()
    await expect.poll(() => whereIs(page)).toBe('/app/wallet')
  })

  it('ends on a page that leads back to the wallet', async () => {
    const page = await pageOf('returner')
    await visit(page, '/app/wallet/topup-success')
    await page.getByRole('heading', { name: '支付已完成' }).waitFor()
    await page.getByRole('button', { name: '返回首页' }).waitFor()

    await page.getByRole('button', { name: '返回钱包' }).click()

    await expect.poll(() => whereIs(page)).toBe('/app/wallet')
  })
})

describe('the statement', () => {
  it('is filtered by kind in the address, and saved as a file', async () => {
    const page = await pageOf('keeper', {}, 2_000_000)
    const client = apiClient(console.site.server.url)
    await client.login('keeper', SUPER_ADMIN.password)
    const [key] = await makeCoupons(console.site, {})
    await client.call(api.redeem, { body: { key: key! } })
    await visit(page, '/app/wallet')
    await expect.poll(() => textUnder(page, '兑换码', '变动后余额')).toBe('$4.20')
    await expect.poll(() => textUnder(page, '管理员调整', '金额')).toBe('+$4.00')

    await page.getByRole('combobox', { name: '类型' }).click()
    await page.locator('.ant-select-dropdown:visible').getByTitle('管理员调整').click()

    await rowWith(page, '兑换码').waitFor({ state: 'detached' })
    await expect.poll(() => whereIs(page)).toBe('/app/wallet?kind=admin_change')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: '导出 CSV' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^statement-\d{4}-\d\d-\d\d\.csv$/)
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[0]).toContain('time,kind,amount')
    expect(lines[1]).toContain(',admin_change,2000000,4.000000,')
  })
})

describe.each([
  { width: 360, colorScheme: 'dark', locale: 'en-US', query: '' },
  { width: 768, colorScheme: 'light', locale: 'zh-CN', query: '?tab=orders' },
  { width: 1440, colorScheme: 'dark', locale: 'zh-CN', query: '' },
  { width: 1440, colorScheme: 'light', locale: 'en-US', query: '?tab=orders' },
] as const)('at $width px, $colorScheme, $locale $query', ({ width, query, ...preferences }) => {
  it('has no fault', async () => {
    await openGateway()
    await console.site.client.call(api.startTopUp, { body: { amount: 10, payment_method: 'zfb' } })
    const page = await console.captain({ viewport: { width, height: 900 }, ...preferences })

    const found = await faultsOf(page, `/app/wallet${query}`, (shown) =>
      shown
        .getByText(/¥7\.30/)
        .first()
        .waitFor(),
    )

    expect(found).toEqual(NONE)
  })
})

/** A page of a new user of this name. */
async function pageOf(username: string, options: PageOptions = {}, quota = 0): Promise<Page> {
  await addUser(console.site, username, { quota })
  return await console.member({ username, password: SUPER_ADMIN.password }, options)
}

async function openGateway(): Promise<void> {
  await console.setOption('ServerAddress', console.site.server.url)
  await console.setOption('EpayId', gateway.pid)
  await console.setOption('EpayKey', gateway.key)
  await console.setOption('Price', '7.3')
  await console.setOption('PayAddress', GATEWAY)
}

/** Takes what the browser sends to the gateway there; gives how the gateway answered each form. */
async function leadToGateway(page: Page): Promise<number[]> {
  const answers: number[] = []
  await page.route(`${GATEWAY}/**`, async (route) => {
    const form = Object.fromEntries(new URLSearchParams(route.request().postData() ?? ''))
    answers.push(await gateway.submit(form))
    await route.fulfill({ status: 200, contentType: 'text/html', body: 'pay here' })
  })
  return answers
}

const numbers = (page: Page): Locator => page.getByRole('region', { name: '余额', exact: true })

const textUnder = async (page: Page, row: string, heading: string) =>
  (await (await cellUnder(rowWith(page, row), heading)).innerText()).trim()
