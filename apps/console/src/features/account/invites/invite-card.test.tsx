import { fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { refused, succeeded } from '../../../../test/fake-server.ts'
import { aUser } from '../../../../test/samples.ts'
import { fill, openMe, openPart, press } from '../test-me.tsx'
import { InviteCard } from './invite-card.tsx'

const TRANSFER = 'POST /api/user/aff_transfer'
const earned = { aff_count: 3, aff_quota: 1_250_000, aff_history_quota: 2_500_000 }

type Options = Parameters<typeof openMe>[0]
const openCard = (options: Options) => openPart((user) => <InviteCard user={user} />, options)

async function openTransfer(options: Options = {}) {
  const me = openCard({ user: earned, ...options })
  fireEvent.click(await screen.findByRole('button', { name: '划转到余额' }))
  await screen.findByRole('dialog', { name: '划转邀请收益' })
  return me
}

const submit = () => fireEvent.click(screen.getAllByRole('button', { name: '划转到余额' }).at(-1)!)

describe('invitations', () => {
  it('are not spoken of while the site has none', async () => {
    openMe({ user: earned })

    await screen.findByRole('heading', { name: 'Mira' })

    expect(screen.queryByText('邀请好友')).toBeNull()
  })

  it('have a link, and show what they earned', async () => {
    openCard({ user: earned })

    const link = await screen.findByLabelText('邀请链接')

    expect(link).toHaveProperty('value', `${window.location.origin}/register?aff=TIDE2233`)
    for (const text of ['3', '$2.50', '$5.00']) expect(screen.getByText(text)).toBeTruthy()
  })

  it('cannot be transferred below one unit, and say from where', async () => {
    openCard({ user: { aff_quota: 499_999 } })

    expect(await screen.findByRole('button', { name: '划转到余额' })).toHaveProperty('disabled', true)
    expect(screen.getByText('满 $1.00 即可划转')).toBeTruthy()
  })
})

describe('a transfer', () => {
  it('moves all, and shows what is left of it', async () => {
    let left = earned.aff_quota
    const { sent } = await openTransfer({
      routes: {
        'GET /api/user/self': () => succeeded(aUser({ ...earned, aff_quota: left })),
        [TRANSFER]: () => {
          left = 0
          return succeeded()
        },
      },
    })
    expect(screen.getByText('等于 $1.00')).toBeTruthy()

    press('全部')
    await screen.findByText('等于 $2.50')
    submit()

    await screen.findByText('划转成功')
    expect(sent(TRANSFER).map(({ body }) => body)).toEqual([{ quota: 1_250_000 }])
    await screen.findByText('满 $1.00 即可划转')
  })

  it.each([
    ['499999', '划转额度最少为 $1.00（500,000 额度）'],
    ['', '划转额度最少为 $1.00（500,000 额度）'],
    ['1250001', '邀请收益不足'],
  ])('of %j is refused before it is sent', async (amount, problem) => {
    const { sent } = await openTransfer()

    fill('划转额度', amount)
    submit()

    await screen.findByText(problem)
    expect(sent(TRANSFER)).toEqual([])
  })

  it('that the server refuses says why and stays open', async () => {
    await openTransfer({ routes: { [TRANSFER]: refused('aff_not_enough', '邀请额度不足') } })

    submit()

    await screen.findByText('邀请额度不足')
    expect(screen.getByRole('dialog', { name: '划转邀请收益' })).toBeTruthy()
  })
})
