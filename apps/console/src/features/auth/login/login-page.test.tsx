import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { stored } from '../../../lib/stored.ts'
import { fakeServer, refused, succeeded } from '../../../../test/fake-server.ts'
import { renderScreen } from '../../../../test/render-screen.tsx'
import { aStatus, aUser } from '../../../../test/samples.ts'
import LoginPage from './login-page.tsx'

function logIn(username: string, password: string) {
  fireEvent.change(screen.getByLabelText('用户名或邮箱'), { target: { value: username } })
  fireEvent.change(screen.getByLabelText('密码'), { target: { value: password } })
  fireEvent.click(screen.getByRole('button', { name: '登录' }))
}

describe('the sign-in page', () => {
  it('stores the user and opens the token list', async () => {
    const server = fakeServer({ 'POST /api/user/login': succeeded(aUser({ id: 5 })) })
    const { address } = renderScreen(LoginPage, { at: '/login' })

    logIn(' mira ', 'secret phrase')

    await waitFor(() => expect(address()).toBe('/app/tokens'))
    expect(server.seen[0]!.body).toEqual({ username: 'mira', password: 'secret phrase' })
    expect(stored.user.get()?.id).toBe(5)
  })

  it('opens the page of the returnTo parameter', async () => {
    fakeServer({ 'POST /api/user/login': succeeded(aUser()) })
    const { address } = renderScreen(LoginPage, { at: '/login?returnTo=%2Fapp%2Fme%3Ftab%3D2' })

    logIn('mira', 'secret')

    await waitFor(() => expect(address()).toBe('/app/me?tab=2'))
  })

  it('ignores a returnTo parameter of another site', async () => {
    fakeServer({ 'POST /api/user/login': succeeded(aUser()) })
    const { address } = renderScreen(LoginPage, { at: '/login?returnTo=%2F%2Fevil.test' })

    logIn('mira', 'secret')

    await waitFor(() => expect(address()).toBe('/app/tokens'))
  })

  it('requires both fields before it sends a request', async () => {
    const server = fakeServer({})
    renderScreen(LoginPage, { at: '/login' })

    logIn('mira', '')

    expect(await screen.findByText('请输入用户名和密码！')).toBeTruthy()
    expect(server.seen).toEqual([])
  })

  it('shows the error of the server under the password', async () => {
    fakeServer({ 'POST /api/user/login': refused('login_failed', '用户名或密码错误，或用户已被封禁') })
    const { address } = renderScreen(LoginPage, { at: '/login' })

    logIn('mira', 'wrong')

    expect((await screen.findByRole('alert')).textContent).toBe('用户名或密码错误，或用户已被封禁')
    expect(address()).toBe('/login')
    expect(stored.user.get()).toBeNull()
  })

  it('waits for the CAPTCHA, sends its token, and renews the token after an error', async () => {
    const passes: ((token: string) => void)[] = []
    const render = (_place: HTMLElement, options: { callback(token: string): void }) => {
      passes.push(options.callback)
      return 'widget'
    }
    vi.stubGlobal('turnstile', { render, remove() {} })
    const server = fakeServer({ 'POST /api/user/login': refused('login_failed', '用户名或密码错误，或用户已被封禁') })
    renderScreen(LoginPage, { at: '/login', status: aStatus({ turnstile_check: true }) })
    logIn('mira', 'wrong')
    expect(await screen.findByText('请稍后几秒重试，Turnstile 正在检查用户环境')).toBeTruthy()
    expect(server.seen).toEqual([])

    act(() => passes[0]!('a-token'))
    logIn('mira', 'wrong')

    expect(await screen.findByText('用户名或密码错误，或用户已被封禁')).toBeTruthy()
    expect(server.seen.map(({ query }) => query)).toEqual([{ turnstile: 'a-token' }])
    await waitFor(() => expect(passes).toHaveLength(2))
  })

  it('fills in the username after a registration and focuses the password', () => {
    fakeServer({})
    renderScreen(LoginPage, { at: '/login', state: { registered: 'mira' } })

    expect(screen.getByText('注册成功！请登录。')).toBeTruthy()
    expect(screen.getByLabelText('用户名或邮箱')).toHaveProperty('value', 'mira')
    expect(document.activeElement).toBe(screen.getByLabelText('密码'))
  })

  it('shows that the session has expired', () => {
    fakeServer({})
    renderScreen(LoginPage, { at: '/login?expired=true' })

    expect(screen.getByText('未登录或登录已过期，请重新登录！')).toBeTruthy()
  })

  it.each([
    ['123456', '请立刻修改默认密码！'],
    ['Captain', /猜到超级管理员的密码/],
    ['admin123', /猜到超级管理员的密码/],
  ])(
    'warns the super admin about the password %s and links to the form that changes it',
    async (password, sentence) => {
      fakeServer({ 'POST /api/user/login': succeeded(aUser({ username: 'captain', role: 100 })) })
      const { address } = renderScreen(LoginPage, { at: '/login' })

      logIn('captain@example.com', password)

      expect(await screen.findByText(sentence)).toBeTruthy()
      fireEvent.click(screen.getByRole('button', { name: '去修改' }))
      await waitFor(() => expect(address()).toBe('/app/me?tab=security&dialog=password'))
    },
  )

  it.each([
    [100, 'tide-9-anchor'],
    [10, '123456'],
  ])('does not warn role %i about the password %s', async (role, password) => {
    fakeServer({ 'POST /api/user/login': succeeded(aUser({ role })) })
    const { address } = renderScreen(LoginPage, { at: '/login' })

    logIn('mira', password)

    await waitFor(() => expect(address()).toBe('/app/tokens'))
    expect(screen.queryByRole('button', { name: '去修改' })).toBeNull()
  })

  it('links to the registration except in self-use mode', () => {
    fakeServer({})
    const { unmount } = renderScreen(LoginPage, { at: '/login' })
    expect(screen.getByRole('link', { name: '点击注册' }).getAttribute('href')).toBe('/register')
    unmount()

    renderScreen(LoginPage, { at: '/login', status: aStatus({ self_use_mode_enabled: true }) })

    expect(screen.queryByRole('link', { name: '点击注册' })).toBeNull()
  })

  it('does not link to a registration that the operator has closed', () => {
    fakeServer({})
    renderScreen(LoginPage, { at: '/login', status: aStatus({ register_enabled: false }) })

    expect(screen.queryByRole('link', { name: '点击注册' })).toBeNull()
  })

  it('hides the password form if password login is disabled', () => {
    fakeServer({})
    renderScreen(LoginPage, { at: '/login', status: aStatus({ password_login: false, github_oauth: true }) })

    expect(screen.queryByLabelText('密码')).toBeNull()
    expect(screen.getByRole('button', { name: '使用 GitHub 继续' })).toBeTruthy()
  })
})

describe('a sign-in with a second factor', () => {
  const needed = { ticket: 't-1', methods: ['totp', 'recovery_code'] }
  const LOGIN = { 'POST /api/user/login': refused('second_factor_required', '请完成两步验证', 200, needed) }
  const FINISH = 'POST /api/user/login/second'

  async function passFirstStep(password = 'secret phrase') {
    logIn('mira', password)
    await screen.findByRole('heading', { name: '两步验证' })
  }
  const typeCode = () => fireEvent.change(screen.getByLabelText('动态验证码'), { target: { value: '123456' } })

  it('stores the user only after the second factor, then opens the requested page', async () => {
    fakeServer({ ...LOGIN, [FINISH]: succeeded(aUser({ id: 4 })) })
    const { address } = renderScreen(LoginPage, { at: '/login?returnTo=%2Fapp%2Fme' })
    await passFirstStep()
    expect(stored.user.get()).toBeNull()

    typeCode()

    await waitFor(() => expect(address()).toBe('/app/me'))
    expect(stored.user.get()?.id).toBe(4)
  })

  it('starts again and shows the reason when the ticket has expired', async () => {
    fakeServer({ ...LOGIN, [FINISH]: refused('login_ticket_invalid', '登录已超时，请重新登录') })
    renderScreen(LoginPage, { at: '/login' })
    await passFirstStep()

    typeCode()

    expect(await screen.findByText('登录已超时，请重新登录')).toBeTruthy()
    expect(screen.getByLabelText('用户名或邮箱')).toBeTruthy()
  })

  it('warns the super admin about a weak password after the second factor', async () => {
    fakeServer({ ...LOGIN, [FINISH]: succeeded(aUser({ role: 100 })) })
    renderScreen(LoginPage, { at: '/login' })
    await passFirstStep('123456')

    typeCode()

    expect(await screen.findByText('请立刻修改默认密码！')).toBeTruthy()
  })
})
