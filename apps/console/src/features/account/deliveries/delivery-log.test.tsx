import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { refused, succeeded } from '../../../../test/fake-server.ts'
import { aDelivery, openPart, pageOf } from '../test-me.tsx'
import { DeliveryLog } from './delivery-log.tsx'

const LIST = 'GET /api/user/deliveries'
const RETRY = 'POST /api/user/deliveries/5/retry'
const failed = aDelivery({
  status: 'failed',
  attempts: 4,
  response_status: 500,
  response_body: 'boom',
  error: '对方返回 HTTP 500',
})

const openLog = (options: Parameters<typeof openPart>[1]) => openPart(() => <DeliveryLog />, options)
const row = (name: RegExp) => screen.findByRole('row', { name })

describe('the delivery log', () => {
  it('shows each notice in words, and the rest when it is unfolded', async () => {
    openLog({ routes: { [LIST]: succeeded(pageOf([failed])) } })

    const shown = await row(/余额预警/)

    for (const text of ['Webhook', 'https://hooks.example/in', '发送失败', '4', 'HTTP 500'])
      expect(within(shown).getByText(text)).toBeTruthy()
    fireEvent.click(within(shown).getByRole('button', { name: /Expand|展开/ }))
    expect(await screen.findByText('boom')).toBeTruthy()
    expect(screen.getByText('对方返回 HTTP 500')).toBeTruthy()
    expect(screen.getByText('余额不足提醒')).toBeTruthy()
  })

  it('asks for the page that the address names', async () => {
    const { sent } = openLog({ at: '?page=2&size=20', routes: { [LIST]: succeeded(pageOf([aDelivery()], 21)) } })

    await row(/余额预警/)

    expect(sent(LIST)[0]!.query).toEqual({ p: '2', page_size: '20' })
    expect(screen.getByText('第 21–21 条，共 21 条')).toBeTruthy()
  })

  it('sends again what failed, and only that', async () => {
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

  it('says why a second try failed too', async () => {
    openLog({ routes: { [LIST]: succeeded(pageOf([failed])), [RETRY]: succeeded(failed) } })

    fireEvent.click(within(await row(/余额预警/)).getByRole('button', { name: /重试/ }))

    await screen.findByText('再次发送失败：对方返回 HTTP 500')
  })

  it('is empty in words, and can be loaded again after a failure', async () => {
    let isAway = true
    openLog({ routes: { [LIST]: () => (isAway ? refused('internal_error', '', 500) : succeeded(pageOf([]))) } })
    const retry = await screen.findByRole('button', { name: '重试' })

    isAway = false
    fireEvent.click(retry)

    await screen.findByText('还没有发送过通知')
  })
})
