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

const DONE = '1763200000000001'
const REFUSED = '1763200000000002'
const UNDER_WAY = '1763200000000003'
const OWN = '1763200000000004'
const PROMPT = '一座被潮水围住的古老灯塔，黄昏，海鸥盘旋，远处的渔船亮起灯火，电影感构图，超广角 --ar 16:9'
const REASON = 'Banned prompt: the words are not allowed here. 上游拒绝了该提示词，请修改后重试。'
const CALLBACKS_OFF = /^未允许上游回调/
const MIRA = { username: 'mira', password: SUPER_ADMIN.password }

const console = startConsole()
beforeAll(furnish)

describe('the drawings of the whole site', () => {
  it('say whose they are, who draws, how they stand and what they cost', async () => {
    const page = await openDrawings()
    const textUnder = async (id: string, heading: string) =>
      (await (await cellUnder(rowWith(page, id), heading)).innerText()).trim()

    await expect.poll(() => textUnder(DONE, '渠道')).toMatch(/^#1\s+harbour$/)
    await expect.poll(() => textUnder(DONE, '用户')).toBe('captain')
    await expect.poll(() => textUnder(DONE, '类型')).toBe('绘图')
    await expect.poll(() => textUnder(DONE, '用时')).toBe('42 秒')
    await expect.poll(() => textUnder(REFUSED, '任务状态')).toBe('失败')
    await expect.poll(() => textUnder(REFUSED, '费用')).toMatch(/^已退回\s*\$0\.10$/)
    await expect.poll(() => rowWith(page, OWN).count()).toBe(1)
  })

  it('open their picture and their words in full', async () => {
    const page = await openDrawings()
    await rowWith(page, DONE)
      .getByRole('button', { name: `查看图片 ${DONE}` })
      .click()
    const dialog = page.getByRole('dialog')
    const picture = dialog.getByRole('img', { name: PROMPT })

    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(640)
    expect(await picture.getAttribute('src')).toMatch(new RegExp(`^/mj/image/${DONE}\\?key=[\\w-]{43}$`))
    await dialog.getByRole('button', { name: '放大', exact: true }).click()
    await dialog.getByText('150%').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })

    await rowWith(page, REFUSED)
      .getByRole('button', { name: /^失败原因/ })
      .click()
    await expect.poll(() => page.getByRole('dialog').locator('pre').innerText()).toBe(REASON)
  })

  it('say of a picture that it cannot be shown', async () => {
    const page = await console.captain()
    await page.route('**/mj/image/**', (route) => route.fulfill({ status: 404 }))
    await openDrawings('', page)

    await rowWith(page, DONE)
      .getByRole('button', { name: /^查看图片/ })
      .click()

    await page.getByRole('dialog').getByText('图片无法显示').waitFor()
  })

  it('are filtered by what is typed and chosen, and a link shows the same', async () => {
    const page = await openDrawings()
    await page.getByRole('textbox', { name: '任务 ID' }).fill(DONE)
    await rowWith(page, REFUSED).waitFor({ state: 'detached' })
    await page.getByRole('combobox', { name: '时间范围' }).click()
    await page.locator('.ant-select-dropdown:visible').getByTitle('最近 7 天').click()
    await expect.poll(() => whereIs(page)).toBe(`/app/logs/drawing?task=${DONE}&range=week`)

    await page.reload()
    await rowWith(page, DONE).waitFor()
    await page.getByRole('button', { name: '去掉条件“任务 ID”' }).click()
    await rowWith(page, REFUSED).waitFor()
    await expect.poll(() => whereIs(page)).toBe('/app/logs/drawing?range=week')
  })

  it('move on without a reload, and tell when one has ended', async () => {
    const page = await openDrawings()
    const progress = rowWith(page, UNDER_WAY).getByRole('progressbar')
    await expect.poll(() => progress.getAttribute('value')).toBe('35')
    await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }))

    await moveTask(console.site, UNDER_WAY, { status: 'IN_PROGRESS', progress: 70 })
    await expect.poll(() => progress.getAttribute('value')).toBe('70')
    await moveTask(console.site, UNDER_WAY, { status: 'SUCCESS', progress: 100 })
    await page.getByRole('status').getByText(`任务 ${UNDER_WAY} 已完成。`).waitFor({ state: 'attached' })

    expect(await page.evaluate(() => 'sameDocument' in globalThis)).toBe(true)
  })

  it('say once that callbacks are off', async () => {
    const page = await openDrawings()
    await page.getByRole('alert').filter({ hasText: CALLBACKS_OFF }).getByRole('button').click()
    await page.getByText(CALLBACKS_OFF).waitFor({ state: 'detached' })

    await page.reload()
    await rowWith(page, DONE).waitFor()

    expect(await page.getByText(CALLBACKS_OFF).count()).toBe(0)
  })
})

describe('the drawings of an ordinary user', () => {
  it('are the own ones, without a word about channels', async () => {
    const page = await openDrawings('', await console.member(MIRA))
    await rowWith(page, OWN).waitFor()

    const shown = await page.getByRole('main').innerText()
    expect(shown).toContain('提交结果')
    for (const hidden of [DONE, 'captain', '渠道', 'harbour', '回调']) expect(shown).not.toContain(hidden)
  })

  it('are cards on a phone, in English, with the picture at hand', async () => {
    const look = { viewport: { width: 390, height: 844 }, locale: 'en-US' } as const
    const page = await openDrawings('', await console.member(MIRA, look))

    await page.getByRole('list', { name: 'Drawing logs' }).getByText('Upscale').waitFor()
    await page.getByRole('button', { name: `View the picture of ${OWN}` }).click()

    await page.getByRole('dialog').getByRole('link', { name: 'Open in a new tab' }).waitFor()
  })
})

describe.each([
  { viewport: { width: 390, height: 844 }, colorScheme: 'light', locale: 'en-US' },
  { viewport: { width: 1440, height: 900 }, colorScheme: 'dark', locale: 'zh-CN' },
] as const)('at $viewport.width px, $colorScheme, $locale', (look) => {
  it('the drawings have no fault', async () => {
    const page = await console.captain(look)
    await keepPictures(page)

    const found = await faultsOf(page, '/app/logs/drawing', async (shown) => {
      await shown.getByRole('progressbar').first().waitFor()
    })

    expect(found).toEqual(NONE)
  })
})

async function openDrawings(query = '', given?: Page): Promise<Page> {
  const page = given ?? (await console.captain({ viewport: { width: 1440, height: 900 } }))
  if (!given) await keepPictures(page)
  await page.goto(`/app/logs/drawing${query}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await untilLoaded(page)
  return page
}

/** One drawing of every kind that reads differently. */
async function furnish(): Promise<void> {
  const { site } = console
  await addChannel(site.client, { url: 'http://127.0.0.1:9' }, { name: 'harbour' })
  await addUser(site, MIRA.username, {})
  const resultUrl = 'https://cdn.example/1.png'
  await addTask(site, { vendorId: OWN, username: 'mira', action: 'UPSCALE', channel: 1, resultUrl, secondsAgo: 400 })
  await addTask(site, { vendorId: DONE, channel: 1, prompt: PROMPT, resultUrl, data: { promptEn: 'a lighthouse' } })
  await addTask(site, { vendorId: REFUSED, channel: 1, status: 'FAILURE', code: 24, reason: REASON, isRefunded: true })
  const open = { status: 'IN_PROGRESS', progress: 35, seconds: null }
  await addTask(site, { vendorId: UNDER_WAY, channel: 1, action: 'VARIATION', ...open })
}
