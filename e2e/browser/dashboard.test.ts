import { addChannel, addToken, fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { sql } from 'kysely'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { visit, currentPath } from './support/console-page.ts'
import { chat, ODD_MODEL, PLAIN_MODEL, seedUsage, usageOf } from './support/dashboard-site.ts'
import { startConsole } from './support/start-console.ts'
import { cellUnder, exactQuota, rowWith } from './support/table.ts'
import type { Member } from './support/lists.ts'

const ODD_PATH = `/pricing/${encodeURIComponent(ODD_MODEL)}`

const console = startConsole()
let upstream: FakeUpstream
let caller: Member
beforeAll(async () => {
  upstream = await fakeUpstream()
  caller = await seedUsage(console.site, upstream)
})
afterAll(() => upstream?.close())

describe('the dashboard', () => {
  it('shows the usage of a user exactly, draws it, and keeps range and step in the address', async () => {
    const page = await console.admin()
    const ofCaller = `/app/dashboard?of=user&username=${caller.username}`
    await visit(page, ofCaller)
    await expect.poll(() => regionOf(page, '请求次数').innerText()).toContain('7')
    const { quota } = await usageOf(console.site, caller.username)
    expect(await exactQuota(regionOf(page, '花费').locator('span.number'))).toBe(quota)
    const models = page.getByRole('table', { name: '模型排行' })
    await expect.poll(() => models.getByRole('row').count()).toBe(4) // the heading, two models and the total
    expect(await models.getByRole('row').nth(1).innerText()).toContain(PLAIN_MODEL)
    const usage = regionOf(page, '用量趋势')
    await expect.poll(() => paintedPixels(usage.locator('canvas').first())).toBeGreaterThan(0)

    await usage.getByText('7 天', { exact: true }).click()
    await expect.poll(() => currentPath(page)).toBe(`${ofCaller}&range=week`)
    await usage.getByText('按小时', { exact: true }).click()
    await expect.poll(() => currentPath(page)).toBe(`${ofCaller}&range=week&step=hour`)
    await page.goBack()
    await expect.poll(() => currentPath(page)).toBe(`${ofCaller}&range=week`)
    await expect.poll(() => usage.getByRole('radio', { name: '按天' }).isChecked()).toBe(true)
    await usage.getByText('请求', { exact: true }).first().click()
    await expect.poll(() => currentPath(page)).toBe(`${ofCaller}&range=week&metric=requests`)
    await page.getByRole('button', { name: '以表格查看“请求”' }).click()
    const rows = page.getByRole('region', { name: '请求', exact: true }).getByRole('row')
    await expect.poll(() => rows.count()).toBe(9) // the heading, and eight days of which two are partial
    await expect.poll(() => rows.nth(1).innerText()).toMatch(/^\d+月\d+日（截至 \d\d:\d\d）\t7\t5\t2$/)

    await models.getByRole('link', { name: ODD_MODEL }).click()
    await expect
      .poll(() => currentPath(page))
      .toMatch(/^\/app\/logs\/api-usage\?model=usage%2Fmodel%3Afree&username=usage-caller&range=custom/)
  })

  it('updates live traffic while requests arrive', async () => {
    const { secret } = await addToken(caller.client)
    const page = await console.admin({ locale: 'en-US' })
    await visit(page, '/app/dashboard')
    const live = regionOf(page, 'Live traffic')
    await live.getByText('Live', { exact: true }).waitFor({ state: 'attached' })
    await expect.poll(() => live.innerText()).toMatch(/node\s+1|1\s+node/)

    await expect
      .poll(async () => {
        await chat(console.site, secret, PLAIN_MODEL)
        return live.locator('dd').first().innerText()
      })
      .toMatch(/[1-9]/)
    await expect.poll(() => regionOf(page, 'Requests').innerText()).toMatch(/[1-9]/)
  })

  it('enables an auto-disabled channel from the overview and undoes it', async () => {
    const { db, client } = console.site
    await addChannel(client, upstream, { name: 'by-itself', models: PLAIN_MODEL })
    await sql`
      update channel set status = 3, other_info = '{"status_reason": "401 Invalid key"}' where name = 'by-itself'
    `.execute(db)
    const statusOf = async () => {
      const { rows } = await sql<{ status: number }>`select status from channel where name = 'by-itself'`.execute(db)
      return rows[0]!.status
    }
    const page = await console.admin({ locale: 'en-US' })
    await visit(page, '/app/dashboard')
    const problems = regionOf(page, 'Auto-disabled channels')
    await problems.getByText('401 Invalid key').waitFor()

    await page.getByRole('button', { name: 'Enable by-itself' }).click()
    await expect.poll(() => problems.count()).toBe(0)
    expect(await statusOf()).toBe(1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(statusOf).toBe(2)
  })
})

describe('the price list', () => {
  it('shows anonymous users prices by group and unit, with filters in the address', async () => {
    await console.setOption('GroupRatio', JSON.stringify({ default: 1, vip: 0.5 }))
    const page = await console.anonymous({ locale: 'en-US' })
    await visit(page, '/pricing')
    await page.getByRole('textbox', { name: 'Model or provider' }).fill('usage')
    await expect.poll(() => currentPath(page)).toBe('/pricing?keyword=usage')
    await expect.poll(() => textUnder(page, PLAIN_MODEL, 'Input')).toBe('$2.500')
    await expect.poll(() => textUnder(page, ODD_MODEL, 'Input')).toBe('$1.500')
    await page.getByText('Ratio', { exact: true }).click()
    await expect.poll(() => currentPath(page)).toBe('/pricing?keyword=usage&unit=ratio')
    await expect.poll(() => textUnder(page, PLAIN_MODEL, 'Model ratio')).toBe('1.25')
    await page.goBack()
    await page.getByRole('combobox', { name: 'Group' }).click()
    await page.locator('.ant-select-dropdown:visible').getByTitle('vip').click()
    await expect.poll(() => textUnder(page, PLAIN_MODEL, 'Input')).toBe('$1.250')

    await page.getByRole('link', { name: ODD_MODEL }).click()

    await page.getByRole('heading', { level: 1, name: ODD_MODEL }).waitFor()
    expect(currentPath(page)).toBe(ODD_PATH)
    await expect.poll(() => rowWith(page, 'vip').innerText()).toMatch(/× 0\.5\s+\$0\.750/)
    const measured = page.getByRole('region', { name: 'Measured on this site' })
    await expect.poll(() => measured.innerText()).toMatch(/Availability\s+100%/)
    expect(await measured.innerText()).toMatch(/Requests\s+2/)
    const example = page.getByRole('region', { name: 'Example request' })
    expect(await example.innerText()).toContain(`"model": "${ODD_MODEL}"`)
  })
})

const regionOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** The number of pixels of a canvas that are not transparent. */
const paintedPixels = (canvas: Locator): Promise<number> =>
  canvas.evaluate((element: HTMLCanvasElement) => {
    const { data } = element.getContext('2d')!.getImageData(0, 0, element.width, element.height)
    return data.filter((value, index) => index % 4 === 3 && value > 0).length
  })

const textUnder = async (page: Page, model: string, heading: string) =>
  (await cellUnder(rowWith(page, model), heading)).innerText()
