import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** The row of a table with this text. */
export function rowWith(page: Page, text: string): Locator {
  return page.getByRole('row').filter({ hasText: text })
}

/** The cell of a row under the column with this heading. */
export async function cellUnder(row: Locator, heading: string): Promise<Locator> {
  await row.waitFor()
  const headings = async () => {
    const texts = await row.page().getByRole('columnheader').allInnerTexts()
    return texts.map((text) => text.trim())
  }
  await expect.poll(headings).toContain(heading) // the address may change a moment before the table
  return row.getByRole('cell').nth((await headings()).indexOf(heading))
}

/** The exact quota behind a rounded amount, from its tooltip. */
export async function exactQuota(amount: Locator): Promise<number> {
  const title = await amount.getAttribute('title')
  if (title) return quotaIn(title)
  const page = amount.page()
  await page.mouse.move(0, 0)
  await page.getByRole('tooltip').waitFor({ state: 'hidden' })
  await amount.hover()
  const tooltip = page.getByRole('tooltip').filter({ hasText: '额度' })
  await tooltip.waitFor()
  return quotaIn(await tooltip.innerText())
}

function quotaIn(text: string): number {
  const digits = /([\d,]+) 额度/.exec(text)?.[1]
  if (digits === undefined) throw new Error('the amount has no exact quota')
  return Number(digits.replaceAll(',', ''))
}
