import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { refused, succeeded } from '../../../../test/fake-server.ts'
import { aServer, AT, button, open, press, sent, type } from './test-security.ts'

const LIST = 'GET /api/user/automation_tokens'
const PATH = '/api/user/automation_tokens'
const SCOPES = [
  { scope: 'tokens:read', area: 'tokens' },
  { scope: 'tokens:write', area: 'tokens' },
  { scope: 'logs:read', area: 'logs' },
  { scope: 'channel_keys:read', area: 'channel_keys' },
]
const aToken = (fields = {}) => ({
  id: 7,
  name: 'nightly',
  last_four: 'wxyz',
  scopes: ['logs:read'],
  allow_ips: '',
  created_at: AT,
  expires_at: null,
  expired: false,
  last_used_at: null,
  ...fields,
})
const listed = (...items: object[]) => ({ [LIST]: succeeded({ items, scopes: SCOPES }) })
const box = (area: string, level: string) =>
  within(screen.getByRole('group', { name: area })).getByRole('checkbox', { name: level })

describe('automation tokens', () => {
  it('shows an explanation while there are none', async () => {
    aServer(listed())
    open()

    expect(await screen.findByText(/还没有自动化令牌/)).toBeTruthy()
  })

  it('are created with the selected scopes and shown once', async () => {
    const server = aServer({
      ...listed(),
      [`POST ${PATH}`]: succeeded({ ...aToken(), token: 'tgc_secret' }),
    })
    open()
    await press('新建自动化令牌')
    await screen.findByRole('dialog')
    type('名称', 'nightly')

    await press('全部只读')
    expect(box('API 令牌', '读取')).toHaveProperty('checked', true)
    expect(box('API 令牌', '修改')).toHaveProperty('checked', false)
    fireEvent.click(box('API 令牌', '读取'))
    type('允许的 IP 地址', '10.0.0.0/8')
    await press(/^创\s?建$/)

    expect(await button('复制自动化令牌 tgc_secret')).toBeTruthy()
    expect(sent(server, 'POST', PATH)[0]!.body).toMatchObject({
      name: 'nightly',
      scopes: ['logs:read'],
      allow_ips: '10.0.0.0/8',
    })
  })

  it('require a scope, and show a server error at its field', async () => {
    const server = aServer({ ...listed(), [`POST ${PATH}`]: refused('token_address_invalid', '地址无效') })
    open()
    await press('新建自动化令牌')
    await screen.findByRole('dialog')
    type('名称', 'nightly')
    await press(/^创\s?建$/)
    expect(await screen.findByText('请至少选择一项权限')).toBeTruthy()
    expect(sent(server, 'POST', PATH)).toHaveLength(0)

    await press('我的全部权限')
    await press(/^创\s?建$/)

    expect(await screen.findByText('地址无效')).toBeTruthy()
    expect(sent(server, 'POST', PATH)[0]!.body).toMatchObject({ scopes: SCOPES.map(({ scope }) => scope) })
  })

  it('are revoked after a confirmation', async () => {
    const server = aServer({ ...listed(aToken()), [`DELETE ${PATH}/7`]: succeeded() })
    open()
    await press('吊销自动化令牌 nightly')
    expect(await screen.findByText('使用它的程序会立即被拒绝。')).toBeTruthy()
    expect(sent(server, 'DELETE', `${PATH}/7`)).toHaveLength(0)

    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: /^吊\s?销$/ }))

    await waitFor(() => expect(sent(server, 'DELETE', `${PATH}/7`)).toHaveLength(1))
  })

  it('shows expired tokens', async () => {
    aServer(listed(aToken({ expires_at: AT, expired: true })))
    open()

    expect(await screen.findByText('已过期')).toBeTruthy()
  })
})
