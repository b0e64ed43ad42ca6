import type { MediaTask } from '@tidegate/contract/api'
import { fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { rememberUser } from '../../api/session.ts'
import { fakeServer, refused, succeeded } from '../../../test/fake-server.ts'
import { stored } from '../../lib/stored.ts'
import { showOnPhone } from '../../../test/phone.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aMediaTask } from '../../../test/sample-task.ts'
import { aUser } from '../../../test/samples.ts'
import MediaTasksPage from './media-tasks-page.tsx'

beforeEach(() => {
  rememberUser(aUser({ id: 1, username: 'admin', role: 100 }))
  stored.taskColumns.set({ task: true }) // the tests find rows by ID
})

type Response = ReturnType<typeof succeeded>

interface Options {
  at?: string
  response?: Response
  routes?: Parameters<typeof fakeServer>[0]
}

function open(tasks: MediaTask[], { at = '', response, routes }: Options = {}) {
  const page: Response = response ?? {
    ...(succeeded(tasks) as object),
    headers: { 'x-total-count': String(tasks.length) },
  }
  const server = fakeServer({ 'GET /api/task': page, 'GET /api/task/self': page, ...routes })
  const view = renderScreen(MediaTasksPage, { at: `/app/logs/tasks${at}` })
  return { ...view, requested: (path: string) => server.seen.filter((request) => request.path === path) }
}

const headings = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
const row = (name: RegExp) => screen.findByRole('row', { name })
const openPart = async (name: RegExp) => {
  fireEvent.click(await screen.findByRole('button', { name }))
  return within(await screen.findByRole('dialog'))
}

describe('the list of media tasks', () => {
  it('requests filter times in seconds, from midnight if no range is chosen', async () => {
    const { requested } = open([aMediaTask()], { at: '?platform=suno&status=SUCCESS&channel=7' })

    await row(/song-task-1/)

    const midnight = new Date().setHours(0, 0, 0, 0) / 1000
    expect(requested('/api/task')[0]!.query).toMatchObject({
      platform: 'suno',
      status: 'SUCCESS',
      channel_id: '7',
      start_timestamp: String(midnight),
      p: '0',
      page_size: '20',
    })
  })

  it('shows platform, action, status and duration', async () => {
    open([
      aMediaTask(),
      aMediaTask({
        id: 2,
        task_id: 'v1',
        platform: 'video',
        action: 'remix',
        status: 'QUEUED',
        progress: '0%',
        finish_time: 0,
        data: null,
      }),
      aMediaTask({ id: 3, task_id: '', action: 'LYRICS', status: '', progress: '0%', finish_time: 0, data: null }),
    ])

    const songs = await row(/song-task-1/)
    for (const text of ['Suno', '生成音乐', '成功', '2 分 30 秒']) expect(within(songs).getByText(text)).toBeTruthy()
    const video = await row(/v1/)
    for (const text of ['视频', '改编', '排队中']) expect(within(video).getByText(text)).toBeTruthy()
    expect(await row(/生成歌词.*正在提交/)).toBeTruthy()
  })

  it('marks a task that took much longer than others of its kind', async () => {
    const video = (id: number, seconds: number) =>
      aMediaTask({
        id,
        task_id: `v${id}`,
        platform: 'video',
        action: 'generate',
        finish_time: 1_763_200_000 + seconds,
        properties: { seconds: 8, size: '1280x720' },
        data: null,
      })
    open([240, 245, 250, 255, 900].map((seconds, index) => video(index + 1, seconds)))

    const usual = '偏慢，同类任务通常用时 4 分 10 秒。'
    expect(within(await row(/v5/)).getByTitle(usual)).toBeTruthy()
    expect(within(await row(/v4/)).queryByTitle(usual)).toBeNull()
    expect(within(await row(/v4/)).getByText('8 秒 · 1280x720')).toBeTruthy()
  })

  it('shows the title of a task without a result', async () => {
    open([aMediaTask({ status: 'QUEUED', finish_time: 0, properties: { title: 'Ebb and flow' }, data: null })])

    expect(within(await row(/song-task-1/)).getByText('Ebb and flow')).toBeTruthy()
  })

  it('shows ordinary users neither channels nor other users', async () => {
    rememberUser(aUser())
    const { requested } = open([aMediaTask()], { at: '?channel=3' })

    await row(/song-task-1/)

    expect(headings()).toEqual(expect.not.arrayContaining(['渠道', '用户']))
    expect(requested('/api/task')).toEqual([])
    expect(requested('/api/task/self')[0]!.query).not.toHaveProperty('channel_id')
  })

  it('hides the ID from administrators at first, so that the table fits', async () => {
    stored.taskColumns.clear()
    open([aMediaTask()])

    expect(await screen.findByRole('columnheader', { name: '用户' })).toBeTruthy()
    expect(headings()).not.toContain('任务 ID')
  })

  it('shows an error if the list cannot be loaded', async () => {
    open([], { response: refused('too_many', '请稍后再试', 429) })

    expect((await screen.findByRole('alert')).textContent).toContain('请稍后再试')
  })
})

describe('a media task', () => {
  it('is one line on a phone, and shows its player and details after a tap', async () => {
    showOnPhone()
    open([aMediaTask()])
    const opener = await screen.findByRole('button', { name: /^详情/ })
    expect(screen.queryByRole('button', { name: /^试听（2）/ })).toBeNull()

    fireEvent.click(opener)

    expect(screen.getByRole('button', { name: /^试听（2）/ })).toBeTruthy()
    expect(screen.getByText('2 分 30 秒')).toBeTruthy()
  })

  it('plays its songs and shows an error for one that cannot be played', async () => {
    open([aMediaTask()])

    const dialog = await openPart(/^试听（2）/)

    const [ebb] = [...document.querySelectorAll('audio')]
    expect(ebb!.getAttribute('src')).toBe('https://cdn.example/1.mp3')
    expect(dialog.getByText('2:05')).toBeTruthy()
    expect(document.querySelectorAll('audio')).toHaveLength(2)
    fireEvent.error(ebb!)
    expect((await dialog.findByRole('alert')).textContent).toContain('音频无法播放')
    expect(document.querySelectorAll('audio')).toHaveLength(1)
  })

  it('plays its video if the data has its URL', async () => {
    const video = { platform: 'video', action: 'generate' }
    open([
      aMediaTask({ ...video, id: 1, task_id: 'v1', data: { data: { url: 'https://cdn.example/1.mp4' } } }),
      aMediaTask({ ...video, id: 2, task_id: 'v2', data: { id: 'v2', status: 'completed' } }),
    ])
    expect(within(await row(/v2/)).queryByRole('button', { name: /^播放/ })).toBeNull()

    const dialog = await openPart(/^播放任务 v1/)

    const player = document.querySelector('video')!
    expect(player.getAttribute('src')).toBe('https://cdn.example/1.mp4')
    fireEvent.error(player)
    expect((await dialog.findByRole('alert')).textContent).toContain('视频无法播放')
  })

  it('plays a stored video of the user with an API token', async () => {
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:stored-video')
    const video = (id: number, user_id: number) =>
      aMediaTask({ id, user_id, task_id: `video-${id}`, platform: 'video', data: { id: 'upstream-1' } })
    open([video(1, 1), video(2, 7)], {
      routes: {
        'GET /api/token': succeeded([{ key: 'first', status: 1 }]),
        'GET /v1/videos/video-1/content': ({ headers }) => ({ text: headers.get('authorization') ?? '' }),
      },
    })
    expect(within(await row(/video-2/)).queryByRole('button', { name: /播放/ })).toBeNull()

    const dialog = await openPart(/播放.*video-1/)

    const player = await dialog.findByLabelText(/video-1/, { selector: 'video' })
    expect(player.getAttribute('src')).toBe('blob:stored-video')
    const [file] = vi.mocked(URL.createObjectURL).mock.calls[0]!
    expect(await (file as Blob).text()).toBe('Bearer sk-first')
  })

  it('shows the data of the provider', async () => {
    open([aMediaTask({ properties: {}, data: { text: '潮起潮落' } })])

    fireEvent.click(await screen.findByRole('button', { name: '任务 song-task-1 的操作' }))
    fireEvent.click(await screen.findByRole('menuitem', { name: '数据' }))

    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/"text": "潮起潮落"/)).toBeTruthy()
  })

  it('opens its failure reason', async () => {
    open([aMediaTask({ status: 'FAILURE', fail_reason: 'upstream timed out', data: null })])

    const dialog = await openPart(/^失败原因/)

    expect(dialog.getByText('upstream timed out')).toBeTruthy()
  })
})
