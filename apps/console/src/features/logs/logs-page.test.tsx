import { LOG_TYPE, type UsageLog } from '@tidegate/contract/api'
import { fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { rememberUser } from '../../lib/session.ts'
import { eventually } from '../../testing/eventually.ts'
import { fakeServer, refused, succeeded } from '../../testing/fake-server.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { aLog } from '../../testing/sample-log.ts'
import { aUser } from '../../testing/samples.ts'
import LogsPage from './logs-page.tsx'

const CAPTAIN = aUser({ id: 1, username: 'captain', role: 100 })

beforeEach(() => rememberUser(CAPTAIN))

interface Options {
  at?: string
  answer?: Partial<{ total: number; capped: boolean }>
  routes?: Parameters<typeof fakeServer>[0]
}

function open(logs: UsageLog[], { at = '', answer = {}, routes = {} }: Options = {}) {
  const page = succeeded({ items: logs, total: logs.length, page: 1, page_size: 10, capped: false, ...answer })
  const stat = succeeded({ quota: 500_000, rpm: 3, tpm: 1200 })
  const server = fakeServer({
    'GET /api/log': page,
    'GET /api/log/self': page,
    'GET /api/log/stat': stat,
    'GET /api/log/self/stat': stat,
    'GET /api/group': succeeded(['default']),
    'GET /api/user/self/groups': succeeded({ default: { desc: '', ratio: 1 } }),
    ...routes,
  })
  const view = renderScreen(LogsPage, { at: `/app/logs/api-usage${at}` })
  const asked = (path: string) => server.seen.filter((request) => request.path === path)
  return { ...view, asked }
}

const headings = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)

describe('the usage log', () => {
  it('asks list and sums by the same filters', async () => {
    const { asked } = open([aLog()], { at: '?model=gpt-4o%25&channel=7&range=custom&start=100&end=200' })

    await screen.findByText('$1.00')

    const filters = { model_name: 'gpt-4o%', channel: '7', start_timestamp: '100', end_timestamp: '200' }
    expect(asked('/api/log')[0]!.query).toEqual({ ...filters, p: '1', page_size: '10' })
    expect(asked('/api/log/stat')[0]!.query).toEqual(filters)
    expect(screen.getByText('1,200')).toBeTruthy()
  })

  it('marks a channel test, whose cost is not in the sum', async () => {
    open([aLog({ test: true }, { token_name: 'model test', quota: 1174 })])

    const row = within(await screen.findByRole('row', { name: /gpt-4o/ }))

    expect(row.getByText('渠道测试')).toBeTruthy()
    expect(row.getByText('渠道测试，不扣费，不计入合计')).toBeTruthy()
    expect(screen.getByTitle('筛选范围内所有请求的花费；渠道测试不计入')).toBeTruthy()
  })

  it('gives the time of a failure no colour, and shows times below a second', async () => {
    open([aLog({}, { type: LOG_TYPE.error, use_time: 0, use_time_ms: 83 })])

    const time = await screen.findByText('0.08 秒')

    expect(time.closest('[data-tone]')?.getAttribute('data-tone')).toBe('neutral')
  })

  it('says that there are more rows than were counted', async () => {
    open([aLog()], { answer: { total: 10_000, capped: true } })

    expect(await screen.findByText('第 1–1 条，共 10,000+ 条')).toBeTruthy()
  })

  it('tells of a page that is too far back, and leads to the first', async () => {
    const { address } = open([], {
      at: '?page=20000',
      routes: { 'GET /api/log': refused('page_too_deep', '翻页过深，请缩小时间范围或增加筛选条件') },
    })

    expect((await screen.findByRole('alert')).textContent).toContain('翻页过深')
    fireEvent.click(screen.getByRole('button', { name: '回到第一页' }))
    await eventually(() => expect(address()).toBe('/app/logs/api-usage'))
  })

  it('shows an ordinary user nothing about channels or other people', async () => {
    rememberUser(aUser())
    const { asked } = open([aLog()], { at: '?username=captain&channel=3' })

    await screen.findByRole('row', { name: /gpt-4o/ })

    expect(headings()).toEqual(expect.not.arrayContaining(['渠道', '用户', '重试路径']))
    expect(screen.queryByRole('textbox', { name: '用户名' })).toBeNull()
    expect(asked('/api/log')).toEqual([])
    expect(asked('/api/log/self')[0]!.query).not.toMatchObject({ username: 'captain' })
  })

  it('remembers which columns were chosen', async () => {
    const { unmount } = open([aLog()])
    await screen.findByRole('row', { name: /gpt-4o/ })
    fireEvent.click(screen.getByRole('button', { name: '列设置' }))
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('checkbox', { name: '分组' }))
    await eventually(() => expect(headings()).toContain('分组'))
    unmount()

    open([aLog()])

    await screen.findByRole('row', { name: /gpt-4o/ })
    expect(headings()).toContain('分组')
    expect(JSON.parse(localStorage.getItem('logs-table-columns')!)).toMatchObject({ group: true, details: false })
  })

  it('opens a whole request id on Enter, and filters by a part of one', async () => {
    const { address } = open([aLog()])
    await screen.findByRole('row', { name: /gpt-4o/ })
    const field = screen.getByRole('textbox', { name: '请求编号' })

    fireEvent.change(field, { target: { value: '2026111509' } })
    fireEvent.keyDown(field, { key: 'Enter', keyCode: 13 })
    fireEvent.keyUp(field, { key: 'Enter', keyCode: 13 })
    await eventually(() => expect(address()).toBe('/app/logs/api-usage?request=2026111509'))

    fireEvent.change(field, { target: { value: '20261115093005123AbCdEfGh' } })
    fireEvent.keyDown(field, { key: 'Enter', keyCode: 13 })
    await eventually(() => expect(address()).toBe('/app/logs/request/20261115093005123AbCdEfGh'))
  })

  it('lets an export be called off while it is on its way', async () => {
    open([aLog()], { routes: { 'GET /api/log/export': () => new Promise(() => {}) } })
    await screen.findByRole('row', { name: /gpt-4o/ })
    fireEvent.click(screen.getByRole('button', { name: '导出 CSV' }))

    fireEvent.click(within(await screen.findByRole('region', { name: '正在导出日志' })).getByRole('button'))

    expect(await screen.findByText('已取消导出')).toBeTruthy()
    await eventually(() => expect(screen.queryByRole('region', { name: '正在导出日志' })).toBeNull())
  })

  it('says why an export was refused', async () => {
    open([aLog()], { routes: { 'GET /api/log/export': refused('too_many', '请稍后再试', 429) } })
    await screen.findByRole('row', { name: /gpt-4o/ })

    fireEvent.click(screen.getByRole('button', { name: '导出 CSV' }))

    expect(await screen.findByText('请稍后再试')).toBeTruthy()
  })

  it('takes a filter off by its chip', async () => {
    const { address } = open([], { at: `?type=${LOG_TYPE.error}&token=laptop&page=3` })

    fireEvent.click(await screen.findByRole('button', { name: '去掉条件“类型”' }))

    await eventually(() => expect(address()).toBe('/app/logs/api-usage?token=laptop'))
  })
})
