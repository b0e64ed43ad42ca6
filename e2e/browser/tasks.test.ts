import { addChannel } from '@tidegate/testing'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { addMember, type Member, untilLoaded } from './support/lists.ts'
import { visit, currentPath } from './support/console-page.ts'
import { startConsole } from './support/start-console.ts'
import { cellUnder, rowWith } from './support/table.ts'
import { addBatch, addTask, serveImages, moveTask } from './support/task-rows.ts'

const DONE = '1763200000000001'
const UNDER_WAY = '1763200000000003'
const PROMPT = '一座被潮水围住的古老灯塔，黄昏，海鸥盘旋，远处的渔船亮起灯火，电影感构图，超广角 --ar 16:9'
const SONGS = [
  { title: 'Ebb', audio_url: 'https://cdn.example/1.wav', image_url: 'https://cdn.example/1.jpg', duration: 125 },
  { title: 'Flow', audio_url: 'https://cdn.example/2.wav', metadata: { tags: 'calm piano' } },
]
const WIDE = { viewport: { width: 1440, height: 900 }, locale: 'en-US' } as const

const console = startConsole()
let owner: Member
beforeAll(seed)

describe('image tasks', () => {
  it('show their image and progress without a reload, with filters in the address', async () => {
    const page = await console.member(owner, WIDE)
    await serveImages(page)
    await open(page, '/app/logs/drawing')
    const progress = rowWith(page, UNDER_WAY).getByRole('progressbar')
    await expect.poll(() => progress.getAttribute('value')).toBe('35')
    await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }))
    await moveTask(console.site, UNDER_WAY, { status: 'IN_PROGRESS', progress: 70 })
    await expect.poll(() => progress.getAttribute('value')).toBe('70')
    await moveTask(console.site, UNDER_WAY, { status: 'SUCCESS', progress: 100 })
    await page.getByRole('status').getByText(`Task ${UNDER_WAY} succeeded.`).waitFor({ state: 'attached' })
    expect(await page.evaluate(() => 'sameDocument' in globalThis)).toBe(true)

    await page.getByRole('textbox', { name: 'Task ID' }).fill(DONE)
    await rowWith(page, UNDER_WAY).waitFor({ state: 'detached' })
    await expect.poll(() => currentPath(page)).toBe(`/app/logs/drawing?task=${DONE}`)
    await page.getByRole('button', { name: `View image of ${DONE}` }).click()
    const dialog = page.getByRole('dialog')
    const picture = dialog.getByRole('img', { name: PROMPT })
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(640)
    expect(await picture.getAttribute('src')).toMatch(new RegExp(`^/mj/image/${DONE}\\?key=[\\w-]{43}$`))
    await dialog.getByRole('button', { name: 'Zoom in', exact: true }).click()
    await dialog.getByText('150%').waitFor()
  })
})

describe('media tasks', () => {
  it('show user, action and channel, and play songs of another host', async () => {
    const page = await console.admin(WIDE)
    await serveImages(page)
    await serveSong(page)
    await open(page, '/app/logs/tasks?range=week')
    const textUnder = async (heading: string) => (await cellUnder(rowWith(page, 'tasks-channel'), heading)).innerText()
    await expect.poll(() => textUnder('Channel')).toBe('tasks-channel')
    await expect.poll(() => textUnder('User')).toContain(owner.username)
    await expect.poll(() => textUnder('Type')).toContain('Suno')
    await expect.poll(() => textUnder('Duration')).toMatch(/2m 22s/)
    await rowWith(page, 'tasks-channel')
      .getByRole('button', { name: /^Listen \(2\)/ })
      .click()

    const dialog = page.getByRole('dialog')
    await dialog.getByText('2:05').waitFor()
    const first = dialog.locator('audio').first()
    await expect.poll(() => first.evaluate((player: HTMLAudioElement) => player.duration)).toBeCloseTo(0.1, 2)
    await dialog.getByText("Can't play this song").waitFor() // the second file is missing
  })
})

describe('batches', () => {
  it('show administrators the channel that runs each, and users only the place and the price', async () => {
    const page = await console.admin(WIDE)
    await open(page, '/app/batches?status=completed')
    const place = async (id: string) => (await cellUnder(batchRow(page, id), 'Runs at')).innerText()
    await expect.poll(() => place('batch_at_provider')).toBe('tasks-channel (batch price)')
    expect(await place('batch_at_site')).toBe('This site (standard price)')

    const own = await console.member(owner, WIDE)
    await open(own, '/app/batches')
    const cell = await cellUnder(batchRow(own, 'batch_at_provider'), 'Runs at')
    expect(await cell.innerText()).toBe('Provider (batch price)')
  })
})

/** Long IDs are shortened. */
const batchRow = (page: Page, id: string) => page.getByRole('row').filter({ has: page.getByTitle(id) })

async function open(page: Page, path: string): Promise<void> {
  await visit(page, path)
  await untilLoaded(page)
}

/** Serves the first song, a tenth of a second of silence; the other files are missing. */
async function serveSong(page: Page): Promise<void> {
  await page.route(/cdn\.example\/\d\.wav/, (route) =>
    route.request().url().endsWith('/1.wav')
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

async function seed(): Promise<void> {
  const { site } = console
  const { id: channel } = await addChannel(site.client, { url: 'http://127.0.0.1:9' }, { name: 'tasks-channel' })
  owner = await addMember(site, 'tasks-owner')
  const own = { username: owner.username, channel }
  await addTask(site, { ...own, upstreamId: DONE, prompt: PROMPT, resultUrl: 'https://cdn.example/1.png' })
  const open = { status: 'IN_PROGRESS', progress: 35, seconds: null }
  await addTask(site, { ...own, upstreamId: UNDER_WAY, action: 'VARIATION', ...open })
  await addBatch(site, { username: owner.username, id: 'batch_at_provider', channel })
  await addBatch(site, { username: owner.username, id: 'batch_at_site', channel: null })
  await addTask(site, { ...own, kind: 'music', upstreamId: 'tasks-songs', action: 'MUSIC', data: SONGS, seconds: 142 })
}
