import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { fakePasskeys } from '../../../test/fake-passkeys.ts'
import { fakeServer, refused, succeeded } from '../../../test/fake-server.ts'
import { renderPart } from '../../../test/render-part.tsx'
import { aUser } from '../../../test/samples.ts'
import { SecondStep } from './second-step.tsx'

const FINISH = 'POST /api/user/login/second'
const ASK = 'POST /api/passkey/options'

function open(methods: ('totp' | 'recovery_code' | 'passkey')[] = ['totp', 'recovery_code', 'passkey']) {
  const onUser = vi.fn()
  const onRestart = vi.fn()
  renderPart(<SecondStep needed={{ ticket: 't-1', methods }} onUser={onUser} onRestart={onRestart} />)
  return { onUser, onRestart }
}
const code = () => screen.getByLabelText<HTMLInputElement>('动态验证码')
const type = (value: string) => fireEvent.change(code(), { target: { value } })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

describe('the second step of a sign-in', () => {
  it('submits itself with the sixth digit, also if the code is pasted with a space', async () => {
    const server = fakeServer({ [FINISH]: succeeded(aUser({ id: 3 })) })
    const { onUser } = open()
    expect(document.activeElement).toBe(code())
    expect(code().autocomplete).toBe('one-time-code')

    type('123')
    expect(server.seen).toEqual([])
    type('123 456')

    await waitFor(() => expect(onUser).toHaveBeenCalledWith(expect.objectContaining({ id: 3 })))
    const sent = server.seen.filter(({ path }) => FINISH.endsWith(path))
    expect(sent.map(({ body }) => body)).toEqual([{ login_ticket: 't-1', code: '123456' }])
  })

  it('does not send one code twice', async () => {
    const server = fakeServer({ [FINISH]: () => new Promise(() => {}) })
    open()

    type('123456')
    fireEvent.submit(code().form!)

    await waitFor(() => expect(server.seen).toHaveLength(1))
  })

  it('shows a wrong code and clears the field', async () => {
    fakeServer({ [FINISH]: refused('second_factor_wrong', '动态验证码错误') })
    const { onRestart } = open()

    type('000000')

    expect(await screen.findByText('动态验证码错误')).toBeTruthy()
    expect(code().value).toBe('')
    expect(document.activeElement).toBe(code())
    type('1')
    await waitFor(() => expect(screen.queryByText('动态验证码错误')).toBeNull())
    expect(onRestart).not.toHaveBeenCalled()
  })

  it('requires all six digits', async () => {
    const server = fakeServer({})
    open()
    type('123')

    press('确认')

    expect(await screen.findByText('动态验证码是六位数字')).toBeTruthy()
    expect(server.seen).toEqual([])
  })

  it('restarts when the ticket has expired', async () => {
    fakeServer({ [FINISH]: refused('login_ticket_invalid', '登录已超时，请重新登录') })
    const { onRestart } = open()

    type('123456')

    await waitFor(() => expect(onRestart).toHaveBeenCalledWith('登录已超时，请重新登录'))
  })

  it('accepts a recovery code, with its own error text', async () => {
    const server = fakeServer({ [FINISH]: refused('second_factor_wrong', '动态验证码错误') })
    open()
    press('使用恢复码')

    fireEvent.change(screen.getByLabelText('恢复码'), { target: { value: ' abcd-efgh-jk ' } })
    press('确认')

    expect(await screen.findByText('恢复码不对，或者已经用过')).toBeTruthy()
    expect(server.seen.map(({ body }) => body)).toEqual([{ login_ticket: 't-1', code: 'abcd-efgh-jk' }])
  })

  it('accepts a passkey', async () => {
    fakePasskeys()
    const question = { ticket: 'p-1', options: { challenge: 'AQID' } }
    const server = fakeServer({ [ASK]: succeeded(question), [FINISH]: succeeded(aUser()) })
    const { onUser } = open()
    press('使用通行密钥')

    press('使用通行密钥')

    await waitFor(() => expect(onUser).toHaveBeenCalled())
    expect(server.seen.map(({ body }) => body)).toMatchObject([
      { login_ticket: 't-1' },
      { login_ticket: 't-1', passkey: { ticket: 'p-1', response: { id: 'a-passkey' } } },
    ])
  })

  it('offers only methods of the account that the browser supports', () => {
    fakeServer({})
    open(['totp', 'passkey'])

    expect(screen.queryByRole('button', { name: '使用恢复码' })).toBeNull()
    expect(screen.queryByRole('button', { name: '使用通行密钥' })).toBeNull()
  })

  it('returns to the first step', () => {
    fakeServer({})
    const { onRestart } = open()

    press('返回登录')

    expect(onRestart).toHaveBeenCalledWith('')
  })
})
