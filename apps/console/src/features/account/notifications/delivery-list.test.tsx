import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { refused, succeeded } from '../../../../test/fake-server.ts'
import { aDelivery, openPart, pageOf } from '../test-account.tsx'
import { DeliveryList } from './delivery-list.tsx'

const LIST = 'GET /api/user/deliveries'
const RETRY = 'POST /api/user/deliveries/5/retry'
const failed = aDelivery({
  status: 'failed',
  attempts: 4,
  response_status: 500,
  response_body: 'boom',
  error: '对方返回 HTTP 500',
})

const openLog = (options: Parameters<typeof openPart>[1]) => openPart(() => <DeliveryList />, options)
const row = (name: RegExp) => screen.findByRole('row', { name })

describe('the delivery list', () => {
  it('shows names of types, and details in expanded rows', async () => {
    openLog({ routes: { [LIST]: succeeded(pageOf([failed])) } })

    const shown = await row(/余额预警/)

    for (const text of ['Webhook', 'https://hooks.example/in', '发送失败', '4', 'HTTP 500'])
      expect(within(shown).getByText(text)).toBeTruthy()
    fireEvent.click(within(shown).getByRole('button', { name: /Expand|展开/ }))
    expect(await screen.findByText('boom')).toBeTruthy()
    expect(screen.getByText('对方返回 HTTP 500')).toBeTruthy()
    expect(screen.getByText('余额不足提醒')).toBeTruthy()
  })

  it('loads the page of the address', async () => {
    const { sent } = openLog({ at: '?page=2&size=20', routes: { [LIST]: succeeded(pageOf([aDelivery()], 21)) } })

    await row(/余额预警/)

    expect(sent(LIST)[0]!.query).toEqual({ p: '2', page_size: '20' })
    expect(screen.getByText('第 21–21 条，共 21 条')).toBeTruthy()
  })

  it('retries failed deliveries only', async () => {
    let delivery = failed
    const { sent } = openLog({
      routes: {
        [LIST]: () => succeeded(pageOf([delivery, aDelivery({ id: 4, type: 'test' })])),
        [RETRY]: () => {
          delivery = { ...failed, status: 'delivered', attempts: 5 }
          return succeeded(delivery)
        },
      },
    })
    expect(within(await row(/测试/)).queryByRole('button', { name: /重试/ })).toBeNull()

    fireEvent.click(within(await row(/余额预警/)).getByRole('button', { name: /重试/ }))

    await screen.findByText('已重新发送并送达')
    await waitFor(() => expect(screen.queryByText('发送失败')).toBeNull())
    expect(sent(RETRY)).toHaveLength(1)
  })

  it('shows why a retry failed', async () => {
    openLog({ routes: { [LIST]: succeeded(pageOf([failed])), [RETRY]: succeeded(failed) } })

    fireEvent.click(within(await row(/余额预警/)).getByRole('button', { name: /重试/ }))

    await screen.findByText('再次发送失败：对方返回 HTTP 500')
  })

  it('shows an empty state, and retries after an error', async () => {
    let isAway = true
    openLog({ routes: { [LIST]: () => (isAway ? refused('internal_error', '', 500) : succeeded(pageOf([]))) } })
    const retry = await screen.findByRole('button', { name: '重试' })

    isAway = false
    fireEvent.click(retry)

    await screen.findByText('还没有发送过通知')
  })
})
