import type { ApiToken } from '@tidegate/contract/api'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { fakeServer, refused, succeeded } from '../../testing/fake-server.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import TokensPage from './tokens-page.tsx'

const aToken = (changes: Partial<ApiToken> = {}): ApiToken => ({
  id: 4,
  user_id: 7,
  key: 'abcdefghijklmnopqrstuvwxyz0123456789',
  status: 1,
  name: 'laptop',
  created_time: 1_700_000_000,
  accessed_time: 1_700_000_000,
  expired_time: -1,
  remain_quota: 750_000,
  used_quota: 250_000,
  unlimited_quota: false,
  model_limits_enabled: false,
  model_limits: '',
  allow_ips: '',
  group: '',
  rate_limit_enabled: false,
  rate_limit_period: 60,
  rate_limit_count: 1000,
  rate_limit_success: 10,
  budget_period: '',
  budget_quota: 0,
  budget_zone: 'UTC',
  budget_resets_at: 0,
  ...changes,
})

function open(tokens: ApiToken[], at = '/app/tokens') {
  let rows = tokens
  const server = fakeServer({
    'GET /api/token': () => succeeded(rows),
    'GET /api/user/self/groups': succeeded({ default: { desc: '默认', ratio: 1 } }),
    'POST /api/token': succeeded(),
    'DELETE /api/token/4': () => {
      rows = []
      return succeeded()
    },
  })
  const view = renderScreen(TokensPage, { at })
  return { ...view, seen: (method: string) => server.seen.filter((request) => request.method === method) }
}

describe('the tokens page', () => {
  it('asks for the first page as page 0 and shows what a token may still spend', async () => {
    const { seen } = open([aToken()])

    const row = await screen.findByRole('row', { name: /laptop/ })

    expect(seen('GET')[0]!.query).toEqual({ p: '0', size: '10' })
    expect(within(row).getByText('$1.50')).toBeTruthy()
    expect(within(row).getByText('$0.50')).toBeTruthy()
    expect(within(row).getByText('永不过期')).toBeTruthy()
  })

  it('keeps the key hidden until it is asked for', async () => {
    open([aToken()])
    const row = await screen.findByRole('row', { name: /laptop/ })
    expect(row.textContent).not.toContain('sk-abcdefghijklmnop')

    fireEvent.click(within(row).getByRole('button', { name: '显示 laptop 的密钥' }))

    expect(row.textContent).toContain('sk-abcdefghijklmnopqrstuvwxyz0123456789')
  })

  it('creates a token with the amount turned into quota, and closes the drawer', async () => {
    const { seen, address } = open([], '/app/tokens?drawer=create')
    fireEvent.change(await screen.findByLabelText('名称'), { target: { value: ' build server ' } })
    fireEvent.click(screen.getByRole('button', { name: '$50' }))

    fireEvent.click(screen.getByRole('button', { name: '创建' }))

    await waitFor(() => expect(address()).toBe('/app/tokens'))
    expect(seen('POST')[0]!.body).toEqual({
      name: 'build server',
      unlimited_quota: false,
      remain_quota: 25_000_000,
      expired_time: -1,
      group: '',
    })
  })

  it('does not send a token without a name', async () => {
    const { seen } = open([], '/app/tokens?drawer=create')
    await screen.findByLabelText('名称')

    fireEvent.click(screen.getByRole('button', { name: '创建' }))

    expect(await screen.findByText('请输入名称')).toBeTruthy()
    expect(seen('POST')).toEqual([])
  })

  it('deletes a token only after a yes, and then shows the list without it', async () => {
    const { seen } = open([aToken()])
    fireEvent.click(await screen.findByRole('button', { name: '删除 laptop' }))
    const question = await screen.findByRole('dialog')
    expect(seen('DELETE')).toEqual([])

    fireEvent.click(within(question).getByRole('button', { name: '删除' }))

    expect(await screen.findByText('还没有令牌')).toBeTruthy()
    expect(seen('DELETE')).toHaveLength(1)
  })

  it('says what went wrong and offers to try again when the list cannot be loaded', async () => {
    fakeServer({ 'GET /api/token': refused('internal_error', '出错了', 500) })

    renderScreen(TokensPage, { at: '/app/tokens' })

    expect(await screen.findByText('服务器内部错误，请联系管理员！')).toBeTruthy()
    expect(screen.getByRole('button', { name: '重试' })).toBeTruthy()
  })
})
