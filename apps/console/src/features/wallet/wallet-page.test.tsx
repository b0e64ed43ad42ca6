import type { Status, TopUpInfo } from '@tidegate/contract/api'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { TurnstileOptions } from '../../components/auth/load-turnstile.ts'
import { fakeServer, refused, succeeded } from '../../../test/fake-server.ts'
import { showOnPhone } from '../../../test/phone.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aStatus, aUser } from '../../../test/samples.ts'
import TopUpSuccessPage from './topup-success-page.tsx'
import WalletPage from './wallet-page.tsx'

const REDEEM = 'POST /api/user/topup'
const QUOTE = 'POST /api/user/amount'
const PAY = 'POST /api/user/pay'
const CLOSED: TopUpInfo = { methods: [], min_amount: 1, top_up_link: '' }
const OPEN: TopUpInfo = { ...CLOSED, methods: [{ id: 'zfb', price: 7.3, currency: 'CNY' }] }

interface Options {
  at?: string
  status?: Partial<Status>
  info?: TopUpInfo
  routes?: Parameters<typeof fakeServer>[0]
}

function openWallet({ at = '', status = {}, info = CLOSED, routes = {} }: Options = {}) {
  const server = fakeServer({
    'GET /api/user/self': succeeded(aUser()),
    'GET /api/data/self': succeeded([]),
    'GET /api/user/topup/info': succeeded(info),
    'GET /api/user/statement': succeeded({ items: [], total: 0, page: 1, page_size: 10 }),
    [REDEEM]: succeeded({ quota: 500_000, is_gift: false }),
    [QUOTE]: { json: { message: 'success', data: '7.30' } },
    ...routes,
  })
  renderScreen(WalletPage, { at: `/app/wallet${at}`, status: aStatus(status) })
  return { sent: (call: string) => server.seen.filter(({ method, path }) => `${method} ${path}` === call) }
}

const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))

describe('the balance', () => {
  it('comes with the spending of 30 days and how long it lasts', async () => {
    openWallet({
      routes: {
        'GET /api/user/self': succeeded(aUser({ quota: 5_000_000, used_quota: 20_000_000 })),
        'GET /api/data/self': succeeded([{ quota: 10_000_000 }, { quota: 5_000_000 }]),
      },
    })

    const card = within(await screen.findByRole('region', { name: '余额' }))
    await card.findByText('按此速度还可用 10 天')
    for (const amount of ['$10.00', '$30.00', '$40.00']) expect(card.getByText(amount)).toBeTruthy()
  })

  it.each([
    [0, '已用完'],
    [100_000, '按此速度不足一天'],
  ])('of %i shows that it is %s', async (quota, text) => {
    openWallet({
      routes: {
        'GET /api/user/self': succeeded(aUser({ quota })),
        'GET /api/data/self': succeeded([{ quota: 15_000_000 }]),
      },
    })

    await screen.findByText(text)
  })
})

describe('redeeming with a CAPTCHA', () => {
  it('waits for the CAPTCHA and sends its token', async () => {
    const widgets: TurnstileOptions[] = []
    vi.stubGlobal('turnstile', {
      render: (_: HTMLElement, options: TurnstileOptions) => `widget ${widgets.push(options)}`,
      remove() {},
    })
    const { sent } = openWallet({ at: '?code=WELCOME', status: { turnstile_check: true, turnstile_site_key: 'site' } })
    await waitFor(() => expect(widgets).toHaveLength(1))
    expect(widgets[0]).toMatchObject({ action: 'redeem', sitekey: 'site' })
    await press('兑换')
    await screen.findByText('请完成人机验证！')
    expect(sent(REDEEM)).toEqual([])

    act(() => widgets[0]!.callback('a token'))
    await press('兑换')

    await screen.findByText('兑换成功，$1.00 已计入余额')
    expect(sent(REDEEM)).toMatchObject([{ query: { turnstile: 'a token' }, body: { key: 'WELCOME' } }])
  })
})

describe('a redemption code', () => {
  it('can be a gift', async () => {
    openWallet({ at: '?code=WELCOME', routes: { [REDEEM]: succeeded({ quota: 500_000, is_gift: true }) } })

    await press('兑换')

    await screen.findByText('礼品码兑换成功，获赠 $1.00')
  })

  it('must not be blank', async () => {
    const { sent } = openWallet()

    await press('兑换')

    await screen.findByText('请输入兑换码！')
    expect(sent(REDEEM)).toEqual([])
  })

  it('links to the shop that the operator set, if any', async () => {
    openWallet()
    await press('获取兑换码')
    await screen.findByText('超级管理员未设置充值链接！')
    cleanup()

    openWallet({ info: { ...CLOSED, top_up_link: 'https://shop.example/codes' } })

    const link = await screen.findByRole('link', { name: '获取兑换码' })
    expect(link.getAttribute('href')).toBe('https://shop.example/codes')
  })
})

describe('a rejected code', () => {
  it('stays in the field with the reason, and the balance is reloaded', async () => {
    const { sent } = openWallet({
      at: '?code=OLD',
      routes: { [REDEEM]: refused('redemption_expired', '该兑换码已过期') },
    })

    await press('兑换')

    await screen.findByText('该兑换码已过期')
    expect(screen.getByLabelText('兑换码')).toHaveProperty('value', 'OLD')
    await waitFor(() => expect(sent('GET /api/user/self')).toHaveLength(2))
  })
})

describe('topping up', () => {
  it('is closed without a payment method', async () => {
    openWallet()

    const card = within(await screen.findByRole('region', { name: '在线充值' }))
    expect(card.getByText('管理员已关闭在线充值')).toBeTruthy()
    expect(card.queryByRole('button')).toBeNull()
  })

  it('rejects less than the minimum amount', async () => {
    const { sent } = openWallet({ info: { ...OPEN, min_amount: 5 } })
    const amount = await screen.findByLabelText('充值数量（美元）')
    expect(amount).toHaveProperty('value', '10')

    fireEvent.change(amount, { target: { value: '3' } })
    await press('充值')

    await screen.findByText('充值数量不能小于 5')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(sent(PAY)).toEqual([])
  })

  it('shows that the payment could not be started', async () => {
    openWallet({ info: OPEN, routes: { [PAY]: 'no-answer' } })
    await screen.findByText('应付 ¥7.30')
    await press('充值')

    await press('前往支付')

    await screen.findByText('支付请求失败')
  })

  it('ends on a page with a link to the wallet', async () => {
    const { address } = renderScreen(TopUpSuccessPage, { at: '/app/wallet/topup-success' })
    await screen.findByRole('heading', { name: '支付已完成' })

    await press('返回钱包')

    expect(address()).toBe('/app/wallet')
  })

  it('shows why there is no price', async () => {
    openWallet({ info: OPEN, routes: { [QUOTE]: { json: { message: 'error', data: '充值金额过低' } } } })

    await screen.findByText('错误：充值金额过低')
  })

  it('shows the reason of a rejected order, and creates one order after two clicks', async () => {
    const { sent } = openWallet({
      info: OPEN,
      routes: { [PAY]: { json: { message: 'error', data: '无法连接支付平台，请稍后重试' } } },
    })
    await screen.findByText('应付 ¥7.30')
    await press('充值')
    const pay = await screen.findByRole('button', { name: '前往支付' })

    fireEvent.click(pay)
    fireEvent.click(pay)

    await screen.findByText('无法连接支付平台，请稍后重试')
    expect(sent(PAY)).toMatchObject([{ body: { amount: 10, payment_method: 'zfb' } }])
  })
})

describe('the history', () => {
  const line = {
    created_at: 1_770_000_000,
    kind: 'top_up',
    amount: 500_000,
    balance: 2_500_000,
    reference: 'top_up:USR1NO2',
    requests: 0,
    actor_id: 0,
    actor: '',
  }
  const statement = succeeded({ items: [line], total: 1, page: 1, page_size: 10 })

  it('is filtered by the kind in the URL, and reloads the balance too', async () => {
    const { sent } = openWallet({ at: '?kind=top_up', routes: { 'GET /api/user/statement': statement } })
    await screen.findByText('USR1NO2')
    expect(sent('GET /api/user/statement')).toMatchObject([{ query: { kind: 'top_up', p: '1', page_size: '20' } }])

    await press('刷新')

    await waitFor(() => expect(sent('GET /api/user/self')).toHaveLength(2))
    await waitFor(() => expect(sent('GET /api/user/statement')).toHaveLength(2))
  })

  it('links usage to its requests, and shows all amounts of a page with the same decimals', async () => {
    const usage = { ...line, kind: 'usage', amount: -1500, balance: 2_498_500, reference: '', requests: 3 }
    const items = [usage, line]
    openWallet({ routes: { 'GET /api/user/statement': succeeded({ items, total: 2, page: 1, page_size: 10 }) } })

    const link = await screen.findByRole('link', { name: '3 次请求' })
    expect(link.getAttribute('href')).toMatch(/^\/app\/logs\/api-usage\?start=\d+&end=\d+&username=mira$/)
    for (const amount of ['-$0.0030', '$4.9970', '+$1.0000', '$5.0000']) expect(screen.getByText(amount)).toBeTruthy()
  })

  it('has cards on a phone that show the reference after a tap', async () => {
    showOnPhone()
    openWallet({ routes: { 'GET /api/user/statement': statement } })

    await press('详情 在线充值')

    expect(screen.getByText('USR1NO2')).toBeTruthy()
  })
})
