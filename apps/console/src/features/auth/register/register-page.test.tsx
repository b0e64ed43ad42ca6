import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { rememberUser, useSession } from '../../../api/session.ts'
import { stored } from '../../../lib/stored.ts'
import { fakeServer, refused, succeeded } from '../../../../test/fake-server.ts'
import { renderScreen } from '../../../../test/render-screen.tsx'
import { aStatus, aUser } from '../../../../test/samples.ts'
import RegisterPage from './register-page.tsx'

const REGISTER = 'POST /api/user/register'
const CODE = 'GET /api/verification'
const verifying = aStatus({ email_verification: true })

const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

function fillAccount({ username = 'mira', password = 'high-tide-77', again = '' } = {}) {
  fill('用户名', username)
  fill('密码', password)
  fill('确认密码', again || password)
}

beforeEach(() => useSession.setState({ user: null, ended: null }))

describe('the registration page', () => {
  it('creates an account and opens the sign-in page', async () => {
    const server = fakeServer({ [REGISTER]: succeeded() })
    const { address } = renderScreen(RegisterPage, { at: '/register' })
    fillAccount({ username: ' mira ' })

    press('注册')

    await waitFor(() => expect(address()).toBe('/login'))
    expect(server.seen.map(({ body }) => body)).toEqual([
      { username: 'mira', password: 'high-tide-77', password2: 'high-tide-77' },
    ])
  })

  it('shows an error at each field, focuses the first and sends no request', async () => {
    const server = fakeServer({})
    renderScreen(RegisterPage, { at: '/register', status: verifying })
    fillAccount({ username: '', password: 'short', again: 'other' })

    press('注册')

    for (const text of [
      '请输入用户名',
      '密码长度不得小于 8 位',
      '两次输入的密码不一致',
      '请输入邮箱地址',
      '请输入邮件中的验证码',
    ])
      expect(await screen.findByText(text)).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByLabelText('用户名'))
    expect(server.seen).toEqual([])
  })

  it.each([
    [{ username: 'thirteen-char' }, '用户名最长 12 个字符'],
    [{ username: 'mira@sea' }, '用户名不能包含 @'],
    [{ password: 'x'.repeat(129) }, '密码长度不得超过 128 位'],
  ])('checks the limits: %j', async (account, problem) => {
    fakeServer({})
    renderScreen(RegisterPage, { at: '/register' })
    fillAccount(account)

    press('注册')

    expect(await screen.findByText(problem)).toBeTruthy()
  })

  it('stores the invite code until an account is created', async () => {
    const server = fakeServer({ [REGISTER]: succeeded() })
    const { unmount } = renderScreen(RegisterPage, { at: '/register?aff=TIDE2233' })
    expect(stored.inviteCode.get()).toBe('TIDE2233')
    unmount()
    const { address } = renderScreen(RegisterPage, { at: '/register' })
    fillAccount()

    press('注册')

    await waitFor(() => expect(address()).toBe('/login'))
    expect(server.seen[0]!.body).toMatchObject({ aff_code: 'TIDE2233' })
    expect(stored.inviteCode.get()).toBeNull()
  })

  it('keeps the invite code if the server rejects the registration', async () => {
    fakeServer({ [REGISTER]: refused('register_off', '管理员关闭了新用户注册') })
    renderScreen(RegisterPage, { at: '/register?aff=TIDE2233' })
    fillAccount()

    press('注册')

    expect(await screen.findByText('管理员关闭了新用户注册')).toBeTruthy()
    expect(stored.inviteCode.get()).toBe('TIDE2233')
  })

  it('shows a server error at its field', async () => {
    fakeServer({ [REGISTER]: refused('username_taken', '用户名已存在，或已注销') })
    renderScreen(RegisterPage, { at: '/register' })
    fillAccount()
    screen.getByLabelText('确认密码').focus()

    press('注册')

    await screen.findByText('用户名已存在，或已注销')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('用户名')))
    expect(screen.queryByRole('alert', { name: '用户名已存在，或已注销' })).toBeNull()
  })

  it('adds the email fields when the server requires an address', async () => {
    fakeServer({
      [REGISTER]: refused('email_code_required', '管理员开启了邮箱验证，请输入邮箱地址和验证码'),
      'GET /api/status': succeeded(verifying),
    })
    renderScreen(RegisterPage, { at: '/register' })
    fillAccount()

    press('注册')

    expect(await screen.findByLabelText('邮箱')).toBeTruthy()
  })

  it('shows the credit of a new account', () => {
    renderScreen(RegisterPage, { at: '/register', status: aStatus({ signup_quota: 250_000 }) })

    expect(screen.getByText('注册即送 $0.50 余额')).toBeTruthy()
  })

  it('is closed in self-use mode', () => {
    fakeServer({})
    renderScreen(RegisterPage, { at: '/register', status: aStatus({ self_use_mode_enabled: true }) })

    expect(screen.getByText('本站为自用模式，不开放注册。')).toBeTruthy()
    expect(screen.queryByLabelText('用户名')).toBeNull()
  })

  it('is closed if the operator disabled registration', () => {
    fakeServer({})
    renderScreen(RegisterPage, { at: '/register', status: aStatus({ register_enabled: false, github_oauth: true }) })

    expect(screen.getByText('管理员关闭了新用户注册。')).toBeTruthy()
    expect(screen.queryByRole('button', { name: '使用 GitHub 继续' })).toBeNull()
  })

  it('offers services that create accounts, with or without the password form', () => {
    fakeServer({})
    const services = { github_oauth: true, wechat_login: true, telegram_oauth: true }
    const names = () => screen.queryAllByRole('button', { name: /使用 .* 继续/ }).map((button) => button.ariaLabel)
    const { unmount } = renderScreen(RegisterPage, { at: '/register', status: aStatus(services) })
    expect(names()).toEqual(['使用 GitHub 继续', '使用 微信 继续'])
    expect(screen.getByLabelText('用户名')).toBeTruthy()
    unmount()

    renderScreen(RegisterPage, { at: '/register', status: aStatus({ ...services, password_register: false }) })

    expect(names()).toEqual(['使用 GitHub 继续', '使用 微信 继续'])
    expect(screen.queryByLabelText('用户名')).toBeNull()
  })

  it('shows no form to a signed-in user', () => {
    fakeServer({})
    rememberUser(aUser({ username: 'mira' }))
    renderScreen(RegisterPage, { at: '/register' })

    expect(screen.getByText(/已经以 mira 的身份登录/)).toBeTruthy()
    expect(screen.queryByLabelText('用户名')).toBeNull()
  })
})

describe('the email code', () => {
  it('is requested, can be resent after 30 seconds, and is sent with the registration', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
    try {
      const server = fakeServer({ [CODE]: succeeded(), [REGISTER]: succeeded() })
      const { address } = renderScreen(RegisterPage, { at: '/register', status: verifying })
      fillAccount()
      fill('邮箱', ' mira@example.com ')

      press('获取验证码')

      const again = await screen.findByRole('button', { name: '30 秒后重试' })
      expect(again).toHaveProperty('disabled', true)
      expect(server.seen[0]).toMatchObject({ path: '/api/verification', query: { email: 'mira@example.com' } })
      await vi.advanceTimersByTimeAsync(29_000)
      await screen.findByRole('button', { name: '1 秒后重试' })
      await vi.advanceTimersByTimeAsync(1000)
      expect(await screen.findByRole('button', { name: '获取验证码' })).toHaveProperty('disabled', false)
      fill('验证码', ' 123456 ')
      press('注册')

      await waitFor(() => expect(address()).toBe('/login'))
      expect(server.seen[1]!.body).toMatchObject({ email: 'mira@example.com', verification_code: '123456' })
    } finally {
      vi.useRealTimers()
    }
  })

  it('needs an address', async () => {
    const server = fakeServer({})
    renderScreen(RegisterPage, { at: '/register', status: verifying })

    press('获取验证码')

    expect(await screen.findByText('请输入邮箱地址')).toBeTruthy()
    expect(server.seen).toEqual([])
  })

  it('can be requested again immediately after an error', async () => {
    fakeServer({ [CODE]: refused('mail_not_configured', '邮件服务器未配置，请联系管理员') })
    renderScreen(RegisterPage, { at: '/register', status: verifying })
    fill('邮箱', 'mira@example.com')

    press('获取验证码')

    expect(await screen.findByText('邮件服务器未配置，请联系管理员')).toBeTruthy()
    expect(screen.getByRole('button', { name: '获取验证码' })).toHaveProperty('disabled', false)
  })

  it('waits for the CAPTCHA', async () => {
    vi.stubGlobal('turnstile', { render: () => 'widget', remove() {} })
    const server = fakeServer({})
    renderScreen(RegisterPage, { at: '/register', status: aStatus({ ...verifying, turnstile_check: true }) })
    fill('邮箱', 'mira@example.com')

    press('获取验证码')

    expect(await screen.findByText('请稍后几秒重试，Turnstile 正在检查用户环境')).toBeTruthy()
    expect(server.seen).toEqual([])
  })
})
