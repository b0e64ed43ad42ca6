import { LOG_TYPE, type UsageLog } from '@tidegate/contract/api'
import { fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { rememberUser } from '../../api/session.ts'
import { eventually } from '../../../test/eventually.ts'
import { fakeServer, refused, succeeded } from '../../../test/fake-server.ts'
import { showOnPhone } from '../../../test/phone.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aLog } from '../../../test/sample-log.ts'
import { aUser } from '../../../test/samples.ts'
import { cardTime } from './columns.tsx'
import LogsPage from './logs-page.tsx'

const ADMIN = aUser({ id: 1, username: 'admin', role: 100 })
const REQUEST_ID = '20261115093005123AbCdEfGh'

beforeEach(() => rememberUser(ADMIN))

interface Options {
  at?: string
  answer?: Partial<{ total: number; capped: boolean }>
  routes?: Parameters<typeof fakeServer>[0]
}

const facet = (...values: [string, number][]) => ({
  values: values.map(([value, count]) => ({ value, name: value, count })),
  others: 0,
})
const NONE = facet()
const FACETS = {
  start_timestamp: 0,
  end_timestamp: 60,
  status: facet(['success', 8], ['error', 2]),
  model: facet(['gpt-4o', 6], ['gpt-5', 4]),
  channel: { values: [{ value: '7', name: 'Azure Sweden', count: 3 }], others: 0 },
  user: facet(['mira', 5]),
  token: NONE,
  group: NONE,
  stream: NONE,
  retried: NONE,
  error_code: facet(['insufficient_quota', 2]),
}
const HISTOGRAM = {
  start_timestamp: 0,
  end_timestamp: 119,
  bucket_seconds: 60,
  buckets: [
    { time: 0, requests: 6, errors: 1, interrupted: 0 },
    { time: 60, requests: 4, errors: 1, interrupted: 1 },
  ],
  duration: { p50: 1200, p95: 8400 },
  first_token: { p50: 320, p95: 1900 },
}

function open(logs: UsageLog[], { at = '', answer = {}, routes = {} }: Options = {}) {
  const page = succeeded({ items: logs, total: logs.length, page: 1, page_size: 10, capped: false, ...answer })
  const stat = succeeded({ quota: 500_000, rpm: 3, tpm: 1200 })
  const own = { ...FACETS, channel: undefined, user: undefined, retried: undefined }
  const server = fakeServer({
    'GET /api/log': page,
    'GET /api/log/self': page,
    'GET /api/log/stat': stat,
    'GET /api/log/self/stat': stat,
    'GET /api/log/histogram': succeeded(HISTOGRAM),
    'GET /api/log/self/histogram': succeeded(HISTOGRAM),
    'GET /api/log/facets': succeeded(FACETS),
    'GET /api/log/self/facets': succeeded(own),
    'GET /api/log/request': refused('request_not_found', 'Not found'),
    'GET /api/overview/attention': succeeded([]),
    ...routes,
  })
  const view = renderScreen(LogsPage, { at: `/app/logs/api-usage${at}` })
  const sent = (path: string) => server.seen.filter((request) => request.path === path)
  return { ...view, sent }
}

const headings = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
const dataRow = () => screen.findByRole('row', { name: /gpt-4o/ })
const filterBox = () => screen.getByRole('combobox', { name: '筛选日志' })

describe('usage logs', () => {
  it('sends the same filters for the list, the sums, the histogram and the facets', async () => {
    const { sent } = open([aLog()], { at: '?model=gpt-4o%25&channel=7&range=custom&start=100&end=200' })

    await screen.findByText('$1.00')

    const filters = { model_name: 'gpt-4o%', channels: '7', start_timestamp: '100', end_timestamp: '200' }
    expect(sent('/api/log')[0]!.query).toEqual({ ...filters, types: '2,6', p: '1', page_size: '50' })
    for (const path of ['/api/log/stat', '/api/log/histogram', '/api/log/facets']) {
      expect(sent(path)[0]!.query).toEqual(filters)
    }
    expect(screen.getByText('1,200')).toBeTruthy()
    expect(await screen.findByText('10 个请求')).toBeTruthy()
    expect(screen.getByText('2 (20%)')).toBeTruthy()
  })

  it('shows the channel name, the attempts, both times and six decimals', async () => {
    open([aLog({}, { channel: 7, channel_name: 'Azure Sweden', attempts: 3, first_token_ms: 1860, use_time_ms: 4200 })])

    const row = within(await dataRow())

    expect(row.getByText('Azure Sweden')).toBeTruthy()
    expect(row.getByText('尝试 3 次')).toBeTruthy()
    expect(row.getByText('1.86')).toBeTruthy()
    expect(row.getByText('4.20 s')).toBeTruthy()
    expect(row.getByText('$0.007250')).toBeTruthy()
    expect(row.queryByText('消费')).toBeNull()
  })

  it('shortens the times on phones', () => {
    const now = Math.floor(Date.now() / 1000)

    expect(cardTime(now, 'en')).toMatch(/^\d\d:\d\d$/)
    expect(cardTime(now - 7 * 86_400, 'en')).toMatch(/^[A-Z][a-z]{2} \d+, .*\d\d:\d\d$/)
  })

  it.each([
    [{ status_code: 429, error_code: 'rate_limit_exceeded' }, '429上游限流'],
    [{ status_code: 403, error_code: 'insufficient_user_quota' }, '403余额不足'],
    [{ status_code: 502, error_code: 'unknown_code' }, '502上游错误'],
    [{ error_code: 'unknown_code' }, '错误Slow down.'],
  ])('names an error in a few words over the last columns: %o', async (fields, text) => {
    open([aLog(fields, { type: LOG_TYPE.error, content: 'Slow down.' })])

    const cell = (await screen.findByTitle(`${fields.error_code} · Slow down.`)).closest('td')

    expect(cell?.colSpan).toBe(3)
    expect(cell?.textContent).toBe(text)
    expect(screen.getByRole('img', { name: '错误' })).toBeTruthy()
  })

  it('shows the type of rows that are not requests', async () => {
    open([aLog({ event: 'check_in', amount: 50_000 }, { type: LOG_TYPE.checkIn, model_name: '' })])

    const row = within((await screen.findByText('每日签到，获得 $0.10')).closest('tr')!)

    expect(row.getByText('签到')).toBeTruthy()
  })

  it('marks a channel test, whose cost is not in the sum', async () => {
    open([aLog({ test: true }, { token_name: 'model test', quota: 1174 })])

    const row = within(await dataRow())

    expect(row.getByText('渠道测试')).toBeTruthy()
    expect(row.getByText('渠道测试，不扣费，不计入合计')).toBeTruthy()
    expect(screen.getByTitle('筛选范围内所有请求的花费；渠道测试不计入')).toBeTruthy()
  })

  it('reports that there are more rows than were counted', async () => {
    open([aLog()], { answer: { total: 10_000, capped: true } })

    expect(await screen.findByText('第 1–1 条，共 10,000+ 条')).toBeTruthy()
  })

  it('explains a link with a cursor that is not valid', async () => {
    const { address } = open([], {
      at: '?page=3.x',
      routes: { 'GET /api/log': refused('log_cursor_invalid', '无效的游标') },
    })

    expect((await screen.findByRole('alert')).textContent).toContain('无效的游标')
    fireEvent.click(screen.getByRole('button', { name: '回到第一页' }))
    await eventually(() => expect(address()).not.toContain('page='))
  })

  it('explains a page that is too far back and links to the first page', async () => {
    const { address } = open([], {
      at: '?page=20000',
      routes: { 'GET /api/log': refused('page_too_deep', '翻页过深，请缩小时间范围或增加筛选条件') },
    })

    expect((await screen.findByRole('alert')).textContent).toContain('翻页过深')
    fireEvent.click(screen.getByRole('button', { name: '回到第一页' }))
    await eventually(() => expect(address()).not.toContain('page='))
  })

  it('shows ordinary users nothing about channels or other users', async () => {
    rememberUser(aUser())
    const { sent } = open([aLog()], { at: '?username=admin&channel=3' })

    await dataRow()

    expect(headings()).toEqual(['时间', '模型', '令牌', '分组', '输入 › 输出', '首字 / 用时', '花费'])
    await screen.findByRole('group', { name: '状态' })
    expect(screen.queryByRole('group', { name: '用户' })).toBeNull()
    expect(sent('/api/log')).toEqual([])
    expect(sent('/api/log/self')[0]!.query).not.toHaveProperty('usernames')
  })

  it('remembers which columns are shown', async () => {
    const { unmount } = open([aLog()])
    await dataRow()
    fireEvent.click(screen.getByRole('button', { name: '列设置' }))
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('checkbox', { name: '分组' }))
    await eventually(() => expect(headings()).toContain('分组'))
    unmount()

    open([aLog()])

    await dataRow()
    expect(headings()).toContain('分组')
    expect(JSON.parse(localStorage.getItem('logs-table-columns')!)).toMatchObject({ group: true, details: false })
  })

  it('can cancel an export', async () => {
    open([aLog()], { routes: { 'GET /api/log/export': () => new Promise(() => {}) } })
    await dataRow()
    fireEvent.click(screen.getByRole('button', { name: '导出 CSV' }))

    fireEvent.click(within(await screen.findByRole('region', { name: '正在导出日志' })).getByRole('button'))

    expect(await screen.findByText('已取消导出')).toBeTruthy()
    await eventually(() => expect(screen.queryByRole('region', { name: '正在导出日志' })).toBeNull())
  })

  it('shows why an export failed', async () => {
    open([aLog()], { routes: { 'GET /api/log/export': refused('too_many', '请稍后再试', 429) } })
    await dataRow()

    fireEvent.click(screen.getByRole('button', { name: '导出 CSV' }))

    expect(await screen.findByText('请稍后再试')).toBeTruthy()
  })
})

describe('filters of the usage logs', () => {
  it('are typed as text or chosen by model name', async () => {
    const { address } = open([aLog()])
    await dataRow()

    fireEvent.change(filterBox(), { target: { value: 'status:error channel:azure mini' } })
    fireEvent.keyDown(filterBox(), { key: 'Enter', keyCode: 13 })

    await eventually(() =>
      expect(Object.fromEntries(new URLSearchParams(address().split('?')[1]))).toEqual({
        status: 'error',
        channel: '7',
        model: '%mini%',
      }),
    )
    const statuses = within(await screen.findByRole('group', { name: '状态' }))
    await eventually(() => expect(statuses.getByRole('checkbox', { name: /错误/ })).toHaveProperty('checked', true))
    expect(screen.queryByRole('list', { name: '当前筛选' })).toBeNull()
  })

  it('open a request whose ID is pasted', async () => {
    const { address } = open([aLog()])
    await dataRow()

    fireEvent.change(filterBox(), { target: { value: REQUEST_ID } })

    await eventually(() => expect(address()).toBe(`/app/logs/api-usage?open=${REQUEST_ID}`))
  })

  it('are toggled by facets, and Alt selects only one value', async () => {
    const { address } = open([aLog()])
    const model = within(await screen.findByRole('group', { name: '模型' }))

    fireEvent.click(model.getByRole('checkbox', { name: /gpt-4o/ }))
    await eventually(() => expect(address()).toContain('model=gpt-4o'))
    fireEvent.click(model.getByRole('checkbox', { name: /gpt-5/ }))
    await eventually(() => expect(address()).toContain('model=gpt-4o%2Cgpt-5'))
    fireEvent.click(model.getByRole('checkbox', { name: /gpt-5/ }), { altKey: true })
    await eventually(() => expect(address()).toBe('/app/logs/api-usage?model=gpt-5'))
  })

  it('are removed by their chips where the facets are hidden', async () => {
    showOnPhone()
    const { address } = open([], { at: `?type=${LOG_TYPE.error}&token=laptop&page=3` })

    fireEvent.click(await screen.findByRole('button', { name: /类型/ }))

    await eventually(() => expect(address()).toBe('/app/logs/api-usage?token=laptop'))
  })

  it('mark the view of errors for links by type, and errors cost nothing', async () => {
    open([aLog({}, { type: LOG_TYPE.error })], { at: `?type=${LOG_TYPE.error}` })

    const errors = await screen.findByRole('button', { name: /^错误/ })
    expect(errors.getAttribute('aria-pressed')).toBe('true')
    expect(screen.queryByRole('button', { name: '保存视图' })).toBeNull()
    const summary = within(screen.getByRole('region', { name: '请求趋势' }))
    await summary.findByText('$0.00')
  })

  it('are saved as named views per user', async () => {
    const { address, unmount } = open([aLog()], { at: '?token=laptop' })
    await dataRow()
    fireEvent.click(screen.getByRole('button', { name: '保存视图' }))
    const dialog = within(await screen.findByRole('dialog'))
    fireEvent.change(dialog.getByRole('textbox'), { target: { value: 'My laptop' } })
    fireEvent.keyDown(dialog.getByRole('textbox'), { key: 'Enter', keyCode: 13 })
    fireEvent.click(screen.getByRole('button', { name: '全部请求' }))
    await eventually(() => expect(address()).toBe('/app/logs/api-usage'))

    fireEvent.click(screen.getByRole('button', { name: 'My laptop' }))
    await eventually(() => expect(address()).toBe('/app/logs/api-usage?token=laptop'))
    unmount()

    rememberUser(aUser({ id: 2, role: 100 }))
    open([aLog()])
    await dataRow()
    expect(screen.queryByRole('button', { name: 'My laptop' })).toBeNull()
  })
})

describe('the panel of the usage logs', () => {
  const rows = [
    aLog({}, { id: 2, request_id: 'second', model_name: 'gpt-5' }),
    aLog({}, { id: 1, request_id: 'first' }),
  ]

  it('opens a row; j, k and Esc move through the list', async () => {
    const { address } = open(rows)
    fireEvent.click(await screen.findByText('gpt-5', { selector: 'td *' }))
    await screen.findByRole('article', { name: '请求 gpt-5' })

    fireEvent.keyDown(document.body, { key: 'j' })
    await screen.findByRole('article', { name: '请求 gpt-4o' })
    fireEvent.keyDown(document.body, { key: 'k' })
    await eventually(() => expect(address()).toBe('/app/logs/api-usage?open=second'))
    fireEvent.keyDown(document.body, { key: 'Escape' })
    await eventually(() => expect(address()).toBe('/app/logs/api-usage'))
  })
})

describe('pages of the usage logs', () => {
  /** Three pages of one row. Each response names the cursor of the next page. */
  const pageAfter = ({ query }: { query: Record<string, string> }) => {
    const index = query['cursor'] === undefined ? Number(query['p']) - 1 : Number(query['cursor'].slice(1))
    const item = aLog({}, { id: 9 - index, request_id: `request-${index}`, model_name: `model-${index}` })
    const next = index < 2 ? { next_cursor: `c${index + 1}` } : {}
    return succeeded({ items: [item], total: 10_000, page: 1, page_size: 1, capped: true, ...next })
  }
  const routes = { 'GET /api/log': pageAfter }
  const shows = (model: string) => screen.findByText(model, { selector: 'td *' })
  const turn = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

  it('are read by cursor, so that new rows do not move them', async () => {
    const { address, sent } = open([], { routes })
    await shows('model-0')
    turn('较早')
    await shows('model-1')
    turn('较早')
    await shows('model-2')

    expect(address()).toBe('/app/logs/api-usage?page=3.c2')
    expect(sent('/api/log').map(({ query }) => query['cursor'])).toEqual([undefined, 'c1', 'c2'])
    expect(screen.getByRole('button', { name: '较早' })).toHaveProperty('disabled', true)
    expect(screen.getByText('第 3 页，共 10,000+ 条')).toBeTruthy()
    turn('较新')
    await shows('model-1')
    expect(address()).toBe('/app/logs/api-usage?page=2.c1')
    turn('较新')
    await shows('model-0')
    expect(address()).toBe('/app/logs/api-usage')
  })

  it('can be opened by a link, also by its page number only', async () => {
    const { address } = open([], { at: '?token=shared&page=3.c2', routes })
    await shows('model-2')
    turn('较新')
    await shows('model-1')
    expect(address()).toBe('/app/logs/api-usage?token=shared&page=2')
    turn('较早')
    await shows('model-2')
    turn('最新')
    await shows('model-0')
    expect(address()).toBe('/app/logs/api-usage?token=shared')
  })

  it('go on after a page on which no row matched', async () => {
    const none = { items: [], total: 0, page: 1, page_size: 50, capped: true }
    const answers = ({ query }: { query: Record<string, string> }) =>
      query['cursor'] ? pageAfter({ query }) : succeeded({ ...none, next_cursor: 'c1' })
    open([], { routes: { 'GET /api/log': answers } })

    await screen.findByText('最新的日志中没有匹配项')
    turn('较早')
    await shows('model-1')
  })

  it('continue after live rows without a gap', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    try {
      let newest = 2
      const all = () =>
        Array.from({ length: newest }, (_, index) =>
          aLog({}, { id: newest - index, request_id: `r${newest - index}`, model_name: `model-${newest - index}` }),
        )
      const list = ({ query }: { query: Record<string, string> }) => {
        const items = query['cursor'] ? [] : all()
        const next = query['cursor'] ? {} : { next_cursor: `after-${newest}` }
        return succeeded({ items, total: 9, page: 1, page_size: 50, capped: false, ...next })
      }
      const { address } = open([], { at: '?live=1', routes: { 'GET /api/log': list } })
      await shows('model-2')
      newest = 3
      await vi.advanceTimersByTimeAsync(2500)
      await shows('model-3')
      turn('较早')

      await screen.findByText('第 2 页，共 9 条')
      expect(address()).toContain('page=2.after-3')
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('live logs', () => {
  it('add new rows on top, and hold them back while a row is open', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    try {
      vi.stubGlobal('scrollTo', () => {})
      const first = aLog({}, { id: 1, request_id: 'first' })
      let items = [first]
      const page = () => succeeded({ items, total: 1, page: 1, page_size: 50, capped: false })
      open([], { at: '?live=1', routes: { 'GET /api/log': page } })
      await dataRow()

      items = [aLog({}, { id: 2, request_id: 'second', model_name: 'gpt-5' }), first]
      await vi.advanceTimersByTimeAsync(2500)
      expect(await screen.findByText('gpt-5', { selector: 'td *' })).toBeTruthy()

      fireEvent.click(screen.getByText('gpt-5', { selector: 'td *' }))
      items = [aLog({}, { id: 3, request_id: 'third', model_name: 'claude' }), ...items]
      await vi.advanceTimersByTimeAsync(2500)
      fireEvent.click(await screen.findByRole('button', { name: '1 条新日志' }))
      expect(await screen.findByText('claude', { selector: 'td *' })).toBeTruthy()

      fireEvent.keyDown(document.body, { key: 'Escape' })
      await vi.advanceTimersByTimeAsync(13_000)
      expect(await screen.findByText('等待新请求')).toBeTruthy()
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('error logging', () => {
  it('can be turned on by the super admin', async () => {
    let isOff = true
    const { sent } = open([aLog()], {
      routes: {
        'GET /api/overview/attention': () =>
          succeeded(isOff ? [{ kind: 'error_logging_off', total: 1, items: [] }] : []),
        'PUT /api/option': () => {
          isOff = false
          return succeeded()
        },
      },
    })

    fireEvent.click(await screen.findByRole('button', { name: /开\s*启/ }))

    await eventually(() => expect(screen.queryByText(/错误日志未开启/)).toBeNull())
    expect(sent('/api/option')[0]!.body).toEqual({ key: 'LogErrorEnabled', value: 'true' })
  })
})
