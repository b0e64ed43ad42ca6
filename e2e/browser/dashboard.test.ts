import { addToken, fakeUpstream, type FakeUpstream } from '@tidegate/testing'
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
    await expect.poll(() => cardOf(page, '请求次数').innerText()).toContain('7')
    const { quota } = await usageOf(console.site, caller.username)
    expect(await exactQuota(cardOf(page, '花费').locator('.number'))).toBe(quota)
    const models = page.getByRole('list', { name: '模型排行' }).getByRole('listitem')
    await expect.poll(() => models.allInnerTexts()).toHaveLength(2)
    expect(await models.first().innerText()).toContain(PLAIN_MODEL)
    const trend = cardOf(page, '请求趋势')
    await expect.poll(() => paintedPixels(trend.locator('canvas').first())).toBeGreaterThan(0)

    await page.getByText('7 天', { exact: true }).click()
    await expect.poll(() => currentPath(page)).toBe(`${ofCaller}&range=week`)
    await page.getByText('按小时', { exact: true }).click()
    await expect.poll(() => currentPath(page)).toBe(`${ofCaller}&range=week&step=hour`)
    await page.goBack()
    await expect.poll(() => currentPath(page)).toBe(`${ofCaller}&range=week`)
    await page.getByRole('button', { name: '以表格查看“请求趋势”' }).click()
    const rows = trend.getByRole('row')
    await expect.poll(() => rows.count()).toBe(9) // the heading, and eight days of which two are partial
    await expect.poll(() => rows.nth(1).innerText()).toMatch(/^\d\d-\d\d\t7\t5\t2$/)

    await models.getByRole('link', { name: ODD_MODEL }).click()
    await expect.poll(() => currentPath(page)).toBe(ODD_PATH)
  })

  it('updates the live panel while requests arrive', async () => {
    const { secret } = await addToken(caller.client)
    const page = await console.admin({ locale: 'en-US' })
    await visit(page, '/app/dashboard')
    const live = cardOf(page, 'Live traffic')
    await live.getByText('Live', { exact: true }).waitFor()
    await live.getByText('Nodes: 1').waitFor()

    await expect
      .poll(async () => {
        await chat(console.site, secret, PLAIN_MODEL)
        return live.locator('dd').first().innerText()
      })
      .toMatch(/[1-9]/)

    await live
      .getByText(/^\d+ ms$/)
      .first()
      .waitFor()
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

const cardOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** The number of pixels of a canvas that are not transparent. */
const paintedPixels = (canvas: Locator): Promise<number> =>
  canvas.evaluate((element: HTMLCanvasElement) => {
    const { data } = element.getContext('2d')!.getImageData(0, 0, element.width, element.height)
    return data.filter((value, index) => index % 4 === 3 && value > 0).length
  })

const textUnder = async (page: Page, model: string, heading: string) =>
  (await cellUnder(rowWith(page, model), heading)).innerText()
