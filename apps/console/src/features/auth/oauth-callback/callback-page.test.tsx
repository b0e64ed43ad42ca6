import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { StrictMode } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Providers } from '../../../app/providers.tsx'
import { newQueryClient } from '../../../api/query-client.ts'
import { rememberUser, useSession } from '../../../api/session.ts'
import { savePendingRedirect, readPendingRedirect } from '../../../components/auth/redirect.ts'
import { stored } from '../../../lib/stored.ts'
import { fakeServer, refused, succeeded } from '../../../../test/fake-server.ts'
import { renderScreen } from '../../../../test/render-screen.tsx'
import { aUser } from '../../../../test/samples.ts'
import CallbackPage from './callback-page.tsx'

const GITHUB = 'GET /api/oauth/github'
const bound = { json: { success: true, message: 'bind' } }

/** Each address is unique, because a code is valid once. */
let visits = 0
const callback = (service = 'github') => `/oauth/${service}?code=c-${(visits += 1)}&state=s`
const open = (at: string) => renderScreen(CallbackPage, { at })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

beforeEach(() => useSession.setState({ user: null, ended: null }))
afterEach(() => sessionStorage.clear())

describe('the callback of a service', () => {
  it('sends all parameters of the service, then opens the requested page', async () => {
    savePendingRedirect({ intent: 'login', returnTo: '/app/me?tab=2' })
    stored.inviteCode.set('TIDE2233')
    const server = fakeServer({ 'GET /api/oauth/oidc': succeeded(aUser({ id: 6 })) })
    const { address } = open('/oauth/oidc?code=c&state=s&iss=https%3A%2F%2Fid.test')
    expect(screen.getByRole('heading', { name: '处理中…' })).toBeTruthy()

    await waitFor(() => expect(address()).toBe('/app/me?tab=2'))
    expect(server.seen.map(({ query }) => query)).toEqual([{ code: 'c', state: 's', iss: 'https://id.test' }])
    expect(stored.user.get()?.id).toBe(6)
    expect(readPendingRedirect()).toBeNull()
    expect(stored.inviteCode.get()).toBeNull()
  })

  it('opens the token list if the tab stored no page', async () => {
    fakeServer({ [GITHUB]: succeeded(aUser()) })
    const { address } = open(callback())

    await waitFor(() => expect(address()).toBe('/app/tokens'))
  })

  it('opens the security settings after an account was linked', async () => {
    rememberUser(aUser({ id: 5 }))
    fakeServer({ [GITHUB]: bound })
    const { address } = open(callback())

    expect(await screen.findByText('绑定成功！')).toBeTruthy()
    expect(address()).toBe('/app/me?tab=security')
    expect(stored.user.get()?.id).toBe(5)
  })

  it('sends the code once in strict mode, which mounts components twice', async () => {
    const server = fakeServer({ [GITHUB]: succeeded(aUser()) })
    const router = createMemoryRouter(
      [
        { path: '/oauth/github', Component: CallbackPage },
        { path: '*', element: <p>arrived</p> },
      ],
      { initialEntries: [callback()] },
    )
    render(
      <StrictMode>
        <Providers client={newQueryClient()}>
          <RouterProvider router={router} />
        </Providers>
      </StrictMode>,
    )

    await screen.findByText('arrived')
    expect(server.seen).toHaveLength(1)
  })

  it('shows why a sign-in failed and returns to the sign-in page with the requested page', async () => {
    savePendingRedirect({ intent: 'login', returnTo: '/app/me' })
    fakeServer({ [GITHUB]: refused('oauth_state_invalid', '登录请求无效或已过期，请重新发起', 403) })
    const { address } = open(callback())

    expect(await screen.findByText('登录请求无效或已过期，请重新发起')).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'GitHub 登录失败' })).toBeTruthy()
    press('返回登录')
    await waitFor(() => expect(address()).toBe('/login?returnTo=%2Fapp%2Fme'))
  })

  it('returns a signed-in user to the settings after a failure', async () => {
    rememberUser(aUser())
    fakeServer({ [GITHUB]: refused('oauth_already_bound', '该 GitHub 账户已被绑定') })
    const { address } = open(callback())

    expect(await screen.findByText('该 GitHub 账户已被绑定')).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'GitHub 绑定失败' })).toBeTruthy()
    press('前往个人设置')
    await waitFor(() => expect(address()).toBe('/app/me?tab=security'))
  })

  it('retries if the server did not respond', async () => {
    let isAway = true
    fakeServer({ [GITHUB]: () => (isAway ? 'no-answer' : succeeded(aUser())) })
    const { address } = open(callback())
    await screen.findByText('无法连接到服务器')

    isAway = false
    press('重试')

    await waitFor(() => expect(address()).toBe('/app/tokens'))
  })

  it('sends the error parameters if the user cancelled at the service', async () => {
    const server = fakeServer({ [GITHUB]: refused('oauth_refused', 'GitHub 未授权登录：access_denied') })
    open('/oauth/github?error=access_denied&error_description=no&state=s')

    expect(await screen.findByText('GitHub 未授权登录：access_denied')).toBeTruthy()
    expect(server.seen[0]!.query).toEqual({ error: 'access_denied', error_description: 'no', state: 's' })
  })

  it('sends no request if the address has no parameters', () => {
    const server = fakeServer({})
    open('/oauth/linuxdo')

    expect(screen.getByText('从 LinuxDO 返回时才会用到这个页面。请从登录页面重新开始。')).toBeTruthy()
    expect(server.seen).toEqual([])
  })
})

describe('the callback for an account with a second factor', () => {
  const needed = { ticket: 't-1', methods: ['totp'] }
  const asks = { [GITHUB]: refused('second_factor_required', '请完成两步验证', 200, needed) }
  const FINISH = 'POST /api/user/login/second'
  async function enterCode() {
    fireEvent.change(await screen.findByLabelText('动态验证码'), { target: { value: '123456' } })
  }

  it('asks for the second factor', async () => {
    savePendingRedirect({ intent: 'login', returnTo: '/app/me' })
    fakeServer({ ...asks, [FINISH]: succeeded(aUser({ id: 4 })) })
    const { address } = open(callback())

    await enterCode()

    await waitFor(() => expect(address()).toBe('/app/me'))
    expect(stored.user.get()?.id).toBe(4)
  })

  it('returns to the sign-in page when the ticket has expired', async () => {
    fakeServer({ ...asks, [FINISH]: refused('login_ticket_invalid', '登录已超时，请重新登录') })
    const { address } = open(callback())

    await enterCode()

    expect(await screen.findByText('登录已超时，请重新登录')).toBeTruthy()
    press('返回登录')
    await waitFor(() => expect(address()).toBe('/login'))
  })
})

describe('the callback of Telegram', () => {
  const signed = (id: number) => `/oauth/telegram?id=${id}&first_name=Mira&auth_date=1&hash=abc`

  it('sends all parameters that Telegram signed', async () => {
    savePendingRedirect({ intent: 'login', returnTo: '/app/tokens' })
    const server = fakeServer({ 'GET /api/oauth/telegram/login': succeeded(aUser()) })
    const { address } = open(signed(1))

    await waitFor(() => expect(address()).toBe('/app/tokens'))
    expect(server.seen[0]!.query).toEqual({ id: '1', first_name: 'Mira', auth_date: '1', hash: 'abc' })
  })

  it('links the account if this tab started that', async () => {
    rememberUser(aUser())
    savePendingRedirect({ intent: 'bind', returnTo: '/app/me' })
    const server = fakeServer({ 'GET /api/oauth/telegram/bind': succeeded() })
    const { address } = open(signed(2))

    await waitFor(() => expect(address()).toBe('/app/me?tab=security'))
    expect(server.seen).toHaveLength(1)
  })

  it('rejects links from other sites, which could sign the user in to a foreign account', () => {
    const server = fakeServer({})
    open(signed(3))

    expect(screen.getByText(/这次登录在别处发起/)).toBeTruthy()
    expect(server.seen).toEqual([])
  })
})
