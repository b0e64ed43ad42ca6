import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { TurnstileOptions } from '../../../components/auth/load-turnstile.ts'
import { refused, succeeded } from '../../../../test/fake-server.ts'
import { openAccount, openPart } from '../test-account.tsx'
import { CheckInCard } from './check-in-card.tsx'

const TAKE = 'POST /api/user/check_in'
const STATUS = 'GET /api/user/check_in_status'
const NEXT_DAY = '2026-11-16T00:00:00.000Z'

/** A server that pays the check-in reward once a day. */
function oneReward(quota = 617_283) {
  let isTaken = false
  return {
    [STATUS]: () => succeeded({ can_check_in: !isTaken, next_check_in_at: NEXT_DAY }),
    [TAKE]: () => {
      isTaken = true
      return succeeded({ quota })
    },
  }
}

const openCard = (options: Parameters<typeof openAccount>[0]) => openPart(() => <CheckInCard />, options)
const button = (name: string) => screen.findByRole('button', { name })

describe('the check-in', () => {
  it('is hidden if the site disables it', async () => {
    const { sent } = openAccount()

    await screen.findByRole('heading', { name: 'Mira' })

    expect(screen.queryByText('每日签到')).toBeNull()
    expect(sent(STATUS)).toEqual([])
  })

  it('pays once, shows the amount and reloads the balance', async () => {
    const { sent } = openCard({ routes: oneReward() })
    const time = new Intl.DateTimeFormat('zh', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
      new Date(NEXT_DAY),
    )
    await screen.findByText(`每天签到一次，领取额度；每天 ${time} 开始新的一天。`)

    fireEvent.click(await button('签到'))

    await screen.findByText('签到成功，获得 $1.23')
    expect(await button('今日已签到')).toHaveProperty('disabled', true)
    await screen.findByText(`今天的奖励已经到账，${time} 之后可以再次签到。`)
    expect(sent('GET /api/user/self')).toHaveLength(2)
  })

  it('shows amounts below one cent', async () => {
    openCard({ routes: oneReward(100) })

    fireEvent.click(await button('签到'))

    await screen.findByText('签到成功，获得 $0.0002')
  })

  it('shows why the server rejected the check-in and reloads the state', async () => {
    let isTaken = false
    openCard({
      routes: {
        [STATUS]: () => succeeded({ can_check_in: !isTaken, next_check_in_at: NEXT_DAY }),
        [TAKE]: () => {
          isTaken = true // on another device
          return refused('checkin_done', '今天已经签到过了')
        },
      },
    })

    fireEvent.click(await button('签到'))

    await screen.findByText('今天已经签到过了')
    expect(await button('今日已签到')).toHaveProperty('disabled', true)
  })

  it('shows a general error without a reason', async () => {
    openCard({ routes: { [TAKE]: 'no-answer' } })

    fireEvent.click(await button('签到'))

    await screen.findByText('签到失败，请稍后再试')
  })

  it('shows the CAPTCHA after the click, continues automatically, and does not retry automatically', async () => {
    const rendered: TurnstileOptions[] = []
    vi.stubGlobal('turnstile', {
      render: (_: HTMLElement, options: TurnstileOptions) => String(rendered.push(options)),
      remove() {},
    })
    const { sent } = openCard({
      status: { turnstile_check: true, turnstile_site_key: 'site-key' },
      routes: { [TAKE]: refused('turnstile_failed', 'Turnstile 校验失败，请刷新重试！') },
    })
    const take = await button('签到')
    expect(rendered).toHaveLength(0)

    fireEvent.click(take)
    await waitFor(() => expect(rendered).toHaveLength(1))
    expect(rendered[0]).toMatchObject({ action: 'check_in' })
    act(() => rendered[0]!.callback('a-token'))

    await screen.findByText('Turnstile 校验失败，请刷新重试！')
    expect(sent(TAKE).map(({ query }) => query)).toEqual([{ turnstile: 'a-token' }])
    await waitFor(() => expect(screen.queryByRole('group', { name: '人机验证' })).toBeNull())
    fireEvent.click(take)
    await waitFor(() => expect(rendered).toHaveLength(2))
  })
})
