import type { Status, TopUpInfo } from '@tidegate/contract/api'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { TurnstileOptions } from '../../lib/human-check/load-turnstile.ts'
import { fakeServer, refused, succeeded } from '../../testing/fake-server.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { aStatus, aUser } from '../../testing/samples.ts'
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

describe('redeeming where the site asks for a human check', () => {
  it('waits for the check and sends its token', async () => {
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

describe('a refused code', () => {
  it('stays in the field with the reason, and the balance is asked for anew', async () => {
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
  it('says why there is no price', async () => {
    openWallet({ info: OPEN, routes: { [QUOTE]: { json: { message: 'error', data: '充值金额过低' } } } })

    await screen.findByText('错误：充值金额过低')
  })

  it('tells the reason of a refused order, and places one order however often one clicks', async () => {
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
    expect(sent(PAY)).toMatchObject([{ body: { amount: 1, payment_method: 'zfb' } }])
  })
})
