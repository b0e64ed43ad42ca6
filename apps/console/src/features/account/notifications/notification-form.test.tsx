import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { refused, succeeded } from '../../../../test/fake-server.ts'
import { aDelivery, fill, openPart, press, withSetting } from '../test-account.tsx'
import { NotificationForm } from './notification-form.tsx'

const SAVE = 'PUT /api/user/setting'
const TEST = 'POST /api/user/setting/test'
const CODE = 'GET /api/verification'
const HOOK = { notify_type: 'webhook', webhook_url: 'https://hooks.example/in' }
const openForm = (options?: Parameters<typeof openPart>[1]) =>
  openPart((user) => <NotificationForm user={user} />, options)
const threshold = () => screen.findByLabelText('余额预警')

describe('the balance warning', () => {
  it('shows the threshold in dollars and offers presets', async () => {
    const { sent } = openForm()
    expect(await threshold()).toHaveProperty('value', '1')
    expect(screen.getByText('余额低于 $1.00 时通知你')).toBeTruthy()

    press('$10.00')
    await screen.findByText('余额低于 $10.00 时通知你')
    press('保存')

    await screen.findByText('设置已保存')
    expect(sent(SAVE).map(({ body }) => body)).toEqual([{ quota_warning_threshold: 5_000_000 }])
  })

  it.each(['0', '-5', ''])('requires a positive amount, not %j', async (text) => {
    const { sent } = openForm()
    await threshold()

    fill('余额预警', text)
    press('保存')

    await screen.findByText('请输入大于 0 的金额')
    expect(sent(SAVE)).toEqual([])
  })

  it('is not saved if nothing has changed', async () => {
    const { sent } = openForm()
    await threshold()

    press('保存')

    await screen.findByText('没有需要保存的修改')
    expect(sent(SAVE)).toEqual([])
  })
})

describe('email notifications', () => {
  it('go to the account address, or to another address that is verified by a code', async () => {
    const { sent } = openForm({ user: { email: 'mira@reef.example' }, routes: { [CODE]: succeeded() } })
    await screen.findByText('留空则发送到账户邮箱 mira@reef.example')
    expect(screen.queryByLabelText('验证码')).toBeNull()

    fill('通知邮箱', ' watch@reef.example ')
    fireEvent.click(await screen.findByRole('button', { name: '获取验证码' }))
    expect(await screen.findByRole('button', { name: '30 秒后重试' })).toHaveProperty('disabled', true)
    fill('验证码', '123456')
    press('保存')

    await screen.findByText('设置已保存')
    expect(sent(CODE).map(({ query }) => query)).toEqual([{ email: 'watch@reef.example' }])
    expect(sent(SAVE).map(({ body }) => body)).toEqual([
      { notification_email: 'watch@reef.example', notification_email_code: '123456' },
    ])
  })

  it('require the code before saving', async () => {
    const { sent } = openForm({ user: { email: 'mira@reef.example' } })
    await threshold()

    fill('通知邮箱', 'watch@reef.example')
    await screen.findByLabelText('验证码')
    press('保存')

    await screen.findByText('请输入邮件中的验证码')
    expect(sent(SAVE)).toEqual([])
  })

  it('show a wrong code at its field', async () => {
    openForm({ routes: { [SAVE]: refused('code_invalid', '验证码错误或已过期') } })
    await threshold()
    fill('通知邮箱', 'watch@reef.example')
    fireEvent.change(await screen.findByLabelText('验证码'), { target: { value: '000000' } })

    press('保存')

    await screen.findByText('验证码错误或已过期')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('验证码')))
  })

  it('show that the account has no address', async () => {
    openForm()

    await screen.findByText(/账户还没有绑定邮箱/)
  })

  it('require the CAPTCHA before a code is sent', async () => {
    vi.stubGlobal('turnstile', { render: () => 'widget', remove() {} })
    const { sent } = openForm({ status: { turnstile_check: true, turnstile_site_key: 'key' } })
    await threshold()
    fill('通知邮箱', 'watch@reef.example')

    fireEvent.click(await screen.findByRole('button', { name: '获取验证码' }))

    await screen.findByText(/Turnstile 正在检查用户环境/)
    expect(sent(CODE)).toEqual([])
  })
})

describe('a webhook', () => {
  it.each([
    ['', '请填写 Webhook 地址'],
    ['http://hooks.example/in', 'Webhook 地址必须以 https:// 开头'],
    ['hooks.example', 'Webhook 地址必须以 https:// 开头'],
  ])('rejects the address %j', async (url, problem) => {
    const { sent } = openForm()
    await threshold()
    fireEvent.click(screen.getByRole('radio', { name: 'Webhook' }))

    fireEvent.change(await screen.findByLabelText('Webhook 地址'), { target: { value: url } })
    press('保存')

    await screen.findByText(problem)
    expect(sent(SAVE)).toEqual([])
  })

  it('saves the secret and clears its field', async () => {
    const { sent } = openForm({ user: withSetting(HOOK) })
    const secret = await screen.findByLabelText(/Webhook 密钥/)

    fireEvent.change(secret, { target: { value: 'hush' } })
    press('保存')

    await screen.findByText('设置已保存')
    expect(sent(SAVE).map(({ body }) => body)).toEqual([{ webhook_secret: 'hush' }])
    await waitFor(() => expect(screen.getByLabelText(/Webhook 密钥/)).toHaveProperty('value', ''))
  })

  it('includes the secret in requests only if enabled', async () => {
    const { sent } = openForm({ user: withSetting({ ...HOOK, webhook_secret_set: true, webhook_bearer: false }) })

    fireEvent.click(await screen.findByRole('switch', { name: '以 Bearer 令牌发送密钥' }))
    press('保存')

    await screen.findByText('设置已保存')
    expect(sent(SAVE).map(({ body }) => body)).toEqual([{ webhook_bearer: true }])
  })

  it('never shows the secret, but replaces or removes it', async () => {
    const { sent } = openForm({ user: withSetting({ ...HOOK, webhook_secret_set: true }) })
    fireEvent.click(await screen.findByRole('button', { name: '更换密钥' }))
    fireEvent.change(await screen.findByLabelText(/Webhook 密钥/), { target: { value: 'a slip' } })
    press('取消')
    expect(screen.queryByLabelText(/Webhook 密钥/)).toBeNull()

    press('清除密钥')
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '清除密钥' }))

    await screen.findByText('密钥已清除')
    expect(sent(SAVE).map(({ body }) => body)).toEqual([{ webhook_secret: null }])
  })

  it('documents the request with its placeholders', async () => {
    openForm({ user: withSetting(HOOK) })

    await screen.findByText('接收方会收到什么')

    for (const header of ['Authorization', 'X-Webhook-Signature', 'X-Webhook-Id'])
      expect(screen.getByText(header)).toBeTruthy()
    expect(screen.getByText(/"content": "\{\{value\}\}\\n\\n剩余额度：\{\{value\}\}/)).toBeTruthy()
  })

  it('shows a server error at the address', async () => {
    const problem = 'Webhook 地址必须以 https:// 开头，且指向公网的 443 端口'
    openForm({ user: withSetting(HOOK), routes: { [SAVE]: refused('webhook_invalid', problem) } })
    const address = await screen.findByLabelText('Webhook 地址')

    fireEvent.change(address, { target: { value: 'https://10.0.0.1/' } })
    press('保存')

    await screen.findByText(problem)
    await waitFor(() => expect(document.activeElement).toBe(address))
  })
})

describe('a test notification', () => {
  it('uses the values of the form and shows the result', async () => {
    const { sent } = openForm({
      user: withSetting(HOOK),
      routes: {
        [TEST]: succeeded(aDelivery({ type: 'test', target: 'https://new.example/', response_body: 'got it' })),
      },
    })
    fireEvent.change(await screen.findByLabelText('Webhook 地址'), { target: { value: ' https://new.example/ ' } })
    fireEvent.change(screen.getByLabelText(/Webhook 密钥/), { target: { value: 'hush' } })

    press('发送测试')

    const result = await screen.findByRole('status', { name: '测试结果' })
    for (const text of ['已送达', 'HTTP 200', 'https://new.example/', 'got it'])
      expect(within(result).getByText(text)).toBeTruthy()
    expect(within(result).getByText(/^用时 \d+\.\d\d 秒$/)).toBeTruthy()
    expect(sent(TEST).map(({ body }) => body)).toEqual([
      { notify_type: 'webhook', webhook_url: 'https://new.example/', webhook_secret: 'hush', webhook_bearer: false },
    ])
  })

  it('shows why it failed', async () => {
    const failure = { status: 'failed', response_status: null, response_body: '', error: '无法连接到该地址' } as const
    openForm({ user: withSetting(HOOK), routes: { [TEST]: succeeded(aDelivery(failure)) } })
    await screen.findByLabelText('Webhook 地址')

    press('发送测试')

    const result = await screen.findByRole('status', { name: '测试结果' })
    expect(within(result).getByText('发送失败')).toBeTruthy()
    expect(within(result).getByText('无法连接到该地址')).toBeTruthy()
  })

  it('shows that the account has no email address', async () => {
    const { sent } = openForm({ routes: { [TEST]: refused('email_missing', '请先绑定邮箱或填写通知邮箱') } })
    await threshold()

    press('发送测试')

    await screen.findByText('请先绑定邮箱或填写通知邮箱')
    expect(sent(TEST).map(({ body }) => body)).toEqual([{ notify_type: 'email' }])
  })

  it('is not sent to an invalid address', async () => {
    const { sent } = openForm({ user: withSetting(HOOK) })

    fireEvent.change(await screen.findByLabelText('Webhook 地址'), { target: { value: 'nowhere' } })
    press('发送测试')

    await screen.findByText('Webhook 地址必须以 https:// 开头')
    expect(sent(TEST)).toEqual([])
  })
})
