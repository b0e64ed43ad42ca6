import { api } from '@tidegate/contract'
import { addToken } from '@tidegate/testing'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { PHONE } from './browser.ts'
import { storedItems, untilFocused, visit, whereIs } from './console-page.ts'
import { faultsOf, NONE } from './faults.ts'
import { addOrdinaryUser, type Credentials } from './site.ts'
import { startConsole } from './start-console.ts'

const console = startConsole()
let deckhand: Credentials
beforeAll(async () => {
  deckhand = await addOrdinaryUser(console.site, 'deckhand')
  await addToken(console.site.client, { name: 'the deck of the harbour' })
})

const field = (page: Page) => page.getByRole('combobox', { name: /命令面板|Command palette/ })
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await untilFocused(field(page))
}

describe('the palette', () => {
  it('opens from a field, finds a person as one types, and opens their form', async () => {
    const page = await console.captain()
    await visit(page, '/app/tokens')
    const search = page.getByRole('textbox', { name: '名称' })
    await page.keyboard.press('/')
    await untilFocused(search)

    await openPalette(page)
    await page.keyboard.press('Escape')
    await untilFocused(search)
    await openPalette(page)
    await page.keyboard.type('deck')
    await option(page, /^deckhand/).waitFor()
    await option(page, /^the deck of the harbour/).waitFor()
    await option(page, /^deckhand/).click()

    await page.getByRole('dialog').getByText('deckhand').first().waitFor()
    expect(whereIs(page)).toMatch(/^\/admin\/users\?drawer=edit&id=\d+$/)
    await expect.poll(() => field(page).count()).toBe(0)
  })

  it('does without a pointer what it offers: a form, the theme, another language, another screen', async () => {
    const page = await console.captain()
    await visit(page, '/app/tokens')

    await openPalette(page)
    await page.keyboard.type('tjlp')
    await page.keyboard.press('Enter')
    await untilFocused(page.getByRole('dialog').getByLabel('名称'))
    expect(whereIs(page)).toBe('/app/tokens?drawer=create')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await openPalette(page)
    await page.keyboard.type('深色')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark')
    await openPalette(page)
    await page.keyboard.type('English')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'API tokens', level: 1 }).waitFor()

    await openPalette(page)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Home')
    await expect.poll(() => page.getByRole('option', { selected: true }).innerText()).toContain('Switch to')
    await page.keyboard.type('钱包')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Wallet', level: 1 }).waitFor()
    expect(JSON.parse((await storedItems(page))['palette-recent']!).choices).toHaveLength(4)
  })

  it('offers a user nothing of the administration, and asks the server for none of it', async () => {
    const page = await console.member(deckhand)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await visit(page, '/app/tokens')

    await page.getByRole('button', { name: '搜索与命令' }).click()
    await untilFocused(field(page))
    await option(page, '钱包').waitFor()
    await page.keyboard.type('渠道')
    await page.getByText('没有找到“渠道”').waitFor()

    expect(asked).toContain(api.searchTokens.path)
    expect(asked.filter((path) => [api.searchUsers.path, api.searchChannels.path].includes(path as never))).toEqual([])
  })

  it.each([
    { colorScheme: 'light', viewport: PHONE, locale: 'zh-CN' },
    { colorScheme: 'dark', viewport: { width: 768, height: 900 }, locale: 'en-US' },
  ] as const)('has no fault in $colorScheme, $locale', async (look) => {
    const page = await console.captain(look)

    const found = await faultsOf(page, '/app/tokens', async () => {
      await page.getByRole('button', { name: /搜索与命令|Search and commands/ }).click()
      await field(page).fill('deck')
      await option(page, /^deckhand/).waitFor()
    })

    expect(found).toEqual(NONE)
  })
})
