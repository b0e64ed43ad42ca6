import { addChannel, SUPER_ADMIN } from '@tidegate/testing'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { untilLoaded } from './channel-list.ts'
import { whereIs } from './console-page.ts'
import { faultsOf, NONE } from './faults.ts'
import { startConsole } from './start-console.ts'
import { cellUnder, rowWith } from './table.ts'
import { addTask, keepPictures, moveTask } from './task-rows.ts'
import { addUser } from './user-list.ts'

const MIRA = { username: 'mira', password: SUPER_ADMIN.password }
const SONGS = [
  { title: 'Ebb 退潮', audio_url: 'https://cdn.example/1.wav', image_url: 'https://cdn.example/1.jpg', duration: 125 },
  { title: 'Flow', audio_url: 'https://cdn.example/2.wav', metadata: { tags: 'calm piano' } },
]

const console = startConsole()
beforeAll(furnish)

describe('the tasks of the whole site', () => {
  it('say what was ordered, by whom and of whom, and how it stands', async () => {
    const page = await openTasks()
    const textUnder = async (id: string, heading: string) =>
      (await (await cellUnder(rowWith(page, id), heading)).innerText()).trim()

    await expect.poll(() => textUnder('songs-1', '渠道')).toMatch(/^#1\s+harbour$/)
    await expect.poll(() => textUnder('songs-1', '平台')).toBe('Suno')
    await expect.poll(() => textUnder('songs-1', '类型')).toBe('生成音乐')
    await expect.poll(() => textUnder('songs-1', '用时')).toMatch(/2 分 22 秒$/)
    await expect.poll(() => textUnder('video-1', '用户')).toBe('mira')
    await expect.poll(() => textUnder('video-1', '任务状态')).toBe('排队中')
  })

  it('play their songs here, though they are kept elsewhere', async () => {
    const page = await openTasks()
    await rowWith(page, 'songs-1')
      .getByRole('button', { name: /^试听（2）/ })
      .click()
    const dialog = page.getByRole('dialog')

    await dialog.getByText('Ebb 退潮').waitFor()
    await dialog.getByText('2:05').waitFor()
    const first = dialog.locator('audio').first()
    await expect.poll(() => first.evaluate((player: HTMLAudioElement) => player.duration)).toBeCloseTo(0.1, 2)
    await dialog.getByText(/^音频无法播放/).waitFor() // the other is no longer there
  })

  it('show what the vendor said, and why one failed', async () => {
    const page = await openTasks()
    await rowWith(page, 'lyrics-1')
      .getByRole('button', { name: /^数据/ })
      .click()
    await expect.poll(() => page.getByRole('dialog').locator('pre').innerText()).toContain('"text": "潮起潮落"')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })

    await rowWith(page, 'failed-1')
      .getByRole('button', { name: /^失败原因/ })
      .click()

    await expect.poll(() => page.getByRole('dialog').locator('pre').innerText()).toBe('The vendor gave up.')
  })

  it('are filtered by platform and status, and a link shows the same', async () => {
    const page = await openTasks()
    await page.getByRole('combobox', { name: '平台' }).click()
    await page.locator('.ant-select-dropdown:visible').getByTitle('Suno').click()
    await rowWith(page, 'video-1').waitFor({ state: 'detached' })
    await page.getByRole('combobox', { name: '状态' }).click()
    await page.locator('.ant-select-dropdown:visible').getByTitle('失败').click()
    await rowWith(page, 'songs-1').waitFor({ state: 'detached' })
    await expect.poll(() => whereIs(page)).toBe('/app/logs/tasks?range=week&platform=suno&status=FAILURE')

    await page.reload()

    await rowWith(page, 'failed-1').waitFor()
    expect(await rowWith(page, 'songs-1').count()).toBe(0)
  })
})

describe('the tasks of an ordinary user', () => {
  it('are the own ones, and move on without a reload', async () => {
    const page = await openTasks('?range=week', await console.member(MIRA))
    const row = rowWith(page, 'video-1')
    await row.getByText('排队中').waitFor()
    const shown = await page.getByRole('main').innerText()
    for (const hidden of ['songs-1', 'captain', '渠道', 'harbour']) expect(shown).not.toContain(hidden)

    await moveTask(console.site, 'video-1', { status: 'SUCCESS', progress: 100 })

    await row.getByText('成功').waitFor()
    await page.getByRole('status').getByText('任务 video-1 已完成。').waitFor({ state: 'attached' })
  })

  it('tell how they come about where there are none', async () => {
    const look = { viewport: { width: 390, height: 844 }, locale: 'en-US' } as const
    const page = await openTasks('?range=yesterday&task=none', await console.member(MIRA, look))

    await page.getByText('No tasks match').waitFor()
  })
})

describe.each([
  { viewport: { width: 390, height: 844 }, colorScheme: 'dark', locale: 'zh-CN' },
  { viewport: { width: 1440, height: 900 }, colorScheme: 'light', locale: 'en-US' },
] as const)('at $viewport.width px, $colorScheme, $locale', (look) => {
  it('the tasks and their songs have no fault', async () => {
    const page = await console.captain(look)
    await keepPictures(page)
    await keepSongs(page, /cdn\.example\/\d\.wav/)

    const found = await faultsOf(page, '/app/logs/tasks?range=week', async (shown) => {
      await shown.getByRole('button', { name: /^(试听|Listen)/ }).click()
      await shown.getByRole('dialog').getByText('calm piano').waitFor()
    })

    expect(found).toEqual(NONE)
  })
})

async function openTasks(query = '?range=week', given?: Page): Promise<Page> {
  const page = given ?? (await console.captain({ viewport: { width: 1440, height: 900 } }))
  await keepPictures(page)
  await keepSongs(page, /cdn\.example\/1\.wav/)
  await page.goto(`/app/logs/tasks${query}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await untilLoaded(page)
  return page
}

/** A tenth of a second of silence; whatever else a vendor has is gone. */
async function keepSongs(page: Page, kept: RegExp): Promise<void> {
  await page.route(/cdn\.example\/\d\.wav/, (route) =>
    kept.test(route.request().url())
      ? route.fulfill({ contentType: 'audio/wav', body: silence() })
      : route.fulfill({ status: 404 }),
  )
}

function silence(): Buffer {
  const [rate, samples] = [8000, 800]
  const file = Buffer.alloc(44 + samples, 128)
  file.write('RIFF', 0)
  file.writeUInt32LE(36 + samples, 4)
  file.write('WAVEfmt ', 8)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(rate, 24)
  file.writeUInt32LE(rate, 28)
  file.writeUInt16LE(1, 32)
  file.writeUInt16LE(8, 34)
  file.write('data', 36)
  file.writeUInt32LE(samples, 40)
  return file
}

/** One task of every kind that reads differently. */
async function furnish(): Promise<void> {
  const { site } = console
  await addChannel(site.client, { url: 'http://127.0.0.1:9' }, { name: 'harbour' })
  await addUser(site, MIRA.username, {})
  const music = { kind: 'music', channel: 1, seconds: 142 } as const
  await addTask(site, { ...music, vendorId: 'songs-1', action: 'MUSIC', data: SONGS })
  await addTask(site, { ...music, vendorId: 'lyrics-1', action: 'LYRICS', data: { text: '潮起潮落' } })
  const failure = { status: 'FAILURE', reason: 'The vendor gave up.', isRefunded: true }
  await addTask(site, { ...music, vendorId: 'failed-1', action: 'MUSIC', ...failure })
  const queued = { status: 'QUEUED', progress: 0, seconds: null, secondsAgo: 0 }
  await addTask(site, { kind: 'video', vendorId: 'video-1', username: 'mira', action: 'generate', ...queued })
}
