import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { refused, succeeded } from '../../../../test/fake-server.ts'
import { aUser } from '../../../../test/samples.ts'
import { fill, openAccount, openPart, press } from '../test-account.tsx'
import { InviteCard } from './invite-card.tsx'

const TRANSFER = 'POST /api/user/aff_transfer'
const earned = { aff_count: 3, aff_quota: 1_250_000, aff_history_quota: 2_500_000 }

type Options = Parameters<typeof openAccount>[0]
const openCard = (options: Options) => openPart((user) => <InviteCard user={user} />, options)

async function openTransfer(options: Options = {}) {
  const me = openCard({ user: earned, ...options })
  fireEvent.click(await screen.findByRole('button', { name: '划转到余额' }))
  await screen.findByRole('dialog', { name: '划转邀请收益' })
  return me
}

const submit = () => fireEvent.click(screen.getAllByRole('button', { name: '划转到余额' }).at(-1)!)

describe('the invite card', () => {
  it('is hidden if the site disables invites', async () => {
    openAccount({ user: earned })

    await screen.findByRole('heading', { name: 'Mira' })

    expect(screen.queryByText('邀请好友')).toBeNull()
  })

  it('shows the link and the earnings', async () => {
    openCard({ user: earned })

    const link = await screen.findByLabelText('邀请链接')

    expect(link).toHaveProperty('value', `${window.location.origin}/register?aff=TIDE2233`)
    for (const text of ['3', '$2.50', '$5.00']) expect(screen.getByText(text)).toBeTruthy()
  })

  it('disables the transfer below the minimum and shows it', async () => {
    openCard({ user: { aff_quota: 499_999 } })

    expect(await screen.findByRole('button', { name: '划转到余额' })).toHaveProperty('disabled', true)
    expect(screen.getByText('满 $1.00 即可划转')).toBeTruthy()
  })
})

describe('a transfer', () => {
  it('transfers everything and updates the earnings', async () => {
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
    expect(screen.getByLabelText('划转额度')).toHaveProperty('value', '1')

    press('全部')
    await waitFor(() => expect(screen.getByLabelText('划转额度')).toHaveProperty('value', '2.50'))
    submit()

    await screen.findByText('划转成功')
    expect(sent(TRANSFER).map(({ body }) => body)).toEqual([{ quota: 1_250_000 }])
    await screen.findByText('满 $1.00 即可划转')
  })

  it.each([
    ['0.99', '划转额度最少为 $1.00'],
    ['', '划转额度最少为 $1.00'],
    ['2.51', '邀请收益不足'],
  ])('of %j is rejected by the form', async (amount, problem) => {
    const { sent } = await openTransfer()

    fill('划转额度', amount)
    submit()

    await screen.findByText(problem)
    expect(sent(TRANSFER)).toEqual([])
  })

  it('stays open and shows the error of the server', async () => {
    await openTransfer({ routes: { [TRANSFER]: refused('aff_not_enough', '邀请额度不足') } })

    submit()

    await screen.findByText('邀请额度不足')
    expect(screen.getByRole('dialog', { name: '划转邀请收益' })).toBeTruthy()
  })
})
