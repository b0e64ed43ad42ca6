import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { consoleMenu, storedItems, visit, currentPath } from './support/console-page.ts'
import { startConsole } from './support/start-console.ts'

const CHINESE = /\p{Script=Han}/u
const PHONE_390 = { width: 390, height: 844 }

const console = startConsole()

it('is Chinese for a Chinese browser, switches every text to English, and remembers the choice', async () => {
  await console.setOption('SystemName', 'Harbour')
  await console.setOption('Chats', '[{"Lobe":"https://lobe.example.com/#key={key}"}]') // a default link has a Chinese name
  const page = await console.admin({ locale: 'zh-CN' })
  await visit(page, '/admin/channels')
  await page.getByRole('heading', { name: '渠道', level: 1 }).waitFor()
  await expect.poll(() => page.title()).toBe('渠道 · Harbour')

  await chooseLanguage(page, '语言', 'English')

  await expect.poll(() => readableText(page)).not.toMatch(CHINESE)
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en')
  for (const path of ['/app/logs/api-usage?range=custom', '/admin/settings']) {
    await visit(page, path)
    await expect.poll(() => readableText(page)).not.toMatch(CHINESE)
  }
  expect(await storedItems(page)).toMatchObject({ i18nextLng: 'en' })

  await chooseLanguage(page, 'Language', '简体中文')
  await page.getByRole('heading', { name: '系统设置', level: 1 }).waitFor()
})

it('follows the theme of the system until one is chosen, which is applied before the application loads', async () => {
  const page = await console.anonymous({ locale: 'en-US', colorScheme: 'light' })
  await visit(page, '/')
  await expect.poll(() => themeOf(page)).toBe('light')
  expect(await storedItems(page)).not.toHaveProperty('theme-mode')

  await page.getByRole('button', { name: 'Switch to dark theme' }).click()

  await expect.poll(() => themeOf(page)).toBe('dark')
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const dark = await background()
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.reload()
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(0)
  expect(await themeOf(page)).toBe('dark')
  expect(await background()).toBe(dark)
})

it('collapses the sidebar from 200 to 60 px and keeps it so', async () => {
  const page = await console.admin({ locale: 'en-US' })
  const width = async () => (await page.getByRole('complementary').boundingBox())?.width
  await visit(page, '/app/tokens')
  await expect.poll(width).toBe(200)

  await page.getByRole('button', { name: 'Collapse sidebar' }).click()

  await expect.poll(width).toBe(60)
  await visit(page, '/app/me')
  await expect.poll(width).toBe(60)
  await consoleMenu(page).getByRole('link', { name: 'API tokens' }).click() // the icons keep their names
  await page.getByRole('button', { name: 'Expand sidebar' }).click()
  await expect.poll(width).toBe(200)
})

it('has its menu in a drawer up to 600 px, which opens even for a tap before its script arrived', async () => {
  const page = await console.admin({ locale: 'en-US', viewport: { width: 601, height: 844 } })
  const script = Promise.withResolvers<void>()
  await page.route('**/assets/phone-menu-*.js', async (route) => {
    await script.promise
    await route.continue()
  })
  await visit(page, '/app/tokens')
  const openMenu = page.getByRole('button', { name: 'Open menu' })
  await expect.poll(() => openMenu.count()).toBe(0)
  await page.setViewportSize({ width: 600, height: 844 })
  await openMenu.waitFor()
  await page.setViewportSize(PHONE_390)
  await expect.poll(() => page.getByRole('complementary').count()).toBe(0)

  await openMenu.click()
  script.resolve()
  const drawer = page.getByRole('dialog', { name: 'Menu' })
  await drawer.getByRole('link', { name: 'Usage logs' }).click()

  await page.getByRole('heading', { name: 'Usage logs', level: 1 }).waitFor()
  await drawer.waitFor({ state: 'hidden' })
  expect(currentPath(page)).toBe('/app/logs/api-usage')
})

it('marks a self-use site in purple and a demo site in blue', async () => {
  const page = await console.anonymous({ locale: 'en-US' })
  await console.setOption('SelfUseModeEnabled', 'true')
  await visit(page, '/about')
  await expect.poll(() => hueOf(page.getByText('Personal use mode'))).toBe('purple')

  await console.setOption('SelfUseModeEnabled', 'false')
  await console.setOption('DemoSiteEnabled', 'true')
  await visit(page, '/about')
  await expect.poll(() => hueOf(page.getByText('Demo site'))).toBe('blue')
})

/** All texts of the page, including accessible names, hints and the title. */
async function readableText(page: Page): Promise<string> {
  return await page.evaluate(() => {
    const attributes = ['aria-label', 'placeholder', 'title', 'alt']
    const spoken = [...document.body.querySelectorAll('[aria-label], [placeholder], [title], [alt]')].flatMap(
      (element) => attributes.map((name) => element.getAttribute(name) ?? ''),
    )
    return [document.title, document.body.innerText, ...spoken].join('\n')
  })
}

async function chooseLanguage(page: Page, menu: string, name: string): Promise<void> {
  await page.getByRole('button', { name: menu, exact: true }).click()
  const choice = page.getByRole('menuitem', { name })
  await choice.click()
  await choice.waitFor({ state: 'hidden' })
  // The closed menu shows each language in its own script.
  await page.evaluate(() =>
    document.querySelectorAll('.ant-dropdown-hidden').forEach((menuPopup) => menuPopup.remove()),
  )
}

const themeOf = (page: Page) => page.locator('html').getAttribute('data-theme')
/** The name of the text colour of an element. */
async function hueOf(element: Locator): Promise<string> {
  const color = await element.evaluate((found) => getComputedStyle(found).color)
  const [red = 0, green = 0, blue = 0] = color.match(/\d+/g)!.map(Number)
  if (blue <= red || blue <= green) return color
  return red > green ? 'purple' : 'blue'
}
