import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { stored } from '../../../lib/stored.ts'
import { fakeServer, refused, succeeded } from '../../../../test/fake-server.ts'
import { renderScreen } from '../../../../test/render-screen.tsx'
import { aUser } from '../../../../test/samples.ts'
import LoginPage from './login-page.tsx'

const needed = { ticket: 't-1', methods: ['totp', 'recovery_code'] }
const LOGIN = { 'POST /api/user/login': refused('second_factor_required', '请完成两步验证', 200, needed) }
const FINISH = 'POST /api/user/login/second'

async function logIn(password = 'secret phrase') {
  fireEvent.change(screen.getByLabelText('用户名或邮箱'), { target: { value: 'mira' } })
  fireEvent.change(screen.getByLabelText('密码'), { target: { value: password } })
  fireEvent.click(screen.getByRole('button', { name: '登录' }))
  await screen.findByRole('heading', { name: '两步验证' })
}
const typeCode = () => fireEvent.change(screen.getByLabelText('动态验证码'), { target: { value: '123456' } })

describe('a login with two factors', () => {
  it('is not one before the second, and then leads where the person wanted to be', async () => {
    fakeServer({ ...LOGIN, [FINISH]: succeeded(aUser({ id: 4 })) })
    const { address } = renderScreen(LoginPage, { at: '/login?returnTo=%2Fapp%2Fme' })
    await logIn()
    expect(stored.user.get()).toBeNull()

    typeCode()

    await waitFor(() => expect(address()).toBe('/app/me'))
    expect(stored.user.get()?.id).toBe(4)
  })

  it('begins again, with the reason, when it took too long', async () => {
    fakeServer({ ...LOGIN, [FINISH]: refused('login_ticket_invalid', '登录已超时，请重新登录') })
    renderScreen(LoginPage, { at: '/login' })
    await logIn()

    typeCode()

    expect(await screen.findByText('登录已超时，请重新登录')).toBeTruthy()
    expect(screen.getByLabelText('用户名或邮箱')).toBeTruthy()
  })

  it('still has a word about the password of the super admin', async () => {
    fakeServer({ ...LOGIN, [FINISH]: succeeded(aUser({ role: 100 })) })
    renderScreen(LoginPage, { at: '/login' })
    await logIn('123456')

    typeCode()

    expect(await screen.findByText('请立刻修改默认密码！')).toBeTruthy()
  })
})
