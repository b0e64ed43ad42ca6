import { readFile } from 'node:fs/promises'
import { api } from '@tidegate/contract'
import { fakeEpay, type FakeEpay, fakeStripe, type FakeStripe, SUPER_ADMIN } from '@tidegate/testing'
import type { Download, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  addMember,
  respond,
  chooseFrom,
  drawerOf,
  createRedemptionCodes,
  type Member,
  openUsers,
  storedUser,
  toastWith,
} from './support/lists.ts'
import { consoleMenu, visit, currentPath } from './support/console-page.ts'
import { startConsole } from './support/start-console.ts'
import { cellUnder, rowWith } from './support/table.ts'

const ENGLISH = { locale: 'en-US' } as const
/** The content security policy allows forms to https only. The test forwards this address to the fake gateway. */
const GATEWAY = 'https://pay.example'

let gateway: FakeEpay
let stripe: FakeStripe
beforeAll(async () => {
  gateway = await fakeEpay()
  stripe = await fakeStripe()
})
const console = startConsole({ env: () => ({ TIDEGATE_STRIPE_URL: stripe.url }), verifiesLedger: true })
afterAll(() => Promise.all([gateway?.close(), stripe?.close()]))

describe('the wallet', () => {
  it('redeems the code in the address, and exports the statement of one kind', async () => {
    const owner = await addMember(console.site, 'redeemer', { quota: 1_000_000 })
    const [key] = await createRedemptionCodes(console.site, { quota: 1_250_000 })
    const page = await console.member(owner, ENGLISH)
    await visit(page, `/app/wallet?code=${key}`)
    await expect.poll(() => balance(page).innerText()).toContain('$2.00')
    await expect.poll(() => page.getByLabel('Redemption code').inputValue()).toBe(key)

    await page.getByRole('button', { name: 'Redeem', exact: true }).click()

    await toastWith(page, '$2.50 added to your balance').waitFor()
    await expect.poll(() => currentPath(page)).toBe('/app/wallet')
    await expect.poll(() => balance(page).innerText()).toContain('$4.50')
    await expect.poll(() => textUnder(page, 'Redemption code', 'Balance after')).toBe('$4.50')
    await choose(page, 'Type', 'Admin adjustment')
    await rowWith(page, 'Redemption code').waitFor({ state: 'detached' })
    await expect.poll(() => currentPath(page)).toBe('/app/wallet?kind=admin_change')
    const file = await exportCsv(page)
    expect(file.suggestedFilename()).toMatch(/^statement-\d{4}-\d\d-\d\d\.csv$/)
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(',admin_change,1000000,2.000000,')
  })

  it('sends the order to the payment gateway, and shows the credit once it is paid', async () => {
    await openGateway()
    await console.setOption('PayAddress', GATEWAY)
    const page = await console.member(await addMember(console.site, 'payer'), ENGLISH)
    const responses = await forwardToGateway(page)
    await visit(page, '/app/wallet')
    await page.getByText('Total: CN¥73.00').waitFor()
    await page.getByRole('button', { name: '$20', exact: true }).click()
    await page.getByText('Total: CN¥146.00').waitFor()
    await page.getByText('WeChat Pay', { exact: true }).click()
    await page.getByRole('button', { name: 'Top up', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await expect.poll(() => dialog.innerText()).toMatch(/\$20\.00[\s\S]*¥146\.00[\s\S]*WeChat Pay/)
    await dialog.getByRole('button', { name: 'Continue to payment' }).click()
    await page.getByText('pay here').waitFor()
    expect(responses).toEqual([200])
    const form = gateway.forms.at(-1)!
    expect(form).toMatchObject({ type: 'wxpay', money: '146.00', pid: gateway.pid })
    const number = form['out_trade_no']!
    await visit(page, '/app/wallet?tab=orders')
    await expect.poll(() => textUnder(page, number, 'Status')).toBe('Pending payment')

    expect(await gateway.pay(number)).toEqual(['success'])
    await page.getByRole('button', { name: 'Refresh' }).click()

    await expect.poll(() => textUnder(page, number, 'Status')).toBe('Credited')
    await expect.poll(() => balance(page).innerText()).toContain('$20.00')
    await page.getByRole('tab', { name: 'Statement' }).click()
    await expect.poll(() => textUnder(page, 'Online top-up', 'Description')).toContain(number)
  })
})

describe('payment orders', () => {
  let mira: Member
  beforeAll(async () => {
    mira = await addMember(console.site, 'mira')
  })
  beforeEach(openGateway)

  it('are filtered in the address by payment service, status and user, and are for administrators', async () => {
    const paid = await order(10)
    await gateway.pay(paid)
    const waiting = await order(2)
    const byCard = await order(5, 'stripe')
    const page = await console.admin(ENGLISH)
    await visit(page, '/admin/coupons')
    await consoleMenu(page).getByRole('link', { name: 'Top-up orders' }).click()
    await expect.poll(() => textUnder(page, paid, 'Status')).toBe('Credited')
    await expect.poll(() => textUnder(page, paid, 'Price')).toBe('CN¥73.00')
    await expect.poll(() => textUnder(page, byCard, 'Method')).toMatch(/Card\s+Stripe/)
    await choose(page, 'Payment provider', 'Epay')
    await rowWith(page, byCard).waitFor({ state: 'detached' })
    await choose(page, 'Status', 'Pending payment')
    await rowWith(page, paid).waitFor({ state: 'detached' })
    await page.getByRole('textbox', { name: 'User ID' }).fill(`#${mira.id}`)

    await expect.poll(() => currentPath(page)).toBe(`/admin/orders?provider=epay&status=pending&user_id=${mira.id}`)
    await rowWith(page, waiting).waitFor()
    const own = await console.member(mira, { locale: 'en-US' })
    await visit(own, '/admin/orders')
    await own.getByRole('heading', { name: "You don't have access to this page" }).waitFor()
  })

  it('show what the payment service reported, and credit an unreported payment once', async () => {
    const number = await order(20)
    await gateway.pay(number, { change: { money: '7.30' }, times: 1 })
    await gateway.pay(number, { times: 0 })
    const page = await console.admin(ENGLISH)
    await visit(page, `/admin/orders?trade_no=${number}`)
    await page.getByRole('button', { name: `Details of order ${number}` }).click()
    const drawer = drawerOf(page)
    const events = drawer.getByRole('region', { name: 'Payment events' }).getByRole('listitem')
    await expect.poll(() => events.first().innerText()).toMatch(/Amount mismatch[\s\S]*7\.30[\s\S]*127\.0\.0\.1/)
    const before = await quotaOf('mira')

    await drawer.getByRole('button', { name: 'Recheck payment' }).click()
    await page.getByText('$20.00 is added to the balance of mira immediately').waitFor()
    await respond(page, 'Check')
    await drawer.getByRole('alert').filter({ hasText: 'Paid and now credited' }).waitFor()
    expect(await quotaOf('mira')).toBe(before + 10_000_000)
    await drawer.getByRole('button', { name: 'Recheck payment' }).click()
    await respond(page, 'Check')
    await drawer.getByRole('alert').filter({ hasText: 'Paid and already credited' }).waitFor()
    expect(await quotaOf('mira')).toBe(before + 10_000_000)

    await page.goBack()
    await drawer.waitFor({ state: 'detached' })
    await expect.poll(() => textUnder(page, number, 'Status')).toBe('Credited')
  })

  it('show refunds and disputes, also in the statement of the user', async () => {
    const number = await order(10, 'stripe')
    const session = [...stripe.sessions.values()].at(-1)!
    const webhook = `${console.site.server.url}/api/payment/stripe/webhook`
    expect(await stripe.pay(webhook, session.id)).toBe(200)
    const page = await console.admin(ENGLISH)
    expect(await stripe.deliver(webhook, stripe.refund(session.id, 400))).toEqual([200])
    expect(await stripe.deliver(webhook, stripe.dispute(session.id, { amount: 600 }))).toEqual([200])

    await visit(page, `/admin/orders?trade_no=${number}`)
    await expect.poll(() => textUnder(page, number, 'Status')).toMatch(/Disputed[\s\S]*\$10\.00 reversed/)
    await page.getByRole('button', { name: `Details of order ${number}` }).click()
    const drawer = drawerOf(page)
    await expect.poll(() => drawer.innerText()).toMatch(/Credit deducted[\s\S]*needs_response[\s\S]*charge\.refunded/)

    const own = await console.member(mira, ENGLISH)
    await visit(own, '/app/wallet')
    await expect.poll(() => textUnder(own, 'Top-up refunded', 'Amount')).toBe('-$4.00')
    await expect.poll(() => textUnder(own, 'Payment dispute', 'Description')).toContain(number)
    await visit(own, '/app/wallet?tab=orders')
    await expect.poll(() => textUnder(own, number, 'Status')).toMatch(/Disputed/)
  })

  /** The number of a new order of the user. */
  async function order(amount: number, method = 'zfb'): Promise<string> {
    const response = await mira.client.call(api.startTopUp, { body: { amount, payment_method: method } })
    if (response.message === 'error') throw new Error(response.data)
    if (method === 'stripe') return [...stripe.sessions.values()].at(-1)!.client_reference_id
    await gateway.submit(response.data)
    return response.data['out_trade_no']!
  }
})

describe('the statement of a user', () => {
  it('opens from the list of users, names the administrator, exports, and leads back to the same list', async () => {
    const { id } = await addMember(console.site, 'stina', { quota: 2_000_000 })
    const page = await console.admin(ENGLISH)
    await openUsers(page, '?keyword=stina')
    await chooseFrom(page.getByRole('button', { name: 'More actions for stina' }), 'Statement')
    await page.getByRole('heading', { level: 1, name: 'Statement of stina' }).waitFor()
    await expect.poll(() => textUnder(page, 'Admin adjustment', 'Amount')).toBe('+$4.00')
    const actor = new RegExp(`^${SUPER_ADMIN.username}\\s*#1$`)
    await expect.poll(() => textUnder(page, 'Admin adjustment', 'Performed by')).toMatch(actor)
    const file = await exportCsv(page)
    expect(file.suggestedFilename()).toMatch(new RegExp(`^statement-${id}-\\d{4}-\\d\\d-\\d\\d\\.csv$`))
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
    expect(lines[1]).toMatch(new RegExp(`,admin_change,2000000,4\\.000000,.*,${SUPER_ADMIN.username}$`))

    await page.getByRole('link', { name: 'Back to users' }).click()

    await expect.poll(() => currentPath(page)).toBe('/admin/users?keyword=stina')
  })
})

async function openGateway(): Promise<void> {
  const options = {
    ServerAddress: console.site.server.url,
    EpayId: gateway.pid,
    EpayKey: gateway.key,
    Price: '7.3',
    PayAddress: gateway.url,
    'stripe.secret_key': stripe.secretKey,
    'stripe.webhook_secret': stripe.webhookSecret,
    'stripe.enabled': 'true',
  }
  for (const [key, value] of Object.entries(options)) await console.setOption(key, value)
}

/** Forwards forms for the gateway's address to the fake gateway; returns the status of each. */
async function forwardToGateway(page: Page): Promise<number[]> {
  const statuses: number[] = []
  await page.route(`${GATEWAY}/**`, async (route) => {
    const form = Object.fromEntries(new URLSearchParams(route.request().postData() ?? ''))
    statuses.push(await gateway.submit(form))
    await route.fulfill({ status: 200, contentType: 'text/html', body: 'pay here' })
  })
  return statuses
}

async function exportCsv(page: Page): Promise<Download> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  return await download
}

async function choose(page: Page, filter: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: filter }).click()
  await page.locator('.ant-select-dropdown:visible').getByTitle(option).click()
}

const quotaOf = async (username: string) => (await storedUser(console.site, username))!.quota

const balance = (page: Page): Locator => page.getByRole('region', { name: 'Balance', exact: true })

const textUnder = async (page: Page, row: string, heading: string) =>
  (await (await cellUnder(rowWith(page, row), heading)).innerText()).trim()
