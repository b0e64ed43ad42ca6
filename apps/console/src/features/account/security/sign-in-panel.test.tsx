import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { refused, succeeded } from '../../../../test/fake-server.ts'
import { aSecurity, aStatus } from '../../../../test/samples.ts'
import { aServer, AT, button, open, PATH, press, sent, type } from './test-security.ts'

describe('the password', () => {
  it('is changed with the original password', async () => {
    const server = aServer({ 'PUT /api/user/self': succeeded() })
    const { address } = open()
    await press('修改密码')
    type('当前密码', 'low-tide-66')
    type('新密码', 'high-tide-77')
    type('再次输入新密码', 'high-tide-77')

    await press('保存密码')

    await waitFor(() => expect(address()).toBe(PATH))
    expect(sent(server, 'PUT', '/api/user/self')[0]!.body).toEqual({
      password: 'high-tide-77',
      original_password: 'low-tide-66',
    })
  })

  it('opens from a link', async () => {
    aServer()
    open(`${PATH}&dialog=password`)

    expect(await screen.findByRole('dialog', { name: '修改密码' })).toBeTruthy()
  })

  it('must be long enough and repeated', async () => {
    const server = aServer()
    open(`${PATH}&dialog=password`)
    await screen.findByLabelText('新密码')
    type('新密码', 'short')
    type('再次输入新密码', 'other')

    await press('保存密码')

    for (const text of ['请输入当前密码', '密码长度不得小于 8 位', '两次输入的密码不一致'])
      expect(await screen.findByText(text)).toBeTruthy()
    expect(sent(server, 'PUT', '/api/user/self')).toEqual([])
  })

  it('shows a wrong original password at its field', async () => {
    aServer({ 'PUT /api/user/self': refused('original_password_wrong', '当前密码错误') })
    open(`${PATH}&dialog=password`)
    await screen.findByLabelText('当前密码')
    type('当前密码', 'wrong')
    type('新密码', 'high-tide-77')
    type('再次输入新密码', 'high-tide-77')

    await press('保存密码')

    const problem = await screen.findByText('当前密码错误')
    expect(problem.closest('.ant-form-item')?.querySelector('input')?.id).toBe(screen.getByLabelText('当前密码').id)
  })

  it('can be set without an original password by an account without one', async () => {
    const server = aServer({ 'PUT /api/user/self': succeeded() }, aSecurity({ has_password: false }))
    open()
    await press('设置密码')
    await screen.findByLabelText('新密码')
    expect(screen.queryByLabelText('当前密码')).toBeNull()
    type('新密码', 'high-tide-77')
    type('再次输入新密码', 'high-tide-77')

    await press('保存密码')

    await waitFor(() => expect(sent(server, 'PUT', '/api/user/self')).toHaveLength(1))
  })
})

describe('the email address', () => {
  it('is linked with a code, which can be resent after 30 seconds', async () => {
    const server = aServer({ 'GET /api/verification': succeeded(), 'GET /api/oauth/email/bind': succeeded() })
    const { address } = open(`${PATH}&dialog=email`)
    await screen.findByLabelText('邮箱地址')
    await press('获取验证码')
    expect(await screen.findByText('请输入邮箱地址')).toBeTruthy()
    type('邮箱地址', ' mira@example.com ')

    await press('获取验证码')
    expect(await button(/^(30|29) 秒后重试$/)).toHaveProperty('disabled', true)
    type('验证码', ' 123456 ')
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: '绑定' }))

    await waitFor(() => expect(address()).toBe(PATH))
    expect(sent(server, 'GET', '/api/verification')[0]!.query).toEqual({ email: 'mira@example.com' })
    expect(sent(server, 'GET', '/api/oauth/email/bind')[0]!.query).toEqual({
      email: 'mira@example.com',
      code: '123456',
    })
  })
})

describe('linked services', () => {
  it('shows linked and enabled services', async () => {
    const identities = [
      { service: 'github' as const, label: 'mira-dev', bound_at: AT },
      { service: 'oidc' as const, label: '', bound_at: AT },
    ]
    aServer({}, aSecurity({ identities }))
    open(PATH, aStatus({ github_oauth: true, wechat_login: true }))

    expect(await button('解绑 GitHub')).toBeTruthy()
    expect(screen.getByText(/mira-dev/)).toBeTruthy()
    expect(screen.getByRole('button', { name: '解绑 OIDC' })).toBeTruthy()
    expect(screen.getByText('登录已停用')).toBeTruthy()
    expect(screen.getByRole('button', { name: '绑定 微信' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: /Telegram|LinuxDO/ })).toBeNull()
  })

  it('redirects to the service', async () => {
    const server = aServer({ 'POST /api/oauth/start': succeeded({ url: 'https://github.test/authorize', state: 's' }) })
    const assign = vi.fn()
    open(PATH, aStatus({ github_oauth: true }))
    await button('绑定 GitHub')
    vi.stubGlobal('location', { ...window.location, assign })

    await press('绑定 GitHub')

    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://github.test/authorize'))
    expect(sent(server, 'POST', '/api/oauth/start')[0]!.body).toEqual({ service: 'github', intent: 'bind' })
  })

  it('are removed after a confirmation', async () => {
    const identities = [{ service: 'github' as const, label: 'mira-dev', bound_at: AT }]
    const server = aServer({ 'POST /api/user/identities/unbind': succeeded() }, aSecurity({ identities }))
    open()
    await press('解绑 GitHub')

    await press('解绑')

    await waitFor(() => expect(sent(server, 'POST', '/api/user/identities/unbind')).toHaveLength(1))
    expect(sent(server, 'POST', '/api/user/identities/unbind')[0]!.body).toEqual({ service: 'github' })
  })
})
