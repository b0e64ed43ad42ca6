import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { addUser, createRedemptionCodes, openRedemptionCodes, openUsers } from '../support/lists.ts'
import { startConsole } from '../support/start-console.ts'

/** One line of 28 px with padding and the border below it. */
const CARD_HEIGHT = 47

const console = startConsole()
beforeAll(async () => {
  await addUser(console.site, 'wilhelmine')
  await createRedemptionCodes(console.site, { name: 'Conference campaign', count: 2 })
})

describe('the layout of lists', () => {
  it('is one line per row on a phone', async () => {
    const page = await console.admin({ viewport: { width: 390, height: 844 } })
    for (const open of [openUsers, openRedemptionCodes]) {
      await open(page)
      const rows = page
        .getByRole('main')
        .getByRole('listitem')
        .filter({ has: page.getByRole('article') })
      await rows.first().waitFor()
      const heights = await rows.evaluateAll((items) => items.map((item) => item.getBoundingClientRect().height))
      expect(Math.max(...heights)).toBeLessThanOrEqual(CARD_HEIGHT)
    }
  })

  it('is a table that fits a tablet', async () => {
    const page = await console.admin({ viewport: { width: 768, height: 900 } })
    for (const open of [openUsers, openRedemptionCodes]) {
      await open(page)
      await page.getByRole('table').waitFor()
      expect(await hiddenWidth(page)).toBe(0)
    }
  })

  it('has a sidebar without scrolling in a window of 900 px', async () => {
    const page = await console.admin({ viewport: { width: 1440, height: 900 } })
    await openUsers(page)

    const menu = page.getByRole('navigation', { name: '控制台菜单' })
    const excess = await menu.evaluate((list) => list.parentElement!.scrollHeight - list.parentElement!.clientHeight)

    expect(excess).toBe(0)
  })
})

/** How much of a table is only visible after scrolling sideways. */
const hiddenWidth = (page: Page): Promise<number> =>
  page.locator('.ant-table-content').evaluate((table) => table.scrollWidth - table.clientWidth)
