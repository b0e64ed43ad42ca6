import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readPendingRedirect } from '../../../components/auth/redirect.ts'
import { stored } from '../../../lib/stored.ts'
import { fakePasskeys } from '../../../../test/fake-passkeys.ts'
import { fakeServer, refused, succeeded } from '../../../../test/fake-server.ts'
import { renderScreen } from '../../../../test/render-screen.tsx'
import { aStatus, aUser } from '../../../../test/samples.ts'
import LoginPage from './login-page.tsx'

const START = 'POST /api/oauth/start'
const every = {
  github_oauth: true,
  oidc_enabled: true,
  linuxdo_oauth: true,
  wechat_login: true,
  telegram_oauth: true,
}
const open = (status: Parameters<typeof aStatus>[0], at = '/login') =>
  renderScreen(LoginPage, { at, status: aStatus(status) })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

afterEach(() => sessionStorage.clear())

describe('sign-in services', () => {
  const assign = vi.fn()
  beforeEach(() => {
    assign.mockReset()
    vi.stubGlobal('location', { ...window.location, href: 'http://localhost/login', assign })
  })

  it('shows the enabled services in a fixed order', () => {
    fakeServer({})
    const { unmount } = open({ github_oauth: true, wechat_login: true })
    const names = () => screen.queryAllByRole('button', { name: /使用 .* 继续/ }).map((button) => button.ariaLabel)
    expect(names()).toEqual(['使用 GitHub 继续', '使用 微信 继续'])
    unmount()

    open(every)

    expect(names()).toEqual(['GitHub', 'OIDC', 'LinuxDO', '微信', 'Telegram'].map((name) => `使用 ${name} 继续`))
  })

  it('sends the invite code and stores the page to return to', async () => {
    stored.inviteCode.set('TIDE2233')
    const server = fakeServer({ [START]: succeeded({ url: 'https://github.test/authorize?state=s', state: 's' }) })
    open(every, '/login?returnTo=%2Fapp%2Fme')

    press('使用 GitHub 继续')

    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://github.test/authorize?state=s'))
    expect(server.seen[0]!.body).toEqual({ service: 'github', intent: 'login', aff: 'TIDE2233' })
    expect(readPendingRedirect()).toEqual({ intent: 'login', returnTo: '/app/me' })
  })

  it('enables the buttons again after the browser back button', async () => {
    fakeServer({ [START]: succeeded({ url: 'https://github.test/authorize', state: 's' }) })
    open(every)
    press('使用 GitHub 继续')
    await waitFor(() => expect(assign).toHaveBeenCalledOnce())
    expect(screen.getByRole('button', { name: '使用 OIDC 继续' })).toHaveProperty('disabled', true)

    fireEvent(window, new Event('pageshow'))

    expect(screen.getByRole('button', { name: '使用 OIDC 继续' })).toHaveProperty('disabled', false)
  })

  it('shows an error if a service is unreachable and keeps the other services usable', async () => {
    fakeServer({ [START]: refused('oauth_unreachable', '无法连接至 OIDC 服务器，请稍后重试') })
    open(every)

    press('使用 OIDC 继续')

    expect(await screen.findByText('无法连接至 OIDC 服务器，请稍后重试')).toBeTruthy()
    expect(assign).not.toHaveBeenCalled()
    expect(screen.getByRole('button', { name: '使用 GitHub 继续' })).toHaveProperty('disabled', false)
  })
})

describe('WeChat', () => {
  const WECHAT = 'GET /api/oauth/wechat'
  const qr = { wechat_login: true, wechat_qrcode: 'https://pictures.test/account.png' }
  async function enterCode(code: string) {
    press('使用 微信 继续')
    fireEvent.change(await screen.findByLabelText('验证码'), { target: { value: code } })
    const dialog = screen.getByRole('dialog')
    fireEvent.click([...dialog.querySelectorAll('button')].find((button) => button.textContent === '登录')!)
  }

  it('signs in with the code from the WeChat account', async () => {
    const server = fakeServer({ [WECHAT]: succeeded(aUser({ id: 8 })) })
    const { address } = open(qr, '/login?returnTo=%2Fapp%2Fme')

    await enterCode(' 123 456 ')

    await waitFor(() => expect(address()).toBe('/app/me'))
    expect(server.seen.map(({ query }) => query)).toEqual([{ code: '123456' }])
    expect(stored.user.get()?.id).toBe(8)
  })

  it('shows the QR code, and other instructions without one', async () => {
    fakeServer({})
    const { unmount } = open(qr)
    press('使用 微信 继续')
    const picture = await screen.findByRole('img', { name: '公众号二维码' })
    expect(picture.getAttribute('src')).toBe(qr.wechat_qrcode)
    fireEvent.error(picture)
    expect(screen.queryByRole('img', { name: '公众号二维码' })).toBeNull()
    unmount()

    open({ wechat_login: true })
    press('使用 微信 继续')

    expect(await screen.findByText(/在微信中关注本站的公众号/)).toBeTruthy()
  })

  it('shows missing and wrong codes at the field', async () => {
    const server = fakeServer({ [WECHAT]: refused('code_invalid', '验证码错误或已过期') })
    open(qr)

    await enterCode('')
    expect(await screen.findByText('请输入公众号回复的验证码')).toBeTruthy()
    expect(server.seen).toEqual([])
    await enterCode('000000')

    expect(await screen.findByText('验证码错误或已过期')).toBeTruthy()
  })

  it('continues with the second factor', async () => {
    const needed = { ticket: 't-1', methods: ['totp', 'recovery_code'] }
    fakeServer({ [WECHAT]: refused('second_factor_required', '请完成两步验证', 200, needed) })
    open(qr)

    await enterCode('123456')

    expect(await screen.findByRole('heading', { name: '两步验证' })).toBeTruthy()
  })
})

describe('Telegram', () => {
  const scripts = () => [...document.querySelectorAll<HTMLScriptElement>('script[src*="telegram"]')]
  const telegram = { telegram_oauth: true, telegram_bot_name: 'tide_bot' }

  it('loads the widget when the dialog opens, with a callback page of the console', async () => {
    fakeServer({})
    open(telegram, '/login?returnTo=%2Fapp%2Fme')
    expect(scripts()).toEqual([])

    press('使用 Telegram 继续')

    await waitFor(() => expect(scripts()).toHaveLength(1))
    expect(scripts()[0]!.src).toMatch(/^https:\/\/telegram\.org\/js\//)
    expect({ ...scripts()[0]!.dataset }).toEqual({
      telegramLogin: 'tide_bot',
      size: 'large',
      authUrl: `${window.location.origin}/oauth/telegram`,
    })
    expect(readPendingRedirect()).toEqual({ intent: 'login', returnTo: '/app/me' })
  })

  it('clears the pending redirect when the dialog closes, so that a link cannot finish it', async () => {
    fakeServer({})
    open(telegram)
    press('使用 Telegram 继续')
    await waitFor(() => expect(readPendingRedirect()).not.toBeNull())

    fireEvent.click(await screen.findByRole('button', { name: '关闭' }))

    await waitFor(() => expect(readPendingRedirect()).toBeNull())
  })

  it('shows an error if the script does not load, and retries', async () => {
    fakeServer({})
    open(telegram)
    press('使用 Telegram 继续')
    await waitFor(() => expect(scripts()).toHaveLength(1))
    const first = scripts()[0]!

    fireEvent.error(first)
    fireEvent.click(await screen.findByRole('button', { name: '重试' }))

    await waitFor(() => expect(scripts()).toHaveLength(1))
    expect(scripts()[0]).not.toBe(first)
  })
})

describe('passkeys', () => {
  const ASK = 'POST /api/passkey/options'
  const LOGIN = 'POST /api/user/login/passkey'
  const question = { ticket: 'p-1', options: { challenge: 'AQID', rpId: 'localhost' } }
  const here = { server_address: window.location.origin }

  it('signs in without a username', async () => {
    fakePasskeys()
    const server = fakeServer({ [ASK]: succeeded(question), [LOGIN]: succeeded(aUser({ id: 9 })) })
    const { address } = open(here)

    press('使用通行密钥登录')

    await waitFor(() => expect(address()).toBe('/app/tokens'))
    expect(server.seen.map(({ body }) => body)).toMatchObject([{}, { ticket: 'p-1', response: { id: 'a-passkey' } }])
    expect(stored.user.get()?.id).toBe(9)
  })

  it('shows an error if the user cancels the prompt', async () => {
    fakePasskeys().refuse()
    fakeServer({ [ASK]: succeeded(question) })
    const { address } = open(here)

    press('使用通行密钥登录')

    expect(await screen.findByRole('alert')).toBeTruthy()
    expect(address()).toBe('/login')
  })

  it.each([
    ['the site has no address', ''],
    ['the site has another address', 'https://elsewhere.test'],
  ])('are not offered if %s', (_, server_address) => {
    fakePasskeys()
    fakeServer({})
    open({ server_address })

    expect(screen.queryByRole('button', { name: '使用通行密钥登录' })).toBeNull()
  })

  it('are not offered by a browser without support', () => {
    fakeServer({})
    open(here)

    expect(screen.queryByRole('button', { name: '使用通行密钥登录' })).toBeNull()
  })
})
