import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetUser, useSession } from '../../../api/session.ts'
import { fakeServer, refused, succeeded } from '../../../../test/fake-server.ts'
import { renderScreen } from '../../../../test/render-screen.tsx'
import { aStatus, aUser } from '../../../../test/samples.ts'
import SetupPage from './setup-page.tsx'

const fresh = { status: false, root_init: false, database_type: 'postgres', code_required: false }

const admin = aUser({ username: 'captain' })

function open(setup: Partial<typeof fresh> = {}, submission = succeeded(), at = '/setup', login = succeeded(admin)) {
  const server = fakeServer({
    'GET /api/setup': succeeded({ ...fresh, ...setup }),
    'POST /api/setup': submission,
    'POST /api/user/login': login,
  })
  renderScreen(SetupPage, { at, status: aStatus({ setup: false }) })
  const sentTo = (expectedPath: string) =>
    server.seen.filter(({ method, path }) => method === 'POST' && path === expectedPath).map(({ body }) => body)
  return { submissions: () => sentTo('/api/setup'), logins: () => sentTo('/api/user/login') }
}

const submit = () => screen.findByRole('button', { name: '初始化系统' }).then((button) => fireEvent.click(button))

async function fillAccount({ username = 'captain', password = 'longenough', confirm = 'longenough' } = {}) {
  fireEvent.change(await screen.findByLabelText('用户名'), { target: { value: username } })
  fireEvent.change(screen.getByLabelText('密码'), { target: { value: password } })
  fireEvent.change(screen.getByLabelText('确认密码'), { target: { value: confirm } })
}

describe('the setup page', () => {
  const assign = vi.fn()
  beforeEach(() => {
    assign.mockReset()
    forgetUser('logged-out')
    const href = 'https://gate.example/setup'
    vi.stubGlobal('location', { ...window.location, href, origin: 'https://gate.example', assign })
  })

  it('creates the super admin, signs them in and opens the dashboard', async () => {
    const { submissions, logins } = open()
    await fillAccount()

    await submit()

    await waitFor(() =>
      expect(submissions()).toEqual([
        {
          username: 'captain',
          password: 'longenough',
          confirmPassword: 'longenough',
          SelfUseModeEnabled: false,
          DemoSiteEnabled: false,
          ServerAddress: 'https://gate.example',
          language: 'zh',
        },
      ]),
    )
    expect(await screen.findByText('系统初始化成功，正在跳转…')).toBeTruthy()
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/app/dashboard'))
    expect(logins()).toEqual([{ username: 'captain', password: 'longenough' }])
    expect(useSession.getState().user).toEqual(admin)
  })

  it('opens the sign-in page if the super admin cannot be signed in', async () => {
    open({}, succeeded(), '/setup', refused('rate_limited', '请求过于频繁', 429))
    await fillAccount()

    await submit()

    await waitFor(() => expect(assign).toHaveBeenCalledWith('/login'))
    expect(useSession.getState().user).toBeNull()
  })

  it('suggests the address of the page and sends the edited one', async () => {
    const { submissions } = open()
    await fillAccount()
    const address = screen.getByLabelText('服务器地址')
    expect((address as HTMLInputElement).value).toBe('https://gate.example')

    fireEvent.change(address, { target: { value: 'gate.example' } })
    await submit()
    expect(await screen.findByText('请输入以 http:// 或 https:// 开头的地址')).toBeTruthy()
    fireEvent.change(address, { target: { value: 'https://public.example' } })
    await userEvent.click(screen.getByRole('radio', { name: 'English' }))
    await submit()

    await waitFor(() =>
      expect(submissions()).toMatchObject([{ ServerAddress: 'https://public.example', language: 'en' }]),
    )
  })

  it('sends the selected mode', async () => {
    const { submissions } = open()
    await fillAccount()
    await userEvent.click(screen.getByRole('radio', { name: /自用模式/ }))

    await submit()

    await waitFor(() => expect(submissions()).toMatchObject([{ SelfUseModeEnabled: true, DemoSiteEnabled: false }]))
  })

  it('requires a username, a long password and the same password again', async () => {
    const { submissions } = open()
    await fillAccount({ username: '  ', password: 'short', confirm: 'other' })

    await submit()

    expect(await screen.findByText('请输入管理员用户名')).toBeTruthy()
    expect(await screen.findByText('密码长度至少为8个字符')).toBeTruthy()
    expect(await screen.findByText('两次输入的密码不一致')).toBeTruthy()
    expect(submissions()).toEqual([])
  })

  it('rejects a username with an @', async () => {
    const { submissions } = open()
    await fillAccount({ username: 'me@home' })

    await submit()

    expect(await screen.findByText('用户名不能包含 @')).toBeTruthy()
    expect(submissions()).toEqual([])
  })

  it('hides the account fields if an administrator exists', async () => {
    const { submissions, logins } = open({ root_init: true })

    await submit()

    expect(screen.getByText(/管理员账号已经初始化过/)).toBeTruthy()
    expect(screen.queryByLabelText('用户名')).toBeNull()
    await waitFor(() => expect(submissions()).toHaveLength(1))
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/login'))
    expect(logins()).toEqual([])
  })

  it('requires the code from the server log for requests from outside', async () => {
    const { submissions } = open({ code_required: true })
    await fillAccount()

    await submit()
    expect(await screen.findByText('请输入服务器日志中打印的初始化码')).toBeTruthy()
    fireEvent.change(screen.getByLabelText('初始化码'), { target: { value: 'K7-42' } })
    await submit()

    await waitFor(() => expect(submissions()).toMatchObject([{ setup_code: 'K7-42' }]))
  })

  it('reads the code from the link that the server prints', async () => {
    const { submissions } = open({ code_required: true }, succeeded(), '/setup?code=0a1b2c')
    await fillAccount()

    await submit()

    await waitFor(() => expect(submissions()).toMatchObject([{ setup_code: '0a1b2c' }]))
  })

  it.each(['embedded', 'sqlite'])('warns to keep the data directory on a %s database', async (database_type) => {
    open({ database_type })

    expect(await screen.findByText('请保留数据目录')).toBeTruthy()
  })

  it('shows no warning with a database server', async () => {
    open()

    await screen.findByLabelText('用户名')
    expect(screen.queryByText('请保留数据目录')).toBeNull()
  })

  it('shows the error of the server and stays', async () => {
    open({}, refused('setup_done', '系统已经初始化'))
    await fillAccount()

    await submit()

    expect(await screen.findByText('系统已经初始化')).toBeTruthy()
    expect(assign).not.toHaveBeenCalled()
  })
})
