import type { ApiToken } from '@tidegate/contract/api'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { rememberUser } from '../../api/session.ts'
import { fakeServer, refused, succeeded } from '../../../test/fake-server.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aStatus, aUser } from '../../../test/samples.ts'
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
  tokens_per_minute: 0,
  max_concurrency: 0,
  store_responses: true,
  budget_period: '',
  budget_quota: 0,
  budget_zone: 'UTC',
  budget_resets_at: 0,
  ...changes,
})

beforeEach(() => rememberUser(aUser({ group: 'default' })))

interface Options {
  at?: string
  total?: number
  status?: Parameters<typeof aStatus>[0]
  routes?: Parameters<typeof fakeServer>[0]
}

function open(tokens: ApiToken[], { at = '', total = tokens.length, status = {}, routes = {} }: Options = {}) {
  const list = {
    headers: { 'x-total-count': String(total) },
    json: { success: true, message: '', data: tokens },
  }
  const server = fakeServer({
    'GET /api/token': list,
    'GET /api/token/search': list,
    'GET /api/token/4': succeeded(tokens[0]),
    'GET /api/user/self/groups': succeeded({
      default: { desc: '默认', ratio: 1 },
      fast: { desc: '快', ratio: 2 },
      vip: { desc: '贵宾', ratio: 4 },
      gold: { desc: '黄金', ratio: 6 },
    }),
    'GET /api/user/models': succeeded(['m-1', 'm-2']),
    ...routes,
  })
  const view = renderScreen(TokensPage, { at: `/app/tokens${at}`, status: aStatus(status) })
  const sent = (method: string, path = '/api/token') =>
    server.seen.filter((request) => request.method === method && request.path === path)
  return { ...view, sent }
}

const row = (name: RegExp) => screen.findByRole('row', { name })
const click = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
async function choose(name: string, entry: string) {
  click(`${name} 的更多操作`)
  fireEvent.click(await screen.findByRole('menuitem', { name: entry }))
}
const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })

describe('the list of tokens', () => {
  it('requests the first page as page 0 and shows the remaining quota', async () => {
    const { sent } = open([aToken({ accessed_time: 0 })], { total: 35 })

    const cells = within(await row(/laptop/))

    expect(sent('GET')[0]!.query).toEqual({ p: '0', size: '20' })
    expect(cells.getByText('$1.50').parentElement!.textContent).toBe('$1.50 / $2.00')
    expect(cells.getByTitle(/已用 \$0\.50\s750,000 额度/)).toBeTruthy()
    expect(cells.getByText('永不过期')).toBeTruthy()
    expect(cells.getByText('从未使用')).toBeTruthy()
    expect(screen.getByText('第 1–1 条，共 35 条')).toBeTruthy()
  })

  it('searches by the name and the key in the URL', async () => {
    const { sent } = open([aToken()], { at: '?keyword=lap&key=sk-abc&page=2' })
    await row(/laptop/)

    expect(sent('GET', '/api/token/search')[0]!.query).toEqual({ keyword: 'lap', token: 'sk-abc', p: '1', size: '20' })
  })

  it.each([
    [{ status: 1 }, '已启用'],
    [{ status: 1, model_limits_enabled: true }, '已启用：限制模型'],
    [{ status: 2 }, '已禁用'],
    [{ status: 3 }, '已过期'],
    [{ status: 4 }, '已耗尽'],
    [{ status: 9 }, '未知状态'],
  ])('shows %o as %s', async (changes, label) => {
    open([aToken(changes)])

    expect(within(await row(/laptop/)).getByText(label)).toBeTruthy()
  })

  it('shows the budget of a period and the time of its reset', async () => {
    const resetsAt = Math.round(Date.now() / 1000) + 3 * 3600 + 60
    open([
      aToken({ budget_period: 'day', budget_quota: 2_500_000, budget_resets_at: resetsAt, remain_quota: 500_000 }),
      aToken({ id: 5, name: 'free', unlimited_quota: true }),
    ])

    const quota = within(await row(/laptop/)).getByTitle(/3\s?小时后重置/)
    expect(quota.textContent).toBe('$1.00 / $5.00 每天')
    expect(within(await row(/free/)).getByText('无限制')).toBeTruthy()
  })

  it('shows no ratio of 1', async () => {
    open([aToken({ group: 'default' }), aToken({ id: 5, name: 'desk', group: 'fast' })])
    await screen.findByText('倍率 2')

    expect(screen.queryByText('倍率 1')).toBeNull()
  })

  it.each([
    ['fast', '倍率 2', 'info'],
    ['vip', '倍率 4', 'warn'],
    ['gold', '倍率 6', 'bad'],
  ])('marks the ratio of group "%s" as %s, %s', async (group, label, tone) => {
    open([aToken({ group })])

    const tag = await within(await row(/laptop/)).findByText(label)

    expect(tag.closest('[data-tone]')!.getAttribute('data-tone')).toBe(tone)
  })

  it('masks the key until it is revealed', async () => {
    open([aToken()])
    const found = await row(/laptop/)
    expect(found.textContent).not.toContain('sk-abcdefghijklmnop')

    click('显示 laptop 的密钥')

    expect(found.textContent).toContain('sk-abcdefghijklmnopqrstuvwxyz0123456789')
  })

  it('warns about stored conversations only if the site stores them', async () => {
    const plain = open([aToken()])
    await row(/laptop/)
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.queryByText(/管理员可以查看对话/)).toBeNull()
    plain.unmount()

    open([aToken()], { status: { log_chat_content_enabled: true } })
    expect(await screen.findByText(/管理员可以查看对话/)).toBeTruthy()
  })

  it('shows an error and a retry button if the list cannot be loaded', async () => {
    open([], { routes: { 'GET /api/token': refused('internal_error', '出错了', 500) } })

    expect(await screen.findByText('服务器内部错误，请联系管理员！')).toBeTruthy()
    expect(screen.getByRole('button', { name: '重试' })).toBeTruthy()
  })
})

describe('a row', () => {
  it('opens the editor by its name', async () => {
    const { address } = open([aToken()])
    await row(/laptop/)

    click('编辑 laptop')

    await waitFor(() => expect(address()).toBe('/app/tokens?drawer=edit&id=4'))
  })

  it('is disabled by a request with only its status', async () => {
    const { sent } = open([aToken()], { routes: { 'PUT /api/token': succeeded(aToken({ status: 2 })) } })
    await row(/laptop/)

    await choose('laptop', '禁用')

    await waitFor(() => expect(sent('PUT')).toHaveLength(1))
    expect(sent('PUT')[0]).toMatchObject({ query: { status_only: 'true' }, body: { id: 4, status: 2 } })
  })

  it('opens a saved chat with its key', async () => {
    const opened = vi.spyOn(window, 'open').mockReturnValue(null)
    const status = { chats: [{ App: 'app://x?k={key}&a={address}' }], server_address: 'https://gate.example' }
    open([aToken()], { status })
    await row(/laptop/)

    await choose('laptop', 'App')

    expect(opened.mock.calls[0]![0]).toBe(
      'app://x?k=sk-abcdefghijklmnopqrstuvwxyz0123456789&a=https%3A%2F%2Fgate.example',
    )
  })

  it('is deleted after a confirmation and removed from the list', async () => {
    let rows = [aToken()]
    const { sent } = open([], {
      routes: {
        'GET /api/token': () => succeeded(rows),
        'DELETE /api/token/4': () => {
          rows = []
          return succeeded()
        },
      },
    })
    await row(/laptop/)
    await choose('laptop', '删除')
    const confirmDialog = await screen.findByRole('dialog')
    expect(sent('DELETE', '/api/token/4')).toEqual([])

    fireEvent.click(within(confirmDialog).getByRole('button', { name: '删除' }))

    expect(await screen.findByText('还没有令牌')).toBeTruthy()
    expect(sent('DELETE', '/api/token/4')).toHaveLength(1)
  })
})

describe('the drawer', () => {
  it('converts the amount to quota, creates tokens and closes', async () => {
    const { sent, address } = open([], { at: '?drawer=create', routes: { 'POST /api/token': succeeded([]) } })
    fireEvent.change(await screen.findByLabelText('名称', { selector: '#name' }), {
      target: { value: ' build server ' },
    })
    click('$50')
    click('更多选项')
    click('20 个')

    click('创建')

    await waitFor(() => expect(address()).toBe('/app/tokens'))
    expect(sent('POST')[0]!.body).toEqual({
      name: 'build server',
      count: 20,
      expired_time: -1,
      group: '',
      unlimited_quota: false,
      budget_period: '',
      remain_quota: 25_000_000,
      model_limits_enabled: false,
      model_limits: '',
      allow_ips: '',
      rate_limit_enabled: false,
      rate_limit_period: 60,
      rate_limit_count: 1000,
      rate_limit_success: 10,
      tokens_per_minute: 0,
      max_concurrency: 0,
      store_responses: true,
    })
  })

  it('selects the group auto if it is the default, with a translated description', async () => {
    const groups = succeeded({ default: { desc: '默认', ratio: 1 }, auto: { desc: '', is_default: true } })
    const routes = { 'POST /api/token': succeeded([]), 'GET /api/user/self/groups': groups }
    const { sent } = open([], { at: '?drawer=create', routes })
    fireEvent.change(await screen.findByLabelText('名称', { selector: '#name' }), { target: { value: 'desk' } })
    expect(await screen.findByText('auto · 第一个有该模型的分组')).toBeTruthy()

    click('创建')

    await waitFor(() => expect(sent('POST')).toHaveLength(1))
    expect(sent('POST')[0]!.body).toMatchObject({ group: 'auto' })
  })

  it('shows a single new token with instructions to connect', async () => {
    const created = aToken({ id: 4, name: 'desk' })
    const { address } = open([created], {
      at: '?drawer=create',
      routes: { 'POST /api/token': succeeded([created]), 'GET /api/token/4': succeeded(created) },
    })
    fireEvent.change(await screen.findByLabelText('名称', { selector: '#name' }), { target: { value: 'desk' } })

    click('创建')

    const dialog = within(await screen.findByRole('dialog', { name: '令牌“desk”已创建' }))
    expect(address()).toBe('/app/tokens?drawer=connect&id=4')
    expect(dialog.getByRole('button', { name: '复制令牌' })).toBeTruthy()
    expect(within(dialog.getByRole('region', { name: '密钥' })).getByText(`sk-${created.key}`)).toBeTruthy()
  })

  it('does not send a token without a name', async () => {
    const { sent } = open([], { at: '?drawer=create' })
    await screen.findByRole('button', { name: '创建' })

    click('创建')

    expect(await screen.findByText('请输入名称')).toBeTruthy()
    expect(sent('POST')).toEqual([])
  })

  it('requires at least one model for a model limit, and can select all models', async () => {
    const { sent } = open([], { at: '?drawer=create', routes: { 'POST /api/token': succeeded([]) } })
    fireEvent.change(await screen.findByLabelText('名称', { selector: '#name' }), { target: { value: 'desk' } })
    click('更多选项')
    fireEvent.click(screen.getByRole('switch', { name: '限制模型' }))
    const all = await screen.findByRole('button', { name: '全选（2 个）' })
    click('创建')
    expect(await screen.findByText('请至少选择一个模型')).toBeTruthy()
    expect(sent('POST')).toEqual([])

    fireEvent.click(all)
    click('创建')

    await waitFor(() => expect(sent('POST')).toHaveLength(1))
    expect(sent('POST')[0]!.body).toMatchObject({ model_limits_enabled: true, model_limits: 'm-1,m-2' })
  })

  it('shows the default limit of a new token as money, and offers unlimited quota', async () => {
    open([], { at: '?drawer=create' })

    expect((await screen.findByLabelText<HTMLInputElement>('剩余额度')).value).toBe('1')
    expect(screen.getByRole('button', { name: '$1', pressed: true })).toBeTruthy()
    expect(screen.getByRole('button', { name: '$10', pressed: false })).toBeTruthy()
    expect(screen.getByRole('radio', { name: '无限额度' })).toBeTruthy()
  })

  it('sends only changed fields, and the displayed quota with a new quota', async () => {
    const { sent } = open([aToken({ allow_ips: '10.0.0.1' })], {
      at: '?drawer=edit&id=4',
      routes: { 'PUT /api/token': succeeded(aToken()) },
    })
    await screen.findByDisplayValue('1.50')
    fill('剩余额度', '1.8')

    click('保存')

    await waitFor(() => expect(sent('PUT')).toHaveLength(1))
    expect(sent('PUT')[0]!.body).toEqual({ id: 4, remain_quota: 900_000, remain_quota_seen: 750_000 })
  })

  it('shows a server error at its field', async () => {
    open([aToken()], {
      at: '?drawer=edit&id=4',
      routes: { 'PUT /api/token': refused('token_address_invalid', '无效的地址：nowhere') },
    })
    await screen.findByDisplayValue('1.50')
    fill('IP 白名单', 'nowhere')

    click('保存')

    const field = screen.getByLabelText('IP 白名单').closest('.ant-form-item') as HTMLElement
    expect(await within(field).findByText('无效的地址：nowhere')).toBeTruthy()
  })
})
