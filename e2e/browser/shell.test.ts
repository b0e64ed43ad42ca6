import { SUPER_ADMIN } from '@tidegate/testing'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { untilLoaded } from './channel-list.ts'
import { consoleMenu, logIn, storedItems, visit, whereIs } from './console-page.ts'
import { startConsole } from './start-console.ts'

const console = startConsole()

describe('the language menu', () => {
  it.each(['/app/tokens', '/app/logs/api-usage?range=custom', '/app/me', '/admin/channels', '/admin/settings'])(
    'switches every text of %s, and the choice is remembered',
    async (path) => {
      const page = await console.captain()
      await visit(page, path)
      await expect.poll(() => readable(page)).toMatch(CHINESE)

      await chooseLanguage(page, 'English')

      await expect.poll(() => readable(page)).not.toMatch(CHINESE)
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en')
      await expect.poll(() => storedItems(page)).toMatchObject({ i18nextLng: 'en' })
      await page.reload()
      await page.getByRole('heading', { level: 1 }).waitFor()
      await untilLoaded(page)
      await expect.poll(() => readable(page)).not.toMatch(CHINESE)

      await chooseLanguage(page, '简体中文')

      await page.getByRole('link', { name: '首页' }).waitFor()
      await expect.poll(() => storedItems(page)).toMatchObject({ i18nextLng: 'zh' })
    },
  )

  it.each([
    ['zh-CN', '登录'],
    ['en-US', 'Log in'],
  ] as const)('is not needed by a browser that asks for %s', async (locale, title) => {
    const page = await console.visitor({ locale })

    await visit(page, '/login')

    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe(title)
  })
})

describe('the theme', () => {
  it('follows the system until somebody chooses, and the choice is remembered', async () => {
    const page = await console.visitor({ colorScheme: 'dark' })
    await visit(page, '/')
    await expect.poll(() => themeOf(page)).toBe('dark')
    expect(await storedItems(page)).not.toHaveProperty('theme-mode')

    await page.getByRole('button', { name: '切换到浅色' }).click()

    await expect.poll(() => themeOf(page)).toBe('light')
    await expect.poll(() => storedItems(page)).toMatchObject({ 'theme-mode': 'light' })
    await visit(page, '/about')
    await expect.poll(() => themeOf(page)).toBe('light')
  })

  it('is there before the application, so that a dark page never flashes white', async () => {
    const page = await console.visitor({ colorScheme: 'light' })
    await visit(page, '/')
    await page.getByRole('button', { name: '切换到深色' }).click()
    await expect.poll(() => themeOf(page)).toBe('dark')
    const dark = await background(page)
    await page.route('**/assets/*.js', (route) => route.abort())

    await page.reload()

    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(0)
    expect(await themeOf(page)).toBe('dark')
    expect(await background(page)).toBe(dark)
  })
})

describe('the sidebar', () => {
  const sidebar = (page: Page) => page.getByRole('complementary')
  const widthOf = async (element: Locator) => (await element.boundingBox())?.width

  it('is 200 px wide, 60 px when collapsed, and stays as it was left', async () => {
    const page = await console.captain()
    await visit(page, '/app/tokens')
    await expect.poll(() => widthOf(sidebar(page))).toBe(200)

    await page.getByRole('button', { name: '收起侧边栏' }).click()

    await expect.poll(() => widthOf(sidebar(page))).toBe(60)
    await expect.poll(() => storedItems(page)).toMatchObject({ default_collapse_sidebar: 'true' })
    await visit(page, '/app/me')
    await expect.poll(() => widthOf(sidebar(page))).toBe(60)
    await consoleMenu(page).getByRole('link', { name: 'API 令牌' }).click() // the icons keep their names
    await page.getByRole('button', { name: '展开侧边栏' }).click()
    await expect.poll(() => widthOf(sidebar(page))).toBe(200)
  })

  it('starts as the site wishes, for people who have not chosen', async () => {
    await console.setOption('DefaultCollapseSidebar', 'true')
    const page = await console.captain()

    await visit(page, '/app/tokens')

    await expect.poll(() => widthOf(sidebar(page))).toBe(60)
  })

  it.each([
    ['/', 0],
    ['/chat/1', 0],
    ['/pricing', 1],
    ['/app/wallet', 1],
    ['/no/such/page', 1],
  ])('is beside %s %i times', async (path, count) => {
    const page = await console.captain()

    await visit(page, path)

    await expect.poll(() => sidebar(page).count()).toBe(count)
  })

  it('has no entry for what the site turns off, one by one', async () => {
    const SWITCHES = [
      ['DrawingEnabled', 'enable_drawing', '绘图日志'],
      ['TaskEnabled', 'enable_task', '任务日志'],
      ['DataExportEnabled', 'enable_data_export', '数据看板'],
    ] as const
    const page = await console.captain()
    const state = async () => {
      const items = await storedItems(page)
      const entries = SWITCHES.map(async ([option, item, name]) => {
        const shown = await consoleMenu(page).getByRole('link', { name }).count()
        return [option, { shown, stored: items[item] }] as const
      })
      return Object.fromEntries(await Promise.all(entries))
    }
    const on = { shown: 1, stored: 'true' }
    const expected: Record<string, object> = Object.fromEntries(SWITCHES.map(([option]) => [option, on]))
    await visit(page, '/app/tokens')
    await expect.poll(state).toEqual(expected)

    for (const [option] of SWITCHES) {
      await console.setOption(option, 'false')
      expected[option] = { shown: 0, stored: 'false' }
      await visit(page, '/app/tokens')
      await expect.poll(state).toEqual(expected)
    }
  })
})

describe('the top bar', () => {
  it('bears a purple mark in self-use mode, and offers no registration', async () => {
    const page = await console.visitor()
    await visit(page, '/about')
    const register = page.getByRole('banner').getByRole('link', { name: '注册' })
    await expect.poll(() => register.count()).toBe(1)

    await console.setOption('SelfUseModeEnabled', 'true')
    await visit(page, '/about')

    await expect.poll(() => hueOf(page.getByText('自用模式'))).toBe('purple')
    await expect.poll(() => register.count()).toBe(0)
  })

  it('bears a blue mark on a demo site', async () => {
    const page = await console.visitor()
    await console.setOption('DemoSiteEnabled', 'true')

    await visit(page, '/about')

    await expect.poll(() => hueOf(page.getByText('演示站点'))).toBe('blue')
  })

  it('leads to the docs when the site has some, in a window of their own', async () => {
    const page = await console.visitor()
    const docs = page.getByRole('link', { name: '文档' })
    await visit(page, '/about')
    await expect.poll(() => docs.count()).toBe(0)

    await console.setOption('general_setting.docs_link', 'https://docs.example/start')
    await visit(page, '/about')

    await expect.poll(() => docs.getAttribute('href')).toBe('https://docs.example/start')
    await expect.poll(() => docs.getAttribute('target')).toBe('_blank')
  })

  it('shows the name of the site, and the footer its words without their markup', async () => {
    await console.setOption('SystemName', 'Harbour')
    await console.setOption('Footer', '<b>ICP 42</b><img src=x onerror="document.title = \'taken\'">')
    const page = await console.visitor()

    await visit(page, '/about')

    await page.getByRole('banner').getByRole('link', { name: 'Harbour' }).waitFor()
    await expect.poll(() => page.getByRole('contentinfo').innerText()).toMatch(/^ICP 42\s+.*Tidegate/)
    await expect.poll(() => page.title()).toBe('关于 · Harbour')
  })
})

describe('on a phone', () => {
  it('the places of the console are in a drawer, which closes when one is chosen', async () => {
    const page = await console.captain({ viewport: { width: 390, height: 844 } })
    await visit(page, '/app/tokens')
    await expect.poll(() => page.getByRole('complementary').count()).toBe(0)
    await expect.poll(() => consoleMenu(page).count()).toBe(0)

    await page.getByRole('button', { name: '打开菜单' }).click()
    const drawer = page.getByRole('dialog', { name: '菜单' })
    await drawer.getByRole('link', { name: '关于' }).waitFor()
    await drawer.getByRole('link', { name: '使用日志' }).click()

    await page.getByRole('heading', { name: '使用日志', level: 1 }).waitFor()
    await drawer.waitFor({ state: 'hidden' })
    await expect.poll(() => whereIs(page)).toBe('/app/logs/api-usage')
  })

  it('the drawer opens for a tap that came before its script', async () => {
    const page = await console.captain({ viewport: { width: 390, height: 844 } })
    const script = Promise.withResolvers<void>()
    await page.route('**/assets/phone-menu-*.js', async (route) => {
      await script.promise
      await route.continue()
    })
    await visit(page, '/app/tokens')

    await page.getByRole('button', { name: '打开菜单' }).click()
    script.resolve()

    await page.getByRole('dialog', { name: '菜单' }).getByRole('link', { name: '使用日志' }).waitFor()
  })

  it('means 600 px or less', async () => {
    const page = await console.captain({ viewport: { width: 601, height: 844 } })
    await visit(page, '/app/tokens')
    await expect.poll(() => page.getByRole('button', { name: '打开菜单' }).count()).toBe(0)

    await page.setViewportSize({ width: 600, height: 844 })

    await page.getByRole('button', { name: '打开菜单' }).waitFor()
    await expect.poll(() => page.getByRole('complementary').count()).toBe(0)
  })
})

it('the browser keeps the items of the product under their names, and no others', async () => {
  const page = await console.visitor()
  await logIn(page)
  await visit(page, '/app/me')

  await expect
    .poll(() => storedItems(page))
    .toMatchObject({
      system_name: 'Tidegate',
      quota_per_unit: '500000',
      display_in_currency: 'true',
      default_collapse_sidebar: 'false',
      enable_data_export: 'true',
      enable_drawing: 'true',
      enable_task: 'true',
      i18nextLng: 'zh',
    })
  const items = await storedItems(page)
  expect(JSON.parse(items.user!)).toMatchObject({ username: SUPER_ADMIN.username, role: 100, password: '' })
  expect(JSON.parse(items.status!)).toMatchObject({ setup: true, system_name: 'Tidegate' })
  expect(Object.keys(items).filter((name) => !STORED.includes(name))).toEqual([])
})

const STORED = `user status system_name logo quota_per_unit display_in_currency aff page-size channel_models
  modelsExpanded theme-mode default_collapse_sidebar chats footer_html message-page-size i18nextLng
  enable_data_export enable_drawing enable_task mj_notify_enabled`.split(/\s+/)

const CHINESE = /\p{Script=Han}/u

/** All that a person can read or hear on the page: texts, names for those who cannot see, hints in fields, the title. */
async function readable(page: Page): Promise<string> {
  return await page.evaluate(() => {
    const spoken = [...document.body.querySelectorAll('[aria-label], [placeholder], [title], [alt]')].flatMap(
      (element) => ['aria-label', 'placeholder', 'title', 'alt'].map((name) => element.getAttribute(name) ?? ''),
    )
    return [document.title, document.body.innerText, ...spoken].join('\n')
  })
}

async function chooseLanguage(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^(语言|Language)$/ }).click()
  const choice = page.getByRole('menuitem', { name })
  await choice.click()
  await choice.waitFor({ state: 'hidden' })
  // What stays of the closed menu is not for reading: it names each language in its own words.
  await page.evaluate(() => document.querySelectorAll('.ant-dropdown-hidden').forEach((menu) => menu.remove()))
}

async function themeOf(page: Page): Promise<string | null> {
  return await page.locator('html').getAttribute('data-theme')
}

async function background(page: Page): Promise<string> {
  return await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
}

/** The name of the colour that an element's text has. */
async function hueOf(element: Locator): Promise<string> {
  const color = await element.evaluate((found) => getComputedStyle(found).color)
  const [red = 0, green = 0, blue = 0] = color.match(/\d+/g)!.map(Number)
  if (blue <= red || blue <= green) return color
  return red > green ? 'purple' : 'blue'
}
