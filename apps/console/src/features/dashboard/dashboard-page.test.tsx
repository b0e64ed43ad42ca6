import { ROLES } from '@tidegate/contract/api'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { rememberUser } from '../../lib/session.ts'
import { fakeServer, refused, succeeded } from '../../testing/fake-server.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { aChannel } from '../../testing/sample-channel.ts'
import { aStatus, aUser } from '../../testing/samples.ts'
import DashboardPage from './dashboard-page.tsx'

const ON = { enable_data_export: true, data_export_default_time: 'day' } as const

beforeEach(() => rememberUser(aUser()))

function open({ at = '', status = ON, routes = {} }: Partial<Options> = {}) {
  const server = fakeServer({
    'GET /api/data/self': succeeded([]),
    'GET /api/data': succeeded([]),
    'GET /api/channel/models_unpriced': succeeded([]),
    ...routes,
  })
  return { server, ...renderScreen(DashboardPage, { at: `/app/dashboard${at}`, status: aStatus(status) }) }
}

interface Options {
  at: string
  status: Parameters<typeof aStatus>[0]
  routes: Parameters<typeof fakeServer>[0]
}

describe('the dashboard', () => {
  it('asks for hours of the last week up to an hour ahead, when the site wishes days', async () => {
    const { server } = open()
    await screen.findByText('这段时间没有用量')

    const { query } = server.seen.find(({ query }) => query.default_time === 'hour')!
    const end = Number(query.end_timestamp)
    expect(end - Number(query.start_timestamp)).toBe(7 * 86_400 + 3600)
    expect(Math.abs(end - 3600 - Date.now() / 1000)).toBeLessThan(120)
  })

  it('shows no figures of the last range under the name of another', async () => {
    const row = {
      model_name: 'gpt-4o',
      created_at: Math.floor(Date.now() / 1000),
      count: 7,
      quota: 500_000,
      token_used: 9,
    }
    open({
      routes: {
        'GET /api/data/self': ({ query }) =>
          Number(query.end_timestamp) - Number(query.start_timestamp) > 8 * 86_400
            ? new Promise<never>(() => {})
            : succeeded([row]),
      },
    })
    await screen.findAllByText('$1.00')

    fireEvent.click(screen.getByRole('radio', { name: '30 天' }))

    await waitFor(() => expect(screen.queryByText('$1.00')).toBeNull())
  })

  it('tells what went wrong, and asks again', async () => {
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

  it('says when the site collects nothing, and sends only the super admin to the settings', () => {
    open({ status: { enable_data_export: false } })

    expect(screen.getByText('数据看板已关闭')).toBeTruthy()
    expect(screen.queryByRole('button', { name: '前往设置' })).toBeNull()
  })

  it('cuts a range that is longer than the server gives out, and says so', async () => {
    const { server } = open({ at: '?range=custom&start=1600000000&end=1700000000' })
    await screen.findByText('所选范围太长，只显示结束时间之前的 31 天。')

    await waitFor(() => expect(server.seen.length).toBeGreaterThan(0))
    for (const { query } of server.seen)
      expect(Number(query.end_timestamp) - Number(query.start_timestamp)).toBeLessThanOrEqual(31 * 86_400 + 3600)
  })

  it('asks an administrator to choose somebody before it asks for one user’s use', async () => {
    rememberUser(aUser({ role: ROLES.admin }))
    const { server } = open({ at: '?of=user' })

    await screen.findByText('选好用户后，这里会显示该用户的用量。')
    expect(server.seen).toEqual([])
  })

  it('shows an administrator what could not be collected, and leads to those requests', async () => {
    rememberUser(aUser({ role: ROLES.admin }))
    const uncovered = { requests: 3, quota: 750_000, capped: false }
    const { server } = open({
      at: '?of=site&range=custom&start=1700000000&end=1700086400',
      routes: { 'GET /api/log/stat': succeeded({ quota: 9, rpm: 0, tpm: 0, uncovered }) },
    })

    await screen.findByText('此期间有 3 个请求共 $1.50 未能收取。')
    expect(screen.getByRole('link', { name: '查看请求' }).getAttribute('href')).toBe(
      '/app/logs/api-usage?uncovered=1&range=custom&start=1700000000&end=1700086400',
    )
    expect(server.seen.find(({ path }) => path === '/api/log/stat')?.query).toMatchObject({ uncovered: 'true' })
  })

  it('lists models of enabled channels that have no price, with a link for those who may set it', async () => {
    rememberUser(aUser({ role: ROLES.root }))
    const models = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    open({ at: '?of=site', routes: { 'GET /api/channel/models_unpriced': succeeded(models) } })

    await screen.findByText('已启用的渠道提供了未定价的模型，对它们的请求会被拒绝：a, b, c, d, e 等，另有 2 个。')
    expect(screen.getByRole('link', { name: '设置价格' }).getAttribute('href')).toBe(
      '/admin/settings?tab=operation#prices',
    )
  })

  it.each([
    { areas: ['prices'], links: 1 },
    { areas: ['groups'], links: 0 },
  ])('shows an administrator with the areas $areas $links links to the prices', async ({ areas, links }) => {
    const admin = aUser({ role: ROLES.admin, settings_areas: areas })
    rememberUser(admin)
    open({
      at: '?of=site',
      routes: { 'GET /api/channel/models_unpriced': succeeded(['a']), 'GET /api/user/self': succeeded(admin) },
    })

    await screen.findByText('已启用的渠道提供了未定价的模型，对它们的请求会被拒绝：a。')
    expect(screen.queryAllByRole('link', { name: '设置价格' })).toHaveLength(links)
  })

  it('does not mention it while everything was collected', async () => {
    rememberUser(aUser({ role: ROLES.admin }))
    const uncovered = { requests: 0, quota: 0, capped: false }
    const { server } = open({
      at: '?of=site',
      routes: { 'GET /api/log/stat': succeeded({ quota: 9, rpm: 0, tpm: 0, uncovered }) },
    })

    await waitFor(() => expect(server.seen.some(({ path }) => path === '/api/log/stat')).toBe(true))
    expect(screen.queryByRole('link', { name: '查看请求' })).toBeNull()
  })

  describe('of a site that nobody has called', () => {
    const administrator = () => rememberUser(aUser({ role: ROLES.root }))
    const site = (channels: unknown[], tokens: unknown[]) => ({
      'GET /api/channel': succeeded(channels),
      'GET /api/token': succeeded(tokens),
    })

    it('leads an administrator to what is missing for a first call', async () => {
      administrator()
      const { address } = open({ at: '?of=site', routes: site([aChannel()], []) })

      expect(await screen.findByRole('heading', { name: '开始使用' })).toBeTruthy()
      expect(screen.getByText('已完成')).toBeTruthy()
      expect(screen.queryByRole('button', { name: '添加渠道' })).toBeNull()
      fireEvent.click(screen.getByRole('button', { name: '添加令牌' }))
      expect(address()).toBe('/app/tokens?drawer=create')
    })

    it('says only that there was no use once all is there', async () => {
      administrator()
      open({ at: '?of=site', routes: site([aChannel()], [{ id: 1 }]) })

      expect(await screen.findByText('没有请求，可以换一个时间范围。')).toBeTruthy()
      expect(screen.queryByText('开始使用')).toBeNull()
    })
  })
})
