import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { fakeServer, refused, succeeded } from '../../../../test/fake-server.ts'
import { renderScreen } from '../../../../test/render-screen.tsx'
import { aStatus } from '../../../../test/samples.ts'
import ConfirmPage from './confirm-page.tsx'
import ResetPage from './reset-page.tsx'

const ASK = 'GET /api/reset_password'
const RESET = 'POST /api/user/reset'
const LINK = '/user/reset?email=mira%40example.com&token=0123456789abcdef'

const fillEmail = (value: string) => fireEvent.change(screen.getByLabelText('邮箱'), { target: { value } })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

describe('the password reset page', () => {
  it('sends a link without confirming that the address exists, and waits before the next', async () => {
    const server = fakeServer({ [ASK]: succeeded() })
    renderScreen(ResetPage, { at: '/reset' })
    fillEmail(' mira@example.com ')

    press('发送重置邮件')

    expect(await screen.findByText('如果有账户使用 mira@example.com，重置邮件很快就会送达。')).toBeTruthy()
    expect(screen.getByRole('button', { name: /^(30|2\d) 秒后可重试$/ })).toHaveProperty('disabled', true)
    expect(server.seen.map(({ query }) => query)).toEqual([{ email: 'mira@example.com' }])
  })

  it('needs an address', async () => {
    const server = fakeServer({})
    renderScreen(ResetPage, { at: '/reset' })

    press('发送重置邮件')

    expect(await screen.findByText('请输入邮箱地址')).toBeTruthy()
    expect(server.seen).toEqual([])
  })

  it('shows an error and allows another attempt immediately', async () => {
    fakeServer({ [ASK]: refused('email_invalid', '邮箱地址无效') })
    renderScreen(ResetPage, { at: '/reset' })
    fillEmail('mira')

    press('发送重置邮件')

    expect(await screen.findByText('邮箱地址无效')).toBeTruthy()
    expect(screen.getByRole('button', { name: '发送重置邮件' })).toHaveProperty('disabled', false)
  })

  it('waits for the CAPTCHA and sends its token', async () => {
    let pass = (_token: string) => {}
    const render = (_place: HTMLElement, options: { callback(token: string): void }) => {
      pass = options.callback
      return 'widget'
    }
    vi.stubGlobal('turnstile', { render, remove() {} })
    const server = fakeServer({ [ASK]: succeeded() })
    renderScreen(ResetPage, { at: '/reset', status: aStatus({ turnstile_check: true }) })
    fillEmail('mira@example.com')
    press('发送重置邮件')
    await screen.findByText('请稍后几秒重试，Turnstile 正在检查用户环境')

    act(() => pass('a-token'))
    press('发送重置邮件')

    await screen.findByText(/重置邮件很快就会送达/)
    expect(server.seen.map(({ query }) => query)).toEqual([{ email: 'mira@example.com', turnstile: 'a-token' }])
  })
})

describe('the link in a reset email', () => {
  it('does nothing until the button is pressed, then shows the new password once', async () => {
    const server = fakeServer({ [RESET]: succeeded('Generated9Word22') })
    const { address } = renderScreen(ConfirmPage, { at: LINK })
    expect(screen.getByText(/mira@example\.com/)).toBeTruthy()
    expect(server.seen).toEqual([])

    press('重置密码')

    expect(await screen.findByText('Generated9Word22')).toBeTruthy()
    expect(server.seen.map(({ body }) => body)).toEqual([{ email: 'mira@example.com', token: '0123456789abcdef' }])
    expect(address()).toBe('/user/reset')
  })

  it('copies the password when it is clicked', async () => {
    const writeText = vi.fn(() => Promise.resolve())
    vi.stubGlobal('navigator', { ...window.navigator, clipboard: { writeText } })
    fakeServer({ [RESET]: succeeded('Generated9Word22') })
    renderScreen(ConfirmPage, { at: LINK })
    press('重置密码')

    fireEvent.click(await screen.findByText('Generated9Word22'))

    await waitFor(() => expect(writeText).toHaveBeenCalledWith('Generated9Word22'))
  })

  it('shows that a link has expired and offers another', async () => {
    fakeServer({ [RESET]: refused('reset_link_invalid', '重置链接无效或已过期') })
    renderScreen(ConfirmPage, { at: LINK })

    press('重置密码')

    expect(await screen.findByText('重置链接无效或已过期')).toBeTruthy()
    expect(screen.getByRole('link', { name: '重新发送邮件' }).getAttribute('href')).toBe('/reset')
  })

  it.each(['/user/reset', '/user/reset?email=mira%40example.com', '/user/reset?token=0123'])(
    'reports an incomplete link: %s',
    (at) => {
      fakeServer({})
      renderScreen(ConfirmPage, { at })

      expect(screen.getByRole('heading', { name: '链接不完整' })).toBeTruthy()
      expect(screen.queryByRole('button', { name: '重置密码' })).toBeNull()
    },
  )
})
