import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { refused, succeeded } from '../../../../test/fake-server.ts'
import { aSecurity, aStatus } from '../../../../test/samples.ts'
import { aServer, AT, open, PATH, press, sent, type } from './test-security.ts'

const LAPTOP = { id: 1, name: 'laptop', backed_up: true, created_at: AT, last_used_at: null }

describe('two-factor authentication', () => {
  const BEGIN = 'POST /api/user/totp/begin'
  const setup = succeeded({ secret: 'ABCDEFGHIJKLMNOP', uri: 'otpauth://totp/Harbour:mira?secret=ABCDEFGHIJKLMNOP' })

  it('is enabled with a code and shows the recovery codes until they are saved', async () => {
    const recovery_codes = ['aaaa-bbbb-cc', 'dddd-eeee-ff']
    const server = aServer({ [BEGIN]: setup, 'POST /api/user/totp': succeeded({ recovery_codes }) })
    open()
    await press('开启')
    const dialog = await screen.findByRole('dialog', { name: '设置验证器应用' })
    expect(within(dialog).getByText('ABCD EFGH IJKL MNOP')).toBeTruthy()
    expect(within(dialog).getByRole('img', { name: '包含验证器密钥的二维码' })).toBeTruthy()
    type('应用当前显示的验证码', '123 456')
    fireEvent.click(within(dialog).getByRole('button', { name: '开启' }))

    const codes = (await screen.findByRole('checkbox', { name: '我已妥善保存' })).closest<HTMLElement>('.ant-modal')!
    expect(sent(server, 'POST', '/api/user/totp')[0]!.body).toEqual({ code: '123456' })
    expect(
      within(codes)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(recovery_codes)
    const done = within(codes).getByRole('button', { name: '完成' })
    expect(done).toHaveProperty('disabled', true)
    fireEvent.click(within(codes).getByRole('checkbox', { name: '我已妥善保存' }))
    expect(done).toHaveProperty('disabled', false)
  })

  it('shows the recovery codes even if the settings cannot be reloaded', async () => {
    let reads = 0
    aServer({
      [BEGIN]: setup,
      'POST /api/user/totp': succeeded({ recovery_codes: ['aaaa-bbbb-cc'] }),
      'GET /api/user/security': () => {
        reads += 1
        return reads === 1 ? succeeded(aSecurity()) : refused('internal_error', '', 500)
      },
    })
    open()
    await press('开启')
    await screen.findByLabelText('应用当前显示的验证码')
    type('应用当前显示的验证码', '123456')
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: '开启' }))

    expect(await screen.findByText('aaaa-bbbb-cc')).toBeTruthy()
  })

  it('is requested if the site requires a second factor', async () => {
    aServer({}, aSecurity({ second_factor_missing: true }))
    open()

    expect(await screen.findByText('请设置两步验证')).toBeTruthy()
  })

  it('shows a wrong code at the field', async () => {
    aServer({ [BEGIN]: setup, 'POST /api/user/totp': refused('second_factor_wrong', '验证码或恢复码错误') })
    open()
    await press('开启')
    await screen.findByLabelText('应用当前显示的验证码')
    type('应用当前显示的验证码', '000000')
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: '开启' }))

    expect((await screen.findByText('验证码错误，请输入应用当前显示的数字')).closest('.ant-form-item')).toBeTruthy()
  })

  it('shows the number of recovery codes and can be disabled', async () => {
    const server = aServer(
      { 'DELETE /api/user/totp': succeeded() },
      aSecurity({ totp: { enabled_at: AT, recovery_codes_left: 2 } }),
    )
    open()
    expect(await screen.findByText(/^还剩 2 个/)).toBeTruthy()
    expect(screen.getByText('所剩不多')).toBeTruthy()
    await press('关闭')

    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '关闭' }))

    await waitFor(() => expect(sent(server, 'DELETE', '/api/user/totp')).toHaveLength(1))
  })
})

describe('passkeys', () => {
  beforeEach(() => void vi.stubGlobal('PublicKeyCredential', () => {}))

  it('are listed, renamed and removed', async () => {
    const server = aServer(
      {
        'PUT /api/user/passkeys/1': succeeded(),
        'DELETE /api/user/passkeys/1': refused('last_sign_in', '这是最后一种'),
      },
      aSecurity({ passkeys: [LAPTOP] }),
    )
    open()
    expect(await screen.findByText('已同步')).toBeTruthy()
    expect(screen.getByText(/从未使用/)).toBeTruthy()
    await press('重命名通行密钥 laptop')
    await screen.findByRole('dialog', { name: '重命名通行密钥' })
    type('名称', ' desk ')
    await press('保存')
    await waitFor(() => expect(sent(server, 'PUT', '/api/user/passkeys/1')).toHaveLength(1))
    expect(sent(server, 'PUT', '/api/user/passkeys/1')[0]!.body).toEqual({ name: 'desk' })

    await press('移除通行密钥 laptop')
    await press('移除')

    expect(await screen.findByText('这是最后一种')).toBeTruthy()
  })

  it('suggests a name for a new passkey', async () => {
    aServer()
    open(`${PATH}&dialog=passkey`)

    expect(await screen.findByLabelText('名称')).not.toHaveProperty('value', '')
  })

  it.each([
    [aStatus({ server_address: '' }), '通行密钥需要绑定站点域名，管理员尚未设置。'],
    [aStatus({ server_address: 'https://tide.example' }), /只能在 https:\/\/tide\.example 使用/],
  ])('shows why none can be added', async (status, text) => {
    aServer()
    open(PATH, status)

    expect(await screen.findByText(text)).toBeTruthy()
    expect(screen.queryByRole('button', { name: '添加通行密钥' })).toBeNull()
  })
})
