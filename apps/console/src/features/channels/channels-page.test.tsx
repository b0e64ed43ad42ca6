import type { Channel } from '@tidegate/contract/api'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { fakeServer, refused, succeeded } from '../../../test/fake-server.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aChannel } from '../../../test/sample-channel.ts'
import ChannelsPage from './channels-page.tsx'

const IDLE = {
  running: false,
  done: 0,
  total: 0,
  current: '',
  failed: 0,
  started_time: 0,
  finished_time: 0,
  cancelled: false,
}

function open(channels: Channel[], { at = '', total, routes = {} }: Options = {}) {
  const server = fakeServer({
    'GET /api/channel/search': {
      json: { success: true, message: '', data: channels },
      ...(total !== undefined && { headers: { 'x-total-count': String(total) } }),
    },
    'GET /api/channel/summary': succeeded({ all: 9, healthy: 4, failing: 2, auto_disabled: 1, disabled: 2 }),
    'GET /api/channel/health': succeeded([]),
    'GET /api/channel/stats': succeeded([]),
    'GET /api/channel/tags': succeeded(['main', 'spare']),
    'GET /api/group': succeeded(['default', 'vip']),
    'GET /api/channel/test/progress': succeeded(IDLE),
    'GET /api/channel/update_balance/progress': succeeded(IDLE),
    'PUT /api/channel': succeeded({}),
    'PUT /api/channel/tag': succeeded(),
    ...routes,
  })
  const view = renderScreen(ChannelsPage, { at: `/admin/channels${at}` })
  const sent = (method: string, path?: string) =>
    server.seen.filter((request) => request.method === method && (path === undefined || request.path === path))
  return { ...view, sent }
}

interface Options {
  at?: string
  total?: number
  routes?: Parameters<typeof fakeServer>[0]
}

const row = (name: RegExp) => screen.findByRole('row', { name })

/** Selects an entry of the batch menu. */
async function chooseBatch(entry: string) {
  fireEvent.click(screen.getByRole('button', { name: '批量操作' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: entry }))
}

/** Clicks the number, types another and confirms. */
function enter(label: RegExp, value: string) {
  fireEvent.click(screen.getByRole('button', { name: label }))
  const field = screen.getByRole('textbox', { name: new RegExp(label.source.split(':')[0]!) })
  fireEvent.change(field, { target: { value } })
  fireEvent.keyDown(field, { key: 'Enter' })
}

describe('the list of channels', () => {
  it('loads the page of the URL and shows the total', async () => {
    const { sent } = open([aChannel()], { at: '?page=3&size=20&id_sort=true', total: 95 })

    await row(/harbour/)

    expect(sent('GET', '/api/channel/search')[0]!.query).toEqual({
      p: '2',
      page_size: '20',
      id_sort: 'true',
      tag_mode: 'false',
    })
    expect(screen.getByText('第 41–41 条，共 95 条')).toBeTruthy()
  })

  it('sends filters, with commas between values, and puts channels that need attention first', async () => {
    const { sent } = open([aChannel()], { at: '?keyword=har&types=1,8&statuses=3&tags=main,spare&model=gpt' })

    await row(/harbour/)

    expect(sent('GET', '/api/channel/search')[0]!.query).toEqual({
      keyword: 'har',
      model: 'gpt',
      types: '1,8',
      statuses: '3',
      tags: 'main,spare',
      sort: 'attention',
      id_sort: 'false',
      tag_mode: 'false',
      p: '0',
      page_size: '50',
    })
    expect(sent('GET', '/api/channel/summary')[0]!.query).toMatchObject({ keyword: 'har', types: '1,8' })
  })

  it('filters by state with chips that show how many channels there are', async () => {
    const { sent, address } = open([aChannel()])
    await row(/harbour/)

    fireEvent.click(await screen.findByRole('button', { name: /^异常 ?2$/ }))

    await waitFor(() => expect(address()).toBe('/admin/channels?state=failing'))
    await waitFor(() => expect(sent('GET', '/api/channel/search').at(-1)!.query.state).toBe('failing'))
    fireEvent.click(screen.getByRole('button', { name: /^全部 ?9$/ }))
    await waitFor(() => expect(address()).toBe('/admin/channels'))
  })

  it('sorts by a column in both directions, then by default', async () => {
    const { sent, address } = open([aChannel()])
    await row(/harbour/)
    const sortBy = async (name: string) => {
      fireEvent.click(screen.getByRole('button', { name }))
      await waitFor(() => expect(screen.getByRole('row', { name: /harbour/ })).toBeTruthy())
    }

    await sortBy('优先级')
    expect(address()).toBe('/admin/channels?sort=priority')
    await waitFor(() => expect(sent('GET', '/api/channel/search').at(-1)!.query.direction).toBe('desc'))
    await sortBy('优先级')
    expect(address()).toBe('/admin/channels?sort=priority&direction=asc')
    await sortBy('优先级')
    expect(address()).toBe('/admin/channels')
  })

  it('shows the billed amount and the last error of a failing channel', async () => {
    const stats = {
      channel_id: 3,
      state: 'failing',
      last_hour: { succeeded: 1, failed: 9, first_token_average_ms: 1120 },
      today: { requests: 10, billed_quota: 1_000_000, failed: 9 },
      last_30_days: { requests: 100, billed_quota: 2_000_000 },
      last_error: {
        code: 'rate_limit_exceeded',
        status: 429,
        message: 'Too many tokens',
        model: 'm',
        time: 1_700_000_000,
        request_id: '',
      },
    }
    open([aChannel()], { routes: { 'GET /api/channel/stats': succeeded([stats]) } })

    const cells = within(await row(/harbour/))

    const error = await cells.findByText('429 上游限流')
    expect(error.parentElement!.title).toContain('Too many tokens')
    expect(cells.getByText('$2.00')).toBeTruthy()
    expect(cells.getByText('1.12 s')).toBeTruthy()
    expect(cells.getByText('异常')).toBeTruthy()
  })

  it('shows the further filters after a click', async () => {
    open([aChannel()], { at: '?tags=main' })
    await row(/harbour/)
    expect(screen.getByRole('combobox', { name: '渠道类型' })).toBeTruthy()
    expect(screen.queryByRole('combobox', { name: '状态' })).toBeNull()

    fireEvent.click(screen.getByRole('button', { name: '筛选' }))

    expect(screen.getByRole('combobox', { name: '状态' })).toBeTruthy()
    expect(screen.getByRole('combobox', { name: '标签' })).toBeTruthy()
  })

  it('offers to clear the filters when nothing is found', async () => {
    const { address } = open([], { at: '?keyword=nothing' })

    fireEvent.click(await screen.findByRole('button', { name: '清除筛选' }))

    await waitFor(() => expect(address()).toBe('/admin/channels'))
  })

  it('stores order and grouping in the browser and in the URL', async () => {
    const { address } = open([aChannel({ tag: 'main' })])
    await row(/harbour/)

    fireEvent.click(screen.getByRole('button', { name: '显示' }))
    fireEvent.click(await screen.findByRole('switch', { name: '标签聚合' }))

    expect(address()).toBe('/admin/channels?tag_mode=true')
    expect(localStorage.getItem('enable-tag-mode')).toBe('true')
    expect(await row(/main/)).toBeTruthy()
  })

  it('restores stored options and adds them to the URL', async () => {
    localStorage.setItem('id-sort', 'true')
    const { address, sent } = open([aChannel()])

    await row(/harbour/)

    expect(sent('GET', '/api/channel/search')[0]!.query.id_sort).toBe('true')
    expect(address()).toBe('/admin/channels?id_sort=true')
  })

  it('shows the tone of a response time, and that a channel was never tested', async () => {
    localStorage.setItem('channels-table-columns', '{"responseTime":true}')
    const tones = { 1000: 'good', 1001: 'info', 3000: 'info', 3001: 'warn', 5000: 'warn', 5001: 'bad' }
    const times = [0, ...Object.keys(tones).map(Number)]
    open(times.map((response_time, at) => aChannel({ id: at + 1, name: `pier ${response_time}`, response_time })))

    expect(within(await row(/pier 0/)).getByText('未测试')).toBeTruthy()
    for (const [time, tone] of Object.entries(tones)) {
      const cell = within(screen.getByRole('row', { name: new RegExp(`pier ${time}`) }))
      const shown = cell.getByText(`${(Number(time) / 1000).toFixed(2)} s`)
      expect(shown.closest('[data-tone]')!.getAttribute('data-tone'), time).toBe(tone)
    }
  })

  it('shows why and when a channel was disabled automatically', async () => {
    open([aChannel({ status: 3, other_info: '{"status_reason":"no credit","status_time":1700000000}' })])

    const state = within(await row(/harbour/)).getByText(/自动禁用 · 原因：no credit · 时间：2023-11/)

    expect(state).toBeTruthy()
  })
})

describe('the actions on a channel', () => {
  it('show why the balance cannot be loaded, and why a test failed', async () => {
    const result = { success: false, message: 'Incorrect API key provided.', time: 0.2, model: 'gpt-4o' }
    open([aChannel()], {
      routes: {
        'GET /api/channel/update_balance/3': refused('balance_unsupported', '尚未实现余额查询'),
        'GET /api/channel/test/3': { json: result },
      },
    })
    await row(/harbour/)

    fireEvent.click(screen.getByRole('button', { name: /^harbour 的余额/ }))
    expect(await screen.findByText('尚未实现余额查询')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: '测试 harbour' }))

    expect(await screen.findByText('渠道 harbour 测试失败：Incorrect API key provided.')).toBeTruthy()
  })
})

describe('disabling a channel', () => {
  it('updates the row immediately, names the channel and can be undone', async () => {
    let status = 1
    const { sent } = open([], {
      routes: {
        'GET /api/channel/search': () => succeeded([aChannel({ status })]),
        'POST /api/channel/batch/disabled': () => {
          status = 2
          return succeeded(1)
        },
        'POST /api/channel/batch/enabled': () => {
          status = 1
          return succeeded(1)
        },
      },
    })
    await row(/harbour/)

    fireEvent.click(screen.getByRole('button', { name: '禁用 harbour' }))

    expect(await screen.findByRole('button', { name: '启用 harbour' })).toBeTruthy()
    expect(await screen.findByText('已禁用 harbour')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: '撤销' }))
    expect(await screen.findByRole('button', { name: '禁用 harbour' })).toBeTruthy()
    expect(sent('POST').map(({ path, body }) => [path, body])).toEqual([
      ['/api/channel/batch/disabled', { ids: [3] }],
      ['/api/channel/batch/enabled', { ids: [3] }],
    ])
  })

  it('is reverted if the server rejects it', async () => {
    open([aChannel()], { routes: { 'POST /api/channel/batch/disabled': refused('demo_site', '演示站点') } })
    await row(/harbour/)

    fireEvent.click(screen.getByRole('button', { name: '禁用 harbour' }))

    expect(await screen.findByText('演示站点')).toBeTruthy()
    expect(await screen.findByRole('button', { name: '禁用 harbour' })).toBeTruthy()
  })
})

describe('the actions on all channels', () => {
  it('delete disabled channels after a confirmation, and rebuild the index', async () => {
    const { sent } = open([aChannel()], {
      routes: { 'DELETE /api/channel/disabled': succeeded(2), 'POST /api/channel/fix': succeeded(1) },
    })
    await row(/harbour/)

    await chooseBatch('删除所有已禁用的渠道')
    expect(sent('DELETE')).toEqual([])
    fireEvent.click(await screen.findByRole('button', { name: '删除' }))
    expect(await screen.findByText('已删除 2 个禁用的渠道')).toBeTruthy()
    expect(sent('DELETE', '/api/channel/disabled')).toHaveLength(1)
    await chooseBatch('重建索引')

    expect(await screen.findByText('索引已重建，1 个渠道已更正')).toBeTruthy()
  })
})

describe('numbers in the list', () => {
  it('are changed in place', async () => {
    const { sent } = open([aChannel()], { routes: { 'GET /api/channel/3': succeeded(aChannel(), { etag: '"one"' }) } })
    await row(/harbour/)

    enter(/harbour 的优先级: 0/, '-7')

    await waitFor(() => expect(sent('PUT')).toHaveLength(1))
    expect(sent('PUT')[0]!.body).toEqual({ id: 3, priority: -7 })
    expect(sent('PUT')[0]!.headers.get('if-match')).toBe('"one"')
  })

  it('do not overwrite a change of another administrator, which the list then shows', async () => {
    let current = aChannel({ weight: 1 })
    const { sent } = open([], {
      routes: {
        'GET /api/channel/search': () => succeeded([current]),
        'GET /api/channel/3': () => succeeded(current, { etag: '"two"' }),
      },
    })
    await row(/harbour/)
    current = aChannel({ weight: 9 })

    enter(/harbour 的权重: 1/, '5')

    expect(await screen.findByText('在你打开之后，其他管理员修改了该渠道。')).toBeTruthy()
    expect(await screen.findByRole('button', { name: 'harbour 的权重: 9' })).toBeTruthy()
    expect(sent('PUT')).toEqual([])
  })

  it('are not saved after an edit conflict, and the list is reloaded', async () => {
    const { sent } = open([aChannel()], {
      routes: {
        'GET /api/channel/3': succeeded(aChannel(), { etag: '"one"' }),
        'PUT /api/channel': refused('edit_conflict', '已被修改', 412),
      },
    })
    await row(/harbour/)

    enter(/harbour 的权重: 0/, '5')

    expect(await screen.findByText('在你打开之后，其他管理员修改了该渠道。')).toBeTruthy()
    await waitFor(() => expect(sent('GET', '/api/channel/search')).toHaveLength(2))
    expect(await screen.findByRole('button', { name: 'harbour 的权重: 0' })).toBeTruthy()
  })

  it('reject invalid values', async () => {
    const { sent } = open([aChannel()])
    await row(/harbour/)

    for (const [field, value, message] of [
      ['优先级', '1.5', '优先级必须是整数！'],
      ['优先级', '-1000', '优先级不能小于 -999！'],
      ['权重', '-1', '权重必须是非负整数！'],
    ]) {
      enter(new RegExp(`harbour 的${field}: 0`), value!)
      expect(await screen.findByText(message!)).toBeTruthy()
      fireEvent.keyDown(screen.getByRole('textbox', { name: `harbour 的${field}` }), { key: 'Escape' })
    }

    expect(sent('PUT')).toEqual([])
  })

  it('are restored by Escape', async () => {
    const { sent } = open([aChannel({ weight: 4 })])
    await row(/harbour/)
    enter(/harbour 的权重: 4/, 'x')
    expect(await screen.findByText('权重必须是非负整数！')).toBeTruthy()

    fireEvent.keyDown(screen.getByRole('textbox', { name: 'harbour 的权重' }), { key: 'Escape' })

    expect(await screen.findByRole('button', { name: 'harbour 的权重: 4' })).toBeTruthy()
    expect(sent('PUT')).toEqual([])
  })

  it('are shown for untagged channels, which have no tag actions', async () => {
    open([aChannel({ id: 1, tag: 'main' }), aChannel({ id: 2, name: 'lonely', weight: 3 })], { at: '?tag_mode=true' })

    const untagged = within(await row(/无标签（1）/))
    expect(untagged.getByText('3')).toBeTruthy()
    expect(untagged.queryByRole('button', { name: /更多操作$/ })).toBeNull()
    fireEvent.click(within(await row(/main/)).getByRole('button', { name: 'main 的更多操作' }))
    expect(await screen.findByRole('menuitem', { name: '全部禁用' })).toBeTruthy()
  })

  it('of a tag are saved for all of its channels', async () => {
    const { sent } = open([aChannel({ id: 1, tag: 'main', weight: 1 }), aChannel({ id: 2, tag: 'main', weight: 2 })], {
      at: '?tag_mode=true',
    })
    await row(/main/)

    enter(/main 的权重: 不一致/, '8')

    await waitFor(() => expect(sent('PUT', '/api/channel/tag')).toHaveLength(1))
    expect(sent('PUT')[0]!.body).toEqual({ tag: 'main', weight: 8 })
  })
})

describe('selected channels', () => {
  it('are required before a deletion or a tag', async () => {
    open([aChannel()])
    await row(/harbour/)

    await chooseBatch('删除所选')
    expect(await screen.findByText('请先选择要删除的渠道！')).toBeTruthy()
    await chooseBatch('设置标签')
    expect(await screen.findByText('请先选择要设置标签的渠道！')).toBeTruthy()
  })

  it('get the same priority in one request', async () => {
    const { sent } = open([aChannel({ id: 1 }), aChannel({ id: 2, name: 'pier' })], {
      routes: { 'POST /api/channel/batch/priority': succeeded(2) },
    })
    await row(/harbour/)
    fireEvent.click(screen.getByRole('checkbox', { name: '选择 harbour' }))
    fireEvent.click(screen.getByRole('checkbox', { name: '选择 pier' }))

    fireEvent.click(screen.getByRole('button', { name: '设置优先级' }))
    fireEvent.change(await screen.findByRole('spinbutton', { name: '优先级' }), { target: { value: '7' } })
    fireEvent.click(screen.getByRole('button', { name: '保存' }))

    await waitFor(() => expect(sent('POST')).toHaveLength(1))
    expect(sent('POST')[0]!.body).toEqual({ ids: [1, 2], priority: 7 })
  })

  it('are deleted together if their tag is selected', async () => {
    const { sent } = open(
      [aChannel({ id: 1, tag: 'main' }), aChannel({ id: 2, tag: 'main' }), aChannel({ id: 3, tag: 'x' })],
      {
        at: '?tag_mode=true',
        routes: { 'POST /api/channel/batch': succeeded(2) },
      },
    )
    await row(/main/)
    fireEvent.click(screen.getByRole('checkbox', { name: '选择 main' }))
    expect(screen.getByText('已选 2 项')).toBeTruthy()

    fireEvent.click(screen.getByRole('button', { name: '删除所选' }))
    fireEvent.click(await screen.findByRole('button', { name: '删除' }))

    expect(await screen.findByText('已删除 2 个渠道！')).toBeTruthy()
    expect(sent('POST')[0]!.body).toEqual({ ids: [1, 2] })
  })

  it('cannot get an empty tag', async () => {
    const { sent } = open([aChannel()], { routes: { 'POST /api/channel/batch/tag': succeeded(1) } })
    await row(/harbour/)
    fireEvent.click(screen.getByRole('checkbox', { name: '选择 harbour' }))
    fireEvent.click(screen.getByRole('button', { name: '设置标签' }))

    fireEvent.click(await screen.findByRole('button', { name: '保存' }))
    expect(await screen.findByText('标签不能为空！')).toBeTruthy()
    const dialog = within(screen.getByRole('dialog'))
    fireEvent.change(dialog.getByRole('combobox', { name: '标签' }), { target: { value: 'spare' } })
    fireEvent.click(screen.getByRole('button', { name: '保存' }))

    await waitFor(() => expect(sent('POST')).toHaveLength(1))
    expect(sent('POST')[0]!.body).toEqual({ ids: [3], tag: 'spare' })
  })
})

describe('columns', () => {
  it('are selected in a dialog and stored', async () => {
    const { unmount } = open([aChannel()])
    await row(/harbour/)
    expect(screen.queryByRole('columnheader', { name: '标签' })).toBeNull()

    fireEvent.click(screen.getByRole('button', { name: '显示' }))
    fireEvent.click(await screen.findByRole('button', { name: '列设置' }))
    fireEvent.click(await screen.findByRole('checkbox', { name: '标签' }))
    fireEvent.click(screen.getByRole('checkbox', { name: '余额' }))

    expect(screen.getByRole('columnheader', { name: '标签' })).toBeTruthy()
    expect(screen.queryByRole('columnheader', { name: '余额' })).toBeNull()
    unmount()
    open([aChannel()])
    await row(/harbour/)
    expect(screen.getByRole('columnheader', { name: '标签' })).toBeTruthy()
  })
})

describe('a test of all channels', () => {
  it('shows its progress even if another administrator started it, and can be cancelled', async () => {
    let running = true
    const { sent } = open([aChannel()], {
      routes: {
        'GET /api/channel/test/progress': () =>
          succeeded({ ...IDLE, running, done: 3, total: 40, current: 'pier', failed: 1, cancelled: !running }),
        'POST /api/channel/test/cancel': () => {
          running = false
          return succeeded()
        },
      },
    })
    const notice = await screen.findByRole('region', { name: '正在测试渠道' })
    expect(notice.textContent).toContain('3 / 40')
    expect(notice.textContent).toContain('pier')
    expect(notice.textContent).toContain('1 个失败')

    fireEvent.click(within(notice).getByRole('button', { name: '取消' }))

    expect(await screen.findByText('渠道测试已取消，完成 3 / 40')).toBeTruthy()
    expect(sent('POST', '/api/channel/test/cancel')).toHaveLength(1)
  })

  it('shows the result when it ends', async () => {
    let running = true
    open([aChannel()], {
      routes: {
        'GET /api/channel/test/progress': () => {
          const progress = { ...IDLE, running, done: running ? 1 : 2, total: 2, finished_time: running ? 0 : 1 }
          running = false
          return succeeded(progress)
        },
      },
    })

    expect(await screen.findByText('渠道测试完成：2 个，0 个未通过')).toBeTruthy()
  })
})
