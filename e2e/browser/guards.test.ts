import { api } from '@tidegate/contract'
import { setUpSite, SUPER_ADMIN } from '@tidegate/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useBrowser } from './browser.ts'
import { consoleMenu, logIn, logOut, storedItems, submitLogin, visit, whereIs } from './console-page.ts'
import { pathsWith } from './routes.ts'
import { addOrdinaryUser, type Credentials, openSite, revokeSessions, type Site } from './site.ts'

const browser = useBrowser()
let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

const newPage = () => browser.newPage({ baseURL: site.server.url })

describe('before the site is set up', () => {
  it('every address leads to the setup screen', async () => {
    const page = await newPage()
    const paths = pathsWith('none', 'login', 'admin')

    expect(await landings(page, paths)).toEqual(everyOne(paths, () => '/setup'))
    expect(await visit(page, '/setup')).toBe('/setup')
  })

  it('a user remembered from an earlier installation changes nothing', async () => {
    const page = await newPage()
    await visit(page, '/setup')
    await page.evaluate(() => localStorage.setItem('user', '{"id":1,"username":"captain","role":100}'))

    expect(await visit(page, '/app/tokens')).toBe('/setup')
  })
})

describe('once the site is set up', () => {
  let deckhand: Credentials
  beforeAll(async () => {
    await setUpSite(site.client)
    deckhand = await addOrdinaryUser(site, 'deckhand')
  })

  it('the setup screen leads home', async () => {
    expect(await visit(await newPage(), '/setup')).toBe('/')
  })

  it('a visitor sees every public address', async () => {
    const page = await newPage()
    const paths = pathsWith('none')

    expect(await landings(page, paths)).toEqual(everyOne(paths, (path) => path))
  })

  it('a visitor is sent from every other address to the login screen, which knows the way back', async () => {
    const page = await newPage()
    const paths = pathsWith('login', 'admin')

    expect(await landings(page, paths)).toEqual(everyOne(paths, loginFor))
  })

  it('a link inside the console is guarded like an address typed by hand', async () => {
    const page = await newPage()
    await visit(page, '/')

    await page.getByRole('link', { name: '控制台' }).click()

    await page.waitForURL(loginFor('/app/tokens'))
  })

  it('message management is for administrators: everybody else is sent home', async () => {
    const page = await newPage()
    await logIn(page, deckhand)
    expect(await visit(page, '/admin/messages')).toBe('/')
    await logOut(page)

    await logIn(page)
    expect(await visit(page, '/admin/messages')).toBe('/admin/messages')
  })

  it('an ordinary user is offered no place of administration', async () => {
    const page = await newPage()
    await logIn(page, deckhand)

    const menu = consoleMenu(page)
    await menu.getByRole('link', { name: 'API 令牌' }).waitFor()

    const places = await menu.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(places).toContain('/app/tokens')
    expect(places.filter((path) => path?.startsWith('/admin'))).toEqual([])
  })

  it('an unknown address says that the page does not exist and to check the address', async () => {
    const page = await newPage()

    await visit(page, '/app/no-such-page')

    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('页面不存在')
    await page.getByText('请检查您输入的地址是否正确').waitFor()
    await page.getByRole('button', { name: '回到首页' }).click()
    await page.waitForURL('**/')
  })
})

describe('the login screen', () => {
  it('returns to a page of this console, and to no other place that a link may name', async () => {
    const page = await newPage()
    const expected = {
      '/app/logs/api-usage?model=gpt-4o': '/app/logs/api-usage?model=gpt-4o',
      '': '/app/tokens',
      '//evil.example/app': '/app/tokens',
      '/\\evil.example': '/app/tokens',
      '/\t/evil.example': '/app/tokens',
      'https://evil.example/': '/app/tokens',
      'javascript:alert(1)': '/app/tokens',
      '/login?returnTo=/login': '/app/tokens',
    }

    for (const [wish, landing] of Object.entries(expected)) {
      await visit(page, loginFor(wish))
      await submitLogin(page)

      await expect.poll(() => page.url(), { message: wish }).toBe(site.server.url + landing)
    }
  })
})

describe('a session that the server has ended', () => {
  it('is noticed at the next screen: the user is forgotten and the login screen says why and leads back', async () => {
    const page = await newPage()
    await logIn(page)
    await untilQuiet(page)
    await revokeSessions(site, SUPER_ADMIN.username)

    await consoleMenu(page).getByRole('link', { name: '使用日志' }).click()

    await page.waitForURL('/login?expired=true&returnTo=%2Fapp%2Flogs%2Fapi-usage')
    await page.getByText('未登录或登录已过期，请重新登录！').waitFor()
    await expect.poll(() => storedItems(page)).not.toHaveProperty('user')

    await submitLogin(page)
    await expect.poll(() => whereIs(page)).toBe('/app/logs/api-usage')
  })

  it('is noticed just the same when the page is opened anew', async () => {
    const page = await newPage()
    await logIn(page)
    await untilQuiet(page)
    await revokeSessions(site, SUPER_ADMIN.username)

    await page.goto('/app/me')

    await page.waitForURL('/login?expired=true&returnTo=%2Fapp%2Fme')
    await page.getByText('未登录或登录已过期，请重新登录！').waitFor()
    await expect.poll(() => storedItems(page)).not.toHaveProperty('user')
  })
})

describe('logging out', () => {
  it('is told, remembered, and ends the session on the server', async () => {
    const page = await newPage()
    await logIn(page)
    const [cookie] = await page.context().cookies()

    await logOut(page)

    await page.getByText('注销成功').waitFor()
    await expect.poll(() => whereIs(page)).toBe('/login')
    await expect.poll(() => storedItems(page)).not.toHaveProperty('user')
    expect(await visit(page, '/app/tokens')).toBe(loginFor('/app/tokens'))
    await expect.poll(() => answerTo(`${cookie!.name}=${cookie!.value}`)).toBe(401)
  })

  it('in one tab logs the other tab out as well', async () => {
    const page = await newPage()
    await logIn(page)
    const other = await page.context().newPage()
    await visit(other, '/app/me')

    await logOut(page)

    await other.waitForURL(loginFor('/app/me'))
  })
})

/** Waits until the screen after a login asks nothing any more: a call under way would notice the end of the session. */
async function untilQuiet(page: Page): Promise<void> {
  await page.getByRole('heading', { name: '还没有令牌' }).waitFor()
}

/** What the server says to a call with this cookie in the name of the super admin. */
async function answerTo(cookie: string): Promise<number> {
  const { response } = await site.client.send(api.getSelf, { headers: { cookie } })
  return response.status
}

async function landings(page: Page, paths: readonly string[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const path of paths) found[path] = await visit(page, path)
  return found
}

function everyOne(paths: readonly string[], landing: (path: string) => string): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, landing(path)]))
}

function loginFor(path: string): string {
  return `/login?${new URLSearchParams({ returnTo: path })}`
}
