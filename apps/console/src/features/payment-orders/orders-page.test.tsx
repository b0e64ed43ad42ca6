import type { OrderDetail } from '@tidegate/contract/api'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { rememberUser } from '../../api/session.ts'
import { fakeServer, refused, succeeded } from '../../../test/fake-server.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aUser } from '../../../test/samples.ts'
import OrdersPage from './orders-page.tsx'

const anOrder = (changes: Partial<OrderDetail> = {}): OrderDetail => ({
  id: 5,
  user_id: 7,
  username: 'mira',
  trade_no: 'USR7NO1',
  provider: 'epay',
  payment_method: 'zfb',
  quota: 5_000_000,
  money: '73.00',
  currency: 'CNY',
  status: 'pending',
  reversed_money: '0.00',
  reversed_quota: 0,
  owed_quota: 0,
  payment_reference: '',
  rebate_reversed: 0,
  rebate_owed: 0,
  created_at: 1_700_000_000,
  completed_at: 0,
  expires_at: 1_700_086_400,
  provider_reference: '',
  events: [],
  ...changes,
})

const RECHECK = 'POST /api/topup/5/recheck'

function open(query: string, routes: Parameters<typeof fakeServer>[0] = {}) {
  const server = fakeServer({
    'GET /api/topup': succeeded({ items: [anOrder()], total: 1, page: 1, page_size: 10 }),
    'GET /api/topup/5': succeeded(anOrder()),
    ...routes,
  })
  const { address } = renderScreen(OrdersPage, { at: `/admin/orders${query}` })
  return { address, sent: (call: string) => server.seen.filter(({ method, path }) => `${method} ${path}` === call) }
}

async function recheck(): Promise<void> {
  fireEvent.click(await screen.findByRole('button', { name: '重新核对付款' }))
  fireEvent.click(await screen.findByRole('button', { name: '开始核对' }))
}

describe('the list', () => {
  it('loads the orders with the filters and page of the URL', async () => {
    const { sent } = open('?user_id=7&status=pending&trade_no=USR7NO1&page=2')

    await screen.findByText('¥73.00')
    expect(sent('GET /api/topup')).toMatchObject([
      { query: { user_id: '7', status: 'pending', trade_no: 'USR7NO1', p: '2', page_size: '20' } },
    ])
  })

  it('names the payment methods of imported orders too', async () => {
    const items = [anOrder(), anOrder({ id: 6, trade_no: 'USR7NO2', payment_method: 'wxpay' })]
    open('', { 'GET /api/topup': succeeded({ items, total: 2, page: 1, page_size: 10 }) })

    expect(within(await screen.findByRole('row', { name: /USR7NO1/ })).getByText('支付宝')).toBeTruthy()
    expect(within(screen.getByRole('row', { name: /USR7NO2/ })).getByText('微信支付')).toBeTruthy()
  })

  it('links to the payment settings for the super admin while there are no orders', async () => {
    rememberUser(aUser({ role: 100 }))
    open('', { 'GET /api/topup': succeeded({ items: [], total: 0, page: 1, page_size: 10 }) })

    const link = await screen.findByRole('link', { name: '设置在线支付' })

    expect(link.getAttribute('href')).toBe('/admin/settings?tab=system#payment')
  })
})

describe('an order that was refunded', () => {
  it('shows the reversed amount, the debt and the deliveries of an event', async () => {
    const event = { id: 1, created_at: 1_700_000_100, occurred_at: 1_700_000_090, kind: 'callback' } as const
    const order = anOrder({
      provider: 'stripe',
      currency: 'USD',
      money: '10.00',
      status: 'refunded',
      completed_at: 1_700_000_050,
      reversed_money: '10.00',
      reversed_quota: 5_000_000,
      owed_quota: 4_000_000,
      rebate_reversed: 500_000,
      events: [{ ...event, type: 'charge.refunded', outcome: 'reversed', deliveries: 3, details: {}, client_ip: '' }],
    })
    open('?drawer=order&id=5', {
      'GET /api/topup': succeeded({ items: [order], total: 1, page: 1, page_size: 10 }),
      'GET /api/topup/5': succeeded(order),
    })

    const facts = within(await screen.findByRole('region', { name: '订单信息' }))
    await facts.findByText('已退款')
    await facts.findByText('余额不足以扣回这部分额度，余额充足后会自动扣回。')
    await screen.findByText('欠款 $8.00')
    await screen.findByText('已送达 3 次')
  })
})

describe('checking with the payment service', () => {
  it('shows the result and reloads the list', async () => {
    const event = {
      id: 1,
      created_at: 1_700_000_100,
      occurred_at: 0,
      kind: 'recheck',
      type: '',
      outcome: 'wrong_money',
      deliveries: 1,
    } as const
    const { sent } = open('?drawer=order&id=5', {
      [RECHECK]: succeeded(
        anOrder({ events: [{ ...event, details: { code: 1, status: 1 }, client_ip: '192.0.2.7' }] }),
      ),
    })

    await recheck()

    await within(await screen.findByRole('alert')).findByText('金额不符，没有入账')
    expect(screen.getByText('192.0.2.7')).toBeTruthy()
    await waitFor(() => expect(sent('GET /api/topup')).toHaveLength(2))
  })

  it('loads the order again if there was no response', async () => {
    let loadCount = 0
    open('?drawer=order&id=5', {
      'GET /api/topup/5': () =>
        succeeded(anOrder(loadCount++ === 0 ? {} : { status: 'success', completed_at: 1_700_000_200 })),
      [RECHECK]: 'no-answer',
    })

    await recheck()

    await within(await screen.findByRole('alert')).findByText('核对失败')
    await within(screen.getByRole('region', { name: '订单信息' })).findByText('已到账')
  })

  it('shows that a payment service is disabled', async () => {
    open('?drawer=order&id=5', { [RECHECK]: refused('payment_closed', '管理员未开启该支付方式') })

    await recheck()

    const notice = within(await screen.findByRole('alert'))
    await notice.findByText('易支付没有启用')
    await notice.findByText('管理员未开启该支付方式')
  })
})
