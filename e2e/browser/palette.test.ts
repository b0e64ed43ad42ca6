import { addToken } from '@tidegate/testing'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { untilFocused, visit, currentPath } from './support/console-page.ts'
import { addOrdinaryUser } from './support/site.ts'
import { startConsole } from './support/start-console.ts'

const console = startConsole()

it('is used by keyboard: opens over a field, finds a user, and opens forms and screens', async () => {
  await addOrdinaryUser(console.site, 'deckhand')
  await addToken(console.site.client, { name: 'the deck of the harbour' })
  const page = await console.admin({ locale: 'en-US' })
  await visit(page, '/app/tokens')
  await page.keyboard.press('/')
  const search = page.getByRole('textbox', { name: 'Name' })
  await untilFocused(search)

  await openPalette(page)
  await page.keyboard.press('Escape')
  await untilFocused(search)
  await openPalette(page)
  await page.keyboard.type('deck')
  await page.getByRole('option', { name: /^the deck of the harbour/ }).waitFor()
  await page.getByRole('option', { name: /^deckhand/ }).click()
  await page.getByRole('dialog').getByText('deckhand').first().waitFor()
  expect(currentPath(page)).toMatch(/^\/admin\/users\?drawer=edit&id=\d+$/)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await openPalette(page)
  await page.keyboard.type('Add token')
  await page.keyboard.press('Enter')
  await untilFocused(page.getByRole('dialog').getByLabel('Name', { exact: true }))
  expect(currentPath(page)).toBe('/app/tokens?drawer=create')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await openPalette(page)
  await page.keyboard.type('Switch to dark theme')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark')
})

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await untilFocused(page.getByRole('combobox', { name: 'Command palette' }))
}
