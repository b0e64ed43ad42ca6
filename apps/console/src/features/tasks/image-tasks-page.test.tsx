import type { DrawingTask } from '@tidegate/contract/api'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { rememberUser } from '../../api/session.ts'
import { eventually } from '../../../test/eventually.ts'
import { fakeServer, refused, succeeded } from '../../../test/fake-server.ts'
import { showOnPhone } from '../../../test/phone.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { anImageTask } from '../../../test/sample-task.ts'
import { aStatus, aUser } from '../../../test/samples.ts'
import ImageTasksPage from './image-tasks-page.tsx'

const ADMIN = aUser({ id: 1, username: 'admin', role: 100 })
const CALLBACKS_OFF = /^未开启回调/

beforeEach(() => rememberUser(ADMIN))
afterEach(() => vi.useRealTimers())

type Response = ReturnType<typeof succeeded>

function listed(tasks: DrawingTask[], total = tasks.length): Response {
  return { ...(succeeded(tasks) as object), headers: { 'x-total-count': String(total) } }
}

interface Options {
  at?: string
  total?: number
  response?: () => Response
  status?: Parameters<typeof aStatus>[0]
}

function open(tasks: DrawingTask[], { at = '', total, response, status = { mj_notify_enabled: true } }: Options = {}) {
  const route = response ?? (() => listed(tasks, total))
  const server = fakeServer({ 'GET /api/mj': route, 'GET /api/mj/self': route })
  const view = renderScreen(ImageTasksPage, { at: `/app/logs/drawing${at}`, status: aStatus(status) })
  return { ...view, requested: (path: string) => server.seen.filter((request) => request.path === path) }
}

const headings = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
const row = (name: RegExp) => screen.findByRole('row', { name })

describe('the list of image tasks', () => {
  it('requests a page, counted from zero, with filter times in milliseconds', async () => {
    const { requested } = open([anImageTask()], {
      at: '?task=abc&channel=7&range=custom&start=100&end=200&page=3&size=20',
      total: 60,
    })

    await row(/退潮后的码头/)

    expect(requested('/api/mj')[0]!.query).toEqual({
      mj_id: 'abc',
      channel_id: '7',
      start_timestamp: '100000',
      end_timestamp: '200999',
      p: '2',
      page_size: '20',
    })
    expect(screen.getByText('第 41–41 条，共 60 条')).toBeTruthy()
  })

  it('lists the last 30 days if no range is chosen', async () => {
    const { requested } = open([anImageTask()])

    await row(/退潮后的码头/)

    const { start_timestamp, end_timestamp } = requested('/api/mj')[0]!.query
    const days = (Number(end_timestamp) - Number(start_timestamp)) / 86_400_000
    expect(days).toBeGreaterThan(28.9)
    expect(days).toBeLessThan(30.2)
  })

  it('shows action, status, duration and price', async () => {
    open([
      anImageTask(),
      anImageTask({ id: 2, mj_id: 'm2', action: 'SWAP_FACE', status: 'MODAL', progress: '35%', finish_time: 0 }),
      anImageTask({
        id: 3,
        mj_id: 'm3',
        action: 'PORTAL',
        status: 'FAILURE',
        refunded: true,
        fail_reason: '含有违禁词',
      }),
    ])

    const done = await row(/1763200000000001/)
    for (const text of ['绘图', '成功', '42 秒', '$0.10']) expect(within(done).getByText(text)).toBeTruthy()
    expect(within(done).getByRole('link', { name: 'harbour' }).title).toBe('#3 harbour')
    expect(within(done).queryByRole('progressbar')).toBeNull()
    const waiting = await row(/m2/)
    for (const text of ['换脸', '窗口等待']) expect(within(waiting).getByText(text)).toBeTruthy()
    expect(within(waiting).getByRole('progressbar').getAttribute('value')).toBe('35')
    const failed = await row(/m3/)
    for (const text of ['PORTAL', '失败', '已退回', '含有违禁词']) {
      expect(within(failed).getByText(text)).toBeTruthy()
    }
  })

  it('shows ordinary users neither channels nor other users', async () => {
    rememberUser(aUser())
    const { requested } = open([anImageTask()], { at: '?channel=3', status: { mj_notify_enabled: false } })

    await row(/退潮后的码头/)

    expect(headings()).toEqual(expect.not.arrayContaining(['渠道', '用户']))
    expect(screen.queryByRole('textbox', { name: '渠道 ID' })).toBeNull()
    expect(screen.queryByText(CALLBACKS_OFF)).toBeNull()
    expect(requested('/api/mj')).toEqual([])
    expect(requested('/api/mj/self')[0]!.query).not.toHaveProperty('channel_id')
  })

  it.each([
    [1, '已提交'],
    [21, '等待中'],
    [22, '重复提交'],
    [0, '未提交'],
    [99, '未知'],
  ])('shows the submission result %i to the owner', async (code, text) => {
    rememberUser(aUser())
    open([anImageTask({ code })])

    expect(within(await row(/退潮后的码头/)).getByText(text)).toBeTruthy()
  })

  it('warns administrators that callbacks are off until they dismiss it', async () => {
    const { unmount } = open([], { status: { mj_notify_enabled: false } })
    await screen.findByText(CALLBACKS_OFF)
    fireEvent.click(screen.getByRole('button', { name: '不再提示' }))
    await eventually(() => expect(screen.queryByText(CALLBACKS_OFF)).toBeNull())
    unmount()

    open([], { status: { mj_notify_enabled: false } })

    expect(await screen.findByText('最近 30 天没有绘图任务')).toBeTruthy()
    expect(screen.queryByText(CALLBACKS_OFF)).toBeNull()
  })

  it('remembers the chosen columns', async () => {
    const { unmount } = open([anImageTask()])
    await row(/退潮后的码头/)
    expect(headings()).not.toContain('英文提示词')
    fireEvent.click(screen.getByRole('button', { name: '列设置' }))
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('checkbox', { name: '英文提示词' }))
    await eventually(() => expect(headings()).toContain('英文提示词'))
    unmount()

    open([anImageTask()])

    await row(/a pier after the tide/)
    expect(headings()).toContain('英文提示词')
  })

  it('links to the first page if a page is too far back', async () => {
    const { address } = open([], {
      at: '?page=2000',
      response: () => refused('page_too_deep', '翻页过深，请缩小时间范围或增加筛选条件'),
    })

    expect((await screen.findByRole('alert')).textContent).toContain('翻页过深')
    fireEvent.click(screen.getByRole('button', { name: '回到第一页' }))
    await eventually(() => expect(address()).toBe('/app/logs/drawing'))
  })

  it('removes a filter by its chip', async () => {
    showOnPhone()
    const { address } = open([], { at: '?task=abc&channel=3&page=2' })

    expect(await screen.findByText('本页没有内容')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: '移除筛选：渠道' }))

    await eventually(() => expect(address()).toBe('/app/logs/drawing?task=abc'))
  })
})

describe('an image task', () => {
  it('is a card on a phone with its prompt and image, and shows the rest after a tap', async () => {
    showOnPhone()
    open([anImageTask()])
    const button = await screen.findByRole('button', { name: /^查看图片/ })
    expect(button.querySelector('img')?.getAttribute('src')).toBe('/mj/image/1763200000000001?key=k')
    expect(screen.queryByText('42 秒')).toBeNull()

    fireEvent.click(screen.getByRole('button', { name: '详情 退潮后的码头' }))

    expect(screen.getByText('42 秒')).toBeTruthy()
  })

  it('opens its image, enlarges it, and shows an error if it cannot be loaded', async () => {
    open([anImageTask()])
    fireEvent.click(await screen.findByRole('button', { name: /^查看图片/ }))
    const dialog = within(await screen.findByRole('dialog'))
    const picture = dialog.getByRole<HTMLImageElement>('img', { name: '退潮后的码头' })
    expect(picture.getAttribute('src')).toBe('/mj/image/1763200000000001?key=k')
    expect(dialog.getByRole('link', { name: '在新标签页打开' }).getAttribute('rel')).toContain('noopener')

    fireEvent.click(dialog.getByRole('button', { name: '放大' }))
    expect(picture.style.width).toBe('150%')
    fireEvent.error(picture)

    expect((await dialog.findByRole('alert')).textContent).toContain('图片无法显示')
    fireEvent.click(dialog.getByRole('button', { name: /重试/ }))
    expect(await dialog.findByRole('img', { name: '退潮后的码头' })).toBeTruthy()
  })

  it.each(['', 'javascript:alert(1)', 'data:text/html,hi'])('has no image button for the URL %j', async (image_url) => {
    open([anImageTask({ image_url })])

    await row(/退潮后的码头/)

    expect(screen.queryByRole('button', { name: /^查看图片/ })).toBeNull()
  })

  it('opens a text that is longer than its cell', async () => {
    const fail_reason = '很长的原因。'.repeat(80)
    open([anImageTask({ status: 'FAILURE', fail_reason })])

    fireEvent.click(await screen.findByRole('button', { name: /^失败原因/ }))

    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getByText(fail_reason)).toBeTruthy()
    expect(within(dialog).getByRole('button', { name: '复制 失败原因' })).toBeTruthy()
  })

  it('is polled while it is open, is announced when it ends, and is not polled afterwards', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const steps = [
      anImageTask({ status: 'IN_PROGRESS', progress: '35%', finish_time: 0 }),
      anImageTask({ status: 'IN_PROGRESS', progress: '70%', finish_time: 0 }),
      anImageTask(),
    ]
    const { requested } = open([], { response: () => listed([steps.length > 1 ? steps.shift()! : steps[0]!]) })
    expect((await screen.findByRole('progressbar')).getAttribute('value')).toBe('35')

    await act(() => vi.advanceTimersByTimeAsync(3000))
    await eventually(() => expect(screen.getByRole('progressbar').getAttribute('value')).toBe('70'))
    expect(screen.queryByText('任务 1763200000000001 已完成。')).toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(3000))

    await eventually(() => expect(screen.getByText('任务 1763200000000001 已完成。')).toBeTruthy())
    await act(() => vi.advanceTimersByTimeAsync(60_000))
    expect(requested('/api/mj')).toHaveLength(3)
  })

  it('is not polled while the tab is hidden', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    const { requested } = open([anImageTask({ status: 'IN_PROGRESS', progress: '35%', finish_time: 0 })])
    await row(/退潮后的码头/)

    await act(() => vi.advanceTimersByTimeAsync(30_000))
    expect(requested('/api/mj')).toHaveLength(1)
    visibility.mockReturnValue('visible')
    await act(() => vi.advanceTimersByTimeAsync(3000))

    await eventually(() => expect(requested('/api/mj').length).toBeGreaterThan(1))
    visibility.mockRestore()
  })
})
