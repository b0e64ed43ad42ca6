import { ROLES } from '@tidegate/contract/api'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { rememberUser } from '../../api/session.ts'
import { fakeServer, refused, succeeded } from '../../../test/fake-server.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aChannel } from '../../../test/sample-channel.ts'
import { aStatus, aUser } from '../../../test/samples.ts'
import DashboardPage from './dashboard-page.tsx'

// jsdom has no canvas.
vi.mock('../../ui/chart/chart.tsx', () => ({ Chart: ({ label }: { label: string }) => <figure aria-label={label} /> }))

const ON = { enable_data_export: true, data_export_default_time: 'day' } as const

const day = (revenue: number, requests: number, rest: object) => ({
  start: 0,
  revenue,
  requests,
  error_rate: 0.01,
  active_users: 4,
  first_token_p95: 1500,
  hours: [1, 2, 3].map((time) => ({
    time,
    revenue: 0,
    requests: 0,
    error_rate: null,
    active_users: 1,
    first_token_p95: 900 * time,
  })),
  ...rest,
})
const AN_OVERVIEW = {
  timezone: 'UTC',
  today: day(750_000, 30, { error_rate: 0.02, first_token_p95: 1200 }),
  yesterday: day(500_000, 60, {}),
}

beforeEach(() => rememberUser(aUser()))

function open({ at = '', status = ON, routes = {} }: Partial<Options> = {}) {
  const server = fakeServer({
    'GET /api/data/self': succeeded([]),
    'GET /api/data': succeeded([]),
    'GET /api/data/users': succeeded([]),
    'GET /api/data/tokens': succeeded([]),
    'GET /api/data/channels': succeeded([]),
    'GET /api/log/stat': succeeded({ quota: 0, rpm: 0, tpm: 0 }),
    'GET /api/overview': succeeded(AN_OVERVIEW),
    'GET /api/overview/attention': succeeded([]),
    'GET /api/user/self': succeeded(aUser({ quota: 5_000_000 })),
    'GET /api/channel': succeeded([aChannel()]),
    'GET /api/token': succeeded([{ id: 1 }]),
    ...routes,
  })
  return { server, ...renderScreen(DashboardPage, { at: `/app/dashboard${at}`, status: aStatus(status) }) }
}

interface Options {
  at: string
  status: Parameters<typeof aStatus>[0]
  routes: Parameters<typeof fakeServer>[0]
}

describe('the dashboard of a user', () => {
  it('loads hours of the last week if days are the default interval', async () => {
    const { server } = open()
    await screen.findByText('这段时间没有用量')

    const { query } = server.seen.find(({ query }) => query.default_time === 'hour')!
    const end = Number(query.end_timestamp)
    expect(end - Number(query.start_timestamp)).toBe(7 * 86_400 + 3600)
    expect(Math.abs(end - 3600 - Date.now() / 1000)).toBeLessThan(120)
  })

  it('hides the metrics of the previous range while another one loads', async () => {
    open({
      routes: {
        'GET /api/data/self': ({ query }) =>
          Number(query.end_timestamp) - Number(query.start_timestamp) > 8 * 86_400
            ? new Promise<never>(() => {})
            : succeeded([usageRow()]),
      },
    })
    await screen.findAllByText('$1.00')

    fireEvent.click(screen.getByRole('radio', { name: '30 天' }))

    await waitFor(() => expect(screen.queryByText('$1.00')).toBeNull())
  })

  it('shows an error and retries', async () => {
    let failures = 1
    open({
      routes: {
        'GET /api/data/self': () => (failures-- > 0 ? refused('internal_error', '', 500) : succeeded([])),
      },
    })
    await screen.findByText('加载失败')

    fireEvent.click(screen.getByRole('button', { name: '重试' }))

    await screen.findByText('这段时间没有用量')
  })

  it('shows that it is disabled, without a link to the settings for users', () => {
    open({ status: { enable_data_export: false } })

    expect(screen.getByText('数据看板已关闭')).toBeTruthy()
    expect(screen.queryByRole('button', { name: '前往设置' })).toBeNull()
  })

  it('limits a range that is too long and shows a note', async () => {
    const { server } = open({ at: '?range=custom&start=1600000000&end=1700000000' })
    await screen.findByText('所选范围太长，只显示结束时间之前的 31 天。')

    await waitFor(() => expect(server.seen.length).toBeGreaterThan(0))
    for (const { query } of server.seen.filter(({ path }) => path === '/api/data/self'))
      expect(Number(query.end_timestamp) - Number(query.start_timestamp)).toBeLessThanOrEqual(31 * 86_400 + 3600)
  })

  it('asks an administrator to select a user first', async () => {
    rememberUser(aUser({ role: ROLES.admin }))
    const { server } = open({ at: '?of=user' })

    await screen.findByText('选好用户后，这里会显示该用户的用量。')
    expect(server.seen.some(({ path }) => path === '/api/data')).toBe(false)
  })

  it('shows no zeros without usage, only the balance', async () => {
    open()

    await screen.findByText('这段时间没有用量')
    await screen.findByRole('region', { name: '余额' })
    expect(screen.queryByRole('region', { name: '请求次数' })).toBeNull()
  })

  it.each([
    { tokens: [], action: '添加令牌', path: '/app/tokens?drawer=create' },
    { tokens: [{ id: 7 }], action: '连接客户端', path: '/app/tokens?drawer=connect&id=7' },
  ])('leads to the next step without usage: $action', async ({ tokens, action, path }) => {
    const { address, server } = open({ routes: { 'GET /api/token': succeeded(tokens) } })

    fireEvent.click(await screen.findByRole('button', { name: action }))

    expect(address()).toBe(path)
    expect(server.seen.some((request) => request.path === '/api/channel')).toBe(false)
  })

  it('shows the balance and how long it lasts', async () => {
    open({ routes: { 'GET /api/data/self': succeeded([usageRow({ quota: 15 * 500_000 })]) } })

    const balance = await screen.findByRole('region', { name: '余额' })
    expect(balance.textContent).toContain('$10.00')
    await screen.findByText('按此速度还可用 20 天')
  })
})

describe('the overview of the site', () => {
  beforeEach(() => rememberUser(aUser({ role: ROLES.root })))

  it('has a line in each card, without the running hour', async () => {
    open()
    const revenue = await screen.findByRole('region', { name: '今日收入' })
    const cards = [...revenue.parentElement!.children]

    const lines = cards.map((card) => card.querySelector('svg path:last-child')?.getAttribute('d')?.split('L').length)
    expect(lines).toEqual([2, 2, undefined, 2, 2]) // two hours are over, and the error rate is unknown
    expect(cards.every((card) => card.querySelector('svg'))).toBe(true)
  })

  it('compares today with yesterday and marks changes as good or bad', async () => {
    open()

    const revenue = await screen.findByRole('region', { name: '今日收入' })
    expect(revenue.textContent).toContain('$1.50')
    expect(toneIn(revenue)).toEqual(['↑ 50.0%', 'good'])
    expect(toneIn(screen.getByRole('region', { name: '请求次数' }))).toEqual(['↓ 50.0%', 'bad'])
    expect(toneIn(screen.getByRole('region', { name: '错误率' }))).toEqual(['↑ 1.00 个百分点', 'bad'])
    expect(toneIn(screen.getByRole('region', { name: '首字（95 分位）' }))).toEqual(['↓ 300 ms', 'good'])
    expect(toneIn(screen.getByRole('region', { name: '活跃用户' }))).toEqual(['± 0', undefined])
  })

  it('links each model to its logs and sums all models outside the top five', async () => {
    const rows = Array.from({ length: 7 }, (_, index) => usageRow({ model_name: `model-${index}`, quota: index + 1 }))
    open({ routes: { 'GET /api/data': succeeded(rows) } })

    const models = await screen.findByRole('table', { name: '模型排行' })
    const link = within(models).getByRole('link', { name: 'model-6' })
    expect(link.getAttribute('href')).toMatch(/^\/app\/logs\/api-usage\?model=model-6&range=custom&start=\d+&end=\d+$/)
    expect(within(models).queryByText('model-0')).toBeNull()
    fireEvent.click(within(models).getByRole('button', { name: '其他模型（2 个）' }))
    expect(within(models).getByText('model-0')).toBeTruthy()
  })

  it('shows amounts that could not be charged, with a link to their requests', async () => {
    const uncovered = { requests: 3, quota: 750_000, capped: false }
    const { server } = open({
      at: '?range=custom&start=1700000000&end=1700086400',
      routes: { 'GET /api/log/stat': succeeded({ quota: 9, rpm: 0, tpm: 0, uncovered }) },
    })

    await screen.findByText('此期间有 3 个请求共 $1.50 未能收取。')
    expect(screen.getByRole('link', { name: '查看请求' }).getAttribute('href')).toBe(
      '/app/logs/api-usage?uncovered=1&range=custom&start=1700000000&end=1700086400',
    )
    expect(server.seen.find(({ path }) => path === '/api/log/stat')?.query).toMatchObject({ uncovered: 'true' })
  })

  it('lists the slowest channels, and the users and API tokens with the highest cost', async () => {
    open({
      routes: {
        'GET /api/data/users': succeeded([
          { user_id: 3, username: 'mira', count: 12, quota: 1_000_000, token_used: 5 },
          { user_id: 4, username: '', count: 1, quota: 10, token_used: 5 },
        ]),
        'GET /api/data/tokens': succeeded([
          { user_id: 3, username: 'mira', token_name: 'CI & more', count: 9, quota: 500_000, token_used: 5 },
        ]),
        'GET /api/data/channels': succeeded([
          { channel_id: 5, channel_name: 'Doubao', attempts: 10, failed: 1, average_ms: 900, first_token_ms: 4820 },
        ]),
      },
    })

    const users = await screen.findByRole('list', { name: '用户排行' })
    expect(
      within(users)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['mira12 次请求$2.00', '已删除的用户 #41 次请求$0.00002'])
    const tokens = await screen.findByRole('list', { name: '令牌排行' })
    expect(tokens.textContent).toBe('CI & moremira$1.00')
    const logs = within(tokens).getByRole('link').getAttribute('href')
    expect(logs).toMatch(/^\/app\/logs\/api-usage\?token=CI\+%26\+more&username=mira&range=custom&start=\d+&end=\d+$/)
    const channels = screen.getByRole('list', { name: '最慢的渠道' })
    expect(channels.textContent).toBe('Doubao失败 10.0%4.82 s')
  })

  it.each([
    { channels: [aChannel()], tokens: [], isNew: true },
    { channels: [aChannel()], tokens: [{ id: 1 }], isNew: false },
  ])('shows the setup guide while a part is missing: $isNew', async ({ channels, tokens, isNew }) => {
    const { address } = open({
      routes: { 'GET /api/channel': succeeded(channels), 'GET /api/token': succeeded(tokens) },
    })

    if (!isNew) {
      expect(await screen.findByText('没有请求，可以换一个时间范围。')).toBeTruthy()
      return
    }
    await screen.findByRole('heading', { name: '开始使用' })
    expect(screen.queryByRole('button', { name: '添加渠道' })).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: '添加令牌' }))
    expect(address()).toBe('/app/tokens?drawer=create')
  })
})

describe('needs attention', () => {
  const disabled = (id: number) => ({
    kind: 'channel_auto_disabled',
    channel_id: id,
    channel_name: `channel ${id}`,
    reason: '401 Invalid key',
  })
  const attention = (...sections: object[]) => ({ 'GET /api/overview/attention': succeeded(sections) })
  beforeEach(() => rememberUser(aUser({ role: ROLES.root })))

  it('shows that there are no problems', async () => {
    open()

    expect(await screen.findByRole('heading', { name: '一切正常' })).toBeTruthy()
  })

  it('shows two rows of a kind and links to the rest', async () => {
    open({ routes: attention({ kind: 'channel_auto_disabled', total: 7, items: [1, 2, 3].map(disabled) }) })

    const section = await screen.findByRole('region', { name: '自动禁用的渠道' })
    expect(within(section).getAllByText(/^channel/)).toHaveLength(2)
    expect(within(section).getByRole('link', { name: '还有 5 项' }).getAttribute('href')).toBe(
      '/admin/channels?statuses=3',
    )
  })

  it('folds less urgent kinds, and counts users without balance as one problem', async () => {
    const ofKind = (kind: string) => ({
      kind,
      total: 9,
      items: [1, 2, 3].map((id) => ({ ...disabled(id), kind, user_id: id, username: `user ${id}` })),
    })
    const kinds = ['channel_failing', 'channel_auto_disabled', 'channel_low_balance', 'user_low_balance']
    open({ routes: attention(...kinds.map(ofKind)) })

    const users = await screen.findByRole('button', { name: '余额不足的用户 9' })
    expect(within(screen.getByRole('region', { name: '需要处理' })).getByText('28')).toBeTruthy()
    expect(screen.queryByRole('region', { name: '余额不足的用户' })).toBeNull()
    fireEvent.click(users)

    expect(await screen.findByRole('region', { name: '余额不足的用户' })).toBeTruthy()
    expect(screen.queryByRole('region', { name: '上游余额不足' })).toBeNull()
  })

  it('enables a channel in place and can undo it', async () => {
    const { server } = open({
      routes: {
        ...attention({ kind: 'channel_auto_disabled', total: 1, items: [disabled(4)] }),
        'POST /api/channel/batch/enabled': succeeded(1),
        'POST /api/channel/batch/disabled': succeeded(1),
      },
    })
    fireEvent.click(await screen.findByRole('button', { name: '启用 channel 4' }))

    await screen.findByText('已启用“channel 4”', { exact: false })
    expect(screen.queryByRole('region', { name: '自动禁用的渠道' })).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: '撤销' }))
    await screen.findByRole('region', { name: '自动禁用的渠道' })
    expect(server.seen.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body])).toEqual([
      ['/api/channel/batch/enabled', { ids: [4] }],
      ['/api/channel/batch/disabled', { ids: [4] }],
    ])
  })

  it('shows the result of a test in the row', async () => {
    open({
      routes: {
        ...attention({ kind: 'channel_auto_disabled', total: 1, items: [disabled(4)] }),
        'GET /api/channel/test/4': { json: { success: false, message: '402 Balance is empty', time: 0.4, model: 'a' } },
      },
    })
    fireEvent.click(await screen.findByRole('button', { name: '测试 channel 4' }))

    expect(await screen.findByText('402 Balance is empty')).toBeTruthy()
  })

  it.each([
    { role: ROLES.root, buttons: 2 },
    { role: ROLES.admin, buttons: 0 },
  ])('lets role $role change $buttons options', async ({ role, buttons }) => {
    rememberUser(aUser({ role }))
    const { server } = open({
      routes: {
        ...attention(
          { kind: 'error_logging_off', total: 1, items: [{ kind: 'error_logging_off', option: 'LogErrorEnabled' }] },
          { kind: 'retries_off', total: 1, items: [{ kind: 'retries_off', option: 'RetryTimes' }] },
        ),
        'PUT /api/option': succeeded(undefined),
      },
    })
    await screen.findByText('错误日志已关闭')

    const found = screen.queryAllByRole('button', { name: /^开启/ })
    expect(found).toHaveLength(buttons)
    for (const button of found) fireEvent.click(button)
    await waitFor(() => expect(server.seen.filter(({ method }) => method === 'PUT')).toHaveLength(buttons))
    if (buttons > 0) await screen.findByRole('heading', { name: '一切正常' })
  })

  it.each([
    { areas: ['prices'], buttons: 1 },
    { areas: ['groups'], buttons: 0 },
  ])('offers $buttons buttons to set prices with the areas $areas', async ({ areas, buttons }) => {
    const admin = aUser({ role: ROLES.admin, settings_areas: areas })
    rememberUser(admin)
    const items = ['a', 'b', 'c', 'd'].map((model) => ({ kind: 'model_unpriced', model }))
    open({
      routes: { ...attention({ kind: 'model_unpriced', total: 9, items }), 'GET /api/user/self': succeeded(admin) },
    })

    await screen.findByText('a, b, c 等，另有 6 个')
    expect(screen.queryAllByRole('button', { name: '设置价格' })).toHaveLength(buttons)
  })
})

const usageRow = (changes: object = {}) => ({
  id: 0,
  user_id: 0,
  username: '',
  model_name: 'gpt-4o',
  created_at: Math.floor(Date.now() / 1000),
  count: 7,
  quota: 500_000,
  token_used: 9,
  ...changes,
})

function toneIn(figure: HTMLElement) {
  const delta = figure.querySelector('p > span') as HTMLElement
  return [delta.textContent, delta.dataset.tone]
}
