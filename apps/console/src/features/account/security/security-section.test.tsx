import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { useSession } from '../../../api/session.ts'
import { refused, succeeded } from '../../../../test/fake-server.ts'
import { aSecurity, aUser } from '../../../../test/samples.ts'
import { aServer, AT, button, open, PATH, press, sent, type } from './test-security.ts'

describe('the sessions', () => {
  const CHROME = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36'
  const aSession = (id: string, current: boolean) => ({
    id,
    created_at: AT,
    last_seen_at: AT,
    expires_at: AT,
    client_ip: '192.0.2.7',
    user_agent: current ? '' : CHROME,
    current,
  })
  const list = succeeded([aSession('00aa', false), aSession('00bb', true)])

  it('shows devices, the current one first, and ends others', async () => {
    const server = aServer({ 'GET /api/user/sessions': list, 'DELETE /api/user/sessions/00aa': succeeded() })
    open()
    await button('退出 Chrome · Windows')
    const rows = screen.getAllByRole('listitem').filter((row) => row.textContent?.includes('192.0.2.7'))
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringContaining('未知设备当前设备'),
      expect.stringContaining('Chrome · Windows'),
    ])
    expect(within(rows[0]!).queryByRole('button')).toBeNull()

    await press('退出 Chrome · Windows')
    await press('退出')

    await waitFor(() => expect(sent(server, 'DELETE', '/api/user/sessions/00aa')).toHaveLength(1))
  })

  it('collapses long lists', async () => {
    const many = Array.from({ length: 7 }, (_, number) => aSession(`00a${number}`, number === 6))
    aServer({ 'GET /api/user/sessions': succeeded(many) })
    open()
    await press('展开全部 7 个')

    expect(screen.getAllByRole('button', { name: '退出 Chrome · Windows' })).toHaveLength(6)
  })

  it('ends all sessions, including the current one', async () => {
    aServer({ 'GET /api/user/sessions': list, 'DELETE /api/user/sessions': succeeded() })
    const { address } = open()
    await press('退出全部设备')

    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '退出全部设备' }))

    await waitFor(() => expect(address()).toBe('/login'))
    expect(useSession.getState()).toEqual({ user: null, ended: 'logged-out' })
  })
})

describe('the access token', () => {
  it('is shown once after creation', async () => {
    const server = aServer({ 'GET /api/user/token': succeeded('a-secret-token') })
    open()

    await press('生成令牌')

    expect(await button('复制系统访问令牌 a-secret-token')).toBeTruthy()
    expect(sent(server, 'GET', '/api/user/token')).toHaveLength(1)
  })

  it('is replaced after a confirmation', async () => {
    const facts = succeeded({ last_four: 'wxyz', created_at: AT, last_used_at: null })
    const server = aServer({ 'GET /api/user/token/info': facts, 'GET /api/user/token': succeeded('another-token') })
    open()
    expect(await screen.findByText('••••••••wxyz')).toBeTruthy()

    await press('重新生成')
    expect(await screen.findByText('正在使用的令牌会立即失效。')).toBeTruthy()
    expect(sent(server, 'GET', '/api/user/token')).toHaveLength(0)
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: '重新生成' }))

    expect(await button('复制系统访问令牌 another-token')).toBeTruthy()
  })
})

describe('deleting the account', () => {
  it('requires the username', async () => {
    const server = aServer()
    open(`${PATH}&dialog=delete`)
    await screen.findByLabelText(/^输入你的账户名/)
    type(/^输入你的账户名/, 'someone')

    await press('确认注销')

    expect(await screen.findByText('请输入你的账户名以确认删除！')).toBeTruthy()
    expect(sent(server, 'DELETE', '/api/user/self')).toEqual([])
  })

  it('opens the sign-in page', async () => {
    const server = aServer({
      'DELETE /api/user/self': succeeded(),
      'GET /api/user/logout': succeeded(),
      'GET /api/user/self': () =>
        sent(server, 'DELETE', '/api/user/self').length > 0
          ? refused('user_deregistered', '用户已注销', 401)
          : succeeded(aUser()),
    })
    const { address } = open(`${PATH}&dialog=delete`)
    await screen.findByLabelText(/^输入你的账户名/)
    type(/^输入你的账户名/, 'mira')

    await press('确认注销')

    await waitFor(() => expect(address()).toBe('/login'))
    expect(sent(server, 'DELETE', '/api/user/self')[0]!.query).toEqual({ username: 'mira' })
    expect(useSession.getState().user).toBeNull()
  })

  it('is not offered to the super admin', async () => {
    const root = aUser({ role: 100 })
    aServer({}, aSecurity(), root)
    open()
    await button('修改密码')

    expect(screen.queryByRole('button', { name: '注销账户' })).toBeNull()
  })
})

it('shows a load error and retries', async () => {
  let reads = 0
  aServer({
    'GET /api/user/security': () => {
      reads += 1
      return reads === 1 ? refused('internal_error', '', 500) : succeeded(aSecurity())
    },
  })
  open()

  await press('重试')

  expect(await button('修改密码')).toBeTruthy()
})
