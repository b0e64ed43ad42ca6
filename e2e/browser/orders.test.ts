import { api } from '@tidegate/contract'
import { apiClient, fakeEpay, type FakeEpay, fakeStripe, type FakeStripe, SUPER_ADMIN } from '@tidegate/testing'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { consoleMenu, visit, whereIs } from './console-page.ts'
import { faultsOf, NONE } from './faults.ts'
import { startConsole } from './start-console.ts'
import { cellUnder, rowWith } from './table.ts'
import { addUser, answer, drawerOf, storedUser } from './user-list.ts'

const PHONE = { width: 390, height: 844 }

let gateway: FakeEpay
let cards: FakeStripe
beforeAll(async () => {
  gateway = await fakeEpay()
  cards = await fakeStripe()
})
const console = startConsole({ env: () => ({ TIDEGATE_STRIPE_URL: cards.url }), provesBooks: true })
let mira: number
beforeAll(async () => {
  const options = {
    ServerAddress: console.site.server.url,
    PayAddress: gateway.url,
    EpayId: gateway.pid,
    EpayKey: gateway.key,
    Price: '7.3',
    'stripe.secret_key': cards.secretKey,
    'stripe.webhook_secret': cards.webhookSecret,
    'stripe.enabled': 'true',
  }
  for (const [key, value] of Object.entries(options))
    await console.site.client.call(api.updateOption, { body: { key, value } })
  mira = await addUser(console.site, 'mira')
  await addUser(console.site, 'jonas')
})
afterAll(() => Promise.all([gateway.close(), cards.close()]))

describe('the orders of all users', () => {
  it('are found by user, status, payment service and number, all in the address', async () => {
    const paid = await order('mira', 10)
    await gateway.pay(paid)
    const waiting = await order('mira', 2)
    const byCard = await order('jonas', 5, 'stripe')
    const page = await console.captain()
    await visit(page, '/admin/coupons')
    await consoleMenu(page).getByRole('link', { name: '充值订单' }).click()
    await expect.poll(() => textUnder(page, paid, '状态')).toBe('已到账')
    await expect.poll(() => textUnder(page, paid, '到账额度')).toBe('$10.00 (5,000,000)')
    await expect.poll(() => textUnder(page, paid, '支付金额')).toBe('¥73.00')
    await expect.poll(() => textUnder(page, byCard, '支付方式')).toMatch(/银行卡\s+Stripe/)
    await expect.poll(() => textUnder(page, byCard, '支付金额')).toBe('US$5.00')

    await choose(page, '支付平台', '易支付')
    await rowWith(page, byCard).waitFor({ state: 'detached' })
    await choose(page, '状态', '待支付')
    await rowWith(page, paid).waitFor({ state: 'detached' })
    await page.getByRole('textbox', { name: '用户 ID' }).fill(`#${mira}`)
    await expect.poll(() => whereIs(page)).toBe(`/admin/orders?provider=epay&status=pending&user_id=${mira}`)
    await rowWith(page, waiting).waitFor()

    await page.getByRole('textbox', { name: '用户 ID' }).fill('mira')
    await page.getByRole('heading', { name: '用户 ID 是一个数字' }).waitFor()
    await page.getByRole('button', { name: '重置条件' }).click()
    await rowWith(page, byCard).waitFor()
    await page.getByRole('textbox', { name: '完整的订单号' }).fill(paid)
    await rowWith(page, byCard).waitFor({ state: 'detached' })
    await expect.poll(() => page.locator('tbody tr.ant-table-row').count()).toBe(1)
  })

  it('open to everything the payment service said, in an address of their own', async () => {
    const number = await order('mira', 10)
    await gateway.pay(number, { change: { money: '7.30' }, times: 1 })
    await gateway.pay(number)
    const page = await console.captain()
    await visit(page, `/admin/orders?trade_no=${number}`)

    await page.getByRole('button', { name: `订单 ${number} 的详情` }).click()

    const events = drawerOf(page).getByRole('region', { name: '支付平台的消息' }).getByRole('listitem')
    await expect.poll(() => events.count()).toBe(2)
    await expect.poll(() => events.first().innerText()).toMatch(/主动通知\s+已入账[\s\S]*交易状态\s+TRADE_SUCCESS/)
    await expect.poll(() => events.nth(1).innerText()).toMatch(/金额不符，未入账[\s\S]*金额\s+7\.30[\s\S]*127\.0\.0\.1/)
    await page.reload()
    await expect.poll(() => events.count()).toBe(2)
    await page.goBack()
    await drawerOf(page).waitFor({ state: 'detached' })
  })

  it('are for administrators', async () => {
    const page = await console.member({ username: 'jonas', password: SUPER_ADMIN.password })

    expect(await visit(page, '/admin/orders')).toBe('/')
  })
})

describe('asking the payment service', () => {
  it('credits an order whose report never came, once', async () => {
    const number = await order('mira', 20)
    await gateway.pay(number, { times: 0 })
    const before = (await storedUser(console.site, 'mira'))!.quota
    const page = await console.captain()
    await openOrder(page, number)

    await drawerOf(page).getByRole('button', { name: '向支付平台核对' }).click()
    await page.getByText('$20.00 会立即计入 mira 的余额').waitFor()
    await answer(page, '开始核对')

    await notice(page, '已付款，现已到账').waitFor()
    await drawerOf(page).getByRole('region', { name: '订单信息' }).getByText('已到账').waitFor()
    expect((await storedUser(console.site, 'mira'))!.quota).toBe(before + 10_000_000)
    await drawerOf(page).getByRole('button', { name: '向支付平台核对' }).click()
    await answer(page, '开始核对')
    await notice(page, '已付款，此前已到账').waitFor()
    expect((await storedUser(console.site, 'mira'))!.quota).toBe(before + 10_000_000)
    await page.getByRole('button', { name: '关闭' }).click()
    await expect.poll(() => textUnder(page, number, '状态')).toBe('已到账')
  })

  it('tells what is still unpaid, and who could not be reached', async () => {
    const number = await order('jonas', 3)
    const page = await console.captain()
    await openOrder(page, number)

    await drawerOf(page).getByRole('button', { name: '向支付平台核对' }).click()
    await answer(page, '开始核对')
    await notice(page, '尚未付款').waitFor()

    await console.setOption('PayAddress', 'http://127.0.0.1:9')
    await drawerOf(page).getByRole('button', { name: '向支付平台核对' }).click()
    await answer(page, '开始核对')
    await notice(page, '没能联系上易支付').waitFor()
    await expect.poll(() => notice(page, '尚未付款').count()).toBe(0)
  })
})

describe.each([
  { viewport: PHONE, colorScheme: 'dark', locale: 'en-US' },
  { viewport: { width: 768, height: 900 }, colorScheme: 'light', locale: 'zh-CN' },
  { viewport: { width: 1440, height: 900 }, colorScheme: 'light', locale: 'en-US' },
] as const)('at $viewport.width px, $colorScheme, $locale', (look) => {
  it('the list and an order have no fault', async () => {
    const number = await order('mira', 10)
    await gateway.pay(number)
    const { id } = await stored(number)
    const page = await console.captain(look)

    expect(await faultsOf(page, '/admin/orders?size=20')).toEqual(NONE)
    const open = `/admin/orders?drawer=order&id=${id}`
    expect(await faultsOf(page, open, (shown) => shown.getByText('TRADE_SUCCESS').waitFor())).toEqual(NONE)
  })
})

/** An order of a user that waits to be paid; gives its number. */
async function order(username: string, amount: number, method = 'zfb'): Promise<string> {
  const client = apiClient(console.site.server.url)
  await client.login(username, SUPER_ADMIN.password)
  const answered = await client.call(api.startTopUp, { body: { amount, payment_method: method } })
  if (answered.message === 'error') throw new Error(answered.data)
  if (method === 'stripe') return [...cards.sessions.values()].at(-1)!.client_reference_id
  await gateway.submit(answered.data)
  return answered.data['out_trade_no']!
}

async function stored(number: string): Promise<api.TopUpOrder> {
  const { items } = await console.site.client.call(api.listOrders, { query: { trade_no: number } })
  return items[0]!
}

async function openOrder(page: Page, number: string): Promise<void> {
  const { id } = await stored(number)
  await page.goto(`/admin/orders?drawer=order&id=${id}`)
  await drawerOf(page).getByText(number).first().waitFor()
}

async function choose(page: Page, filter: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: filter }).click()
  await page.locator('.ant-select-dropdown:visible').getByTitle(option).click()
}

const notice = (page: Page, text: string): Locator => drawerOf(page).getByRole('alert').filter({ hasText: text })

const textUnder = async (page: Page, row: string, heading: string) =>
  (await (await cellUnder(rowWith(page, row), heading)).innerText()).trim()
