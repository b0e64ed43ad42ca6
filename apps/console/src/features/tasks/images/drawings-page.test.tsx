import type { DrawingTask } from '@tidegate/contract/api'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { rememberUser } from '../../../api/session.ts'
import { eventually } from '../../../../test/eventually.ts'
import { fakeServer, refused, succeeded } from '../../../../test/fake-server.ts'
import { renderScreen } from '../../../../test/render-screen.tsx'
import { aDrawing } from '../../../../test/sample-task.ts'
import { aStatus, aUser } from '../../../../test/samples.ts'
import DrawingsPage from './drawings-page.tsx'

const CAPTAIN = aUser({ id: 1, username: 'captain', role: 100 })
const CALLBACKS_OFF = /^未开启回调/

beforeEach(() => rememberUser(CAPTAIN))
afterEach(() => vi.useRealTimers())

type Answer = ReturnType<typeof succeeded>

function listed(drawings: DrawingTask[], total = drawings.length): Answer {
  return { ...(succeeded(drawings) as object), headers: { 'x-total-count': String(total) } }
}

interface Options {
  at?: string
  total?: number
  answer?: () => Answer
  status?: Parameters<typeof aStatus>[0]
}

function open(drawings: DrawingTask[], { at = '', total, answer, status = { mj_notify_enabled: true } }: Options = {}) {
  const route = answer ?? (() => listed(drawings, total))
  const server = fakeServer({ 'GET /api/mj': route, 'GET /api/mj/self': route })
  const view = renderScreen(DrawingsPage, { at: `/app/logs/drawing${at}`, status: aStatus(status) })
  return { ...view, asked: (path: string) => server.seen.filter((request) => request.path === path) }
}

const headings = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
const row = (name: RegExp) => screen.findByRole('row', { name })

describe('the list of drawings', () => {
  it('asks for a page, counted from zero, by filters with times in milliseconds', async () => {
    const { asked } = open([aDrawing()], {
      at: '?task=abc&channel=7&range=custom&start=100&end=200&page=3&size=20',
      total: 60,
    })

    await row(/退潮后的码头/)

    expect(asked('/api/mj')[0]!.query).toEqual({
      mj_id: 'abc',
      channel_id: '7',
      start_timestamp: '100000',
      end_timestamp: '200999',
      p: '2',
      page_size: '20',
    })
    expect(screen.getByText('第 41–41 条，共 60 条')).toBeTruthy()
  })

  it('looks back 30 days when nothing is chosen', async () => {
    const { asked } = open([aDrawing()])

    await row(/退潮后的码头/)

    const { start_timestamp, end_timestamp } = asked('/api/mj')[0]!.query
    const days = (Number(end_timestamp) - Number(start_timestamp)) / 86_400_000
    expect(days).toBeGreaterThan(28.9)
    expect(days).toBeLessThan(30.2)
  })

  it('says what was ordered, how it stands, how long it took and what it cost', async () => {
    open([
      aDrawing(),
      aDrawing({ id: 2, mj_id: 'm2', action: 'SWAP_FACE', status: 'MODAL', progress: '35%', finish_time: 0 }),
      aDrawing({ id: 3, mj_id: 'm3', action: 'PORTAL', status: 'FAILURE', refunded: true, fail_reason: '含有违禁词' }),
    ])

    const done = await row(/1763200000000001/)
    for (const words of ['绘图', '成功', '42 秒', '$0.10']) expect(within(done).getByText(words)).toBeTruthy()
    expect(within(done).getByRole('link', { name: '#3 harbour' })).toBeTruthy()
    const waiting = await row(/m2/)
    for (const words of ['换脸', '窗口等待']) expect(within(waiting).getByText(words)).toBeTruthy()
    expect(within(waiting).getByRole('progressbar').getAttribute('value')).toBe('35')
    const failed = await row(/m3/)
    for (const words of ['PORTAL', '失败', '已退回']) expect(within(failed).getByText(words)).toBeTruthy()
  })

  it('shows an ordinary user nothing about channels or other people', async () => {
    rememberUser(aUser())
    const { asked } = open([aDrawing()], { at: '?channel=3', status: { mj_notify_enabled: false } })

    await row(/退潮后的码头/)

    expect(headings()).toEqual(expect.not.arrayContaining(['渠道', '用户']))
    expect(screen.queryByRole('textbox', { name: '渠道 ID' })).toBeNull()
    expect(screen.queryByText(CALLBACKS_OFF)).toBeNull()
    expect(asked('/api/mj')).toEqual([])
    expect(asked('/api/mj/self')[0]!.query).not.toHaveProperty('channel_id')
  })

  it.each([
    [1, '已提交'],
    [21, '等待中'],
    [22, '重复提交'],
    [0, '未提交'],
    [99, '未知'],
  ])('tells its owner that the vendor took it with %i', async (code, words) => {
    rememberUser(aUser())
    open([aDrawing({ code })])

    expect(within(await row(/退潮后的码头/)).getByText(words)).toBeTruthy()
  })

  it('tells an administrator that callbacks are off, until that was read', async () => {
    const { unmount } = open([], { status: { mj_notify_enabled: false } })
    await screen.findByText(CALLBACKS_OFF)
    fireEvent.click(screen.getByRole('button', { name: '不再提示' }))
    await eventually(() => expect(screen.queryByText(CALLBACKS_OFF)).toBeNull())
    unmount()

    open([], { status: { mj_notify_enabled: false } })

    expect(await screen.findByText('最近 30 天没有绘图任务')).toBeTruthy()
    expect(screen.queryByText(CALLBACKS_OFF)).toBeNull()
  })

  it('remembers which columns were chosen', async () => {
    const { unmount } = open([aDrawing()])
    await row(/退潮后的码头/)
    expect(headings()).not.toContain('英文提示词')
    fireEvent.click(screen.getByRole('button', { name: '列设置' }))
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('checkbox', { name: '英文提示词' }))
    await eventually(() => expect(headings()).toContain('英文提示词'))
    unmount()

    open([aDrawing()])

    await row(/a pier after the tide/)
    expect(headings()).toContain('英文提示词')
  })

  it('tells of a page that is too far back, and leads to the first', async () => {
    const { address } = open([], {
      at: '?page=2000',
      answer: () => refused('page_too_deep', '翻页过深，请缩小时间范围或增加筛选条件'),
    })

    expect((await screen.findByRole('alert')).textContent).toContain('翻页过深')
    fireEvent.click(screen.getByRole('button', { name: '回到第一页' }))
    await eventually(() => expect(address()).toBe('/app/logs/drawing'))
  })

  it('takes a filter off by its chip', async () => {
    const { address } = open([], { at: '?task=abc&channel=3&page=2' })

    expect(await screen.findByText('这一页没有任务了')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: '去掉条件“渠道”' }))

    await eventually(() => expect(address()).toBe('/app/logs/drawing?task=abc'))
  })
})

describe('a drawing', () => {
  it('opens its picture, larger on demand, and says when it cannot be shown', async () => {
    open([aDrawing()])
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

  it.each(['', 'javascript:alert(1)', 'data:text/html,hi'])(
    'offers no picture at the address %j',
    async (image_url) => {
      open([aDrawing({ image_url })])

      await row(/退潮后的码头/)

      expect(screen.queryByRole('button', { name: /^查看图片/ })).toBeNull()
    },
  )

  it('opens a text that does not fit its cell', async () => {
    const fail_reason = '很长的原因。'.repeat(80)
    open([aDrawing({ status: 'FAILURE', fail_reason })])

    fireEvent.click(await screen.findByRole('button', { name: /^失败原因/ }))

    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getByText(fail_reason)).toBeTruthy()
    expect(within(dialog).getByRole('button', { name: '复制 失败原因' })).toBeTruthy()
  })

  it('moves on by itself while it is open, tells when it has ended, and is left alone then', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const steps = [
      aDrawing({ status: 'IN_PROGRESS', progress: '35%', finish_time: 0 }),
      aDrawing({ status: 'IN_PROGRESS', progress: '70%', finish_time: 0 }),
      aDrawing(),
    ]
    const { asked } = open([], { answer: () => listed([steps.length > 1 ? steps.shift()! : steps[0]!]) })
    expect((await screen.findByRole('progressbar')).getAttribute('value')).toBe('35')

    await act(() => vi.advanceTimersByTimeAsync(3000))
    await eventually(() => expect(screen.getByRole('progressbar').getAttribute('value')).toBe('70'))
    expect(screen.queryByText('任务 1763200000000001 已完成。')).toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(3000))

    await eventually(() => expect(screen.getByText('任务 1763200000000001 已完成。')).toBeTruthy())
    await act(() => vi.advanceTimersByTimeAsync(60_000))
    expect(asked('/api/mj')).toHaveLength(3)
  })

  it('is not asked for while nobody sees the tab', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    const { asked } = open([aDrawing({ status: 'IN_PROGRESS', progress: '35%', finish_time: 0 })])
    await row(/退潮后的码头/)

    await act(() => vi.advanceTimersByTimeAsync(30_000))
    expect(asked('/api/mj')).toHaveLength(1)
    visibility.mockReturnValue('visible')
    await act(() => vi.advanceTimersByTimeAsync(3000))

    await eventually(() => expect(asked('/api/mj').length).toBeGreaterThan(1))
    visibility.mockRestore()
  })
})
