import { SUPER_ADMIN } from '@tidegate/testing'
import type { Locator, Page } from 'playwright-core'
import type { Credentials } from './site.ts'

/** Opens an address and waits until its screen, or the one it redirects to, is drawn. Returns the address. */
export async function visit(page: Page, path: string): Promise<string> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return currentPath(page)
}

/** The address within the console. */
export function currentPath(page: Page): string {
  const { pathname, search } = new URL(page.url())
  return pathname + search
}

/** Fills in the login form in the language of the page. */
export async function submitLogin(page: Page, { username, password }: Credentials = SUPER_ADMIN): Promise<void> {
  const texts = await textsOf(page)
  await page.getByLabel(texts('Username or email', '用户名或邮箱')).fill(username)
  await page.getByLabel(texts('Password', '密码'), { exact: true }).fill(password)
  await page.getByRole('button', { name: texts('Log in', '登录'), exact: true }).click()
  await page.waitForURL(({ pathname }) => pathname !== '/login')
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** Picks between English and Chinese texts by the language of the page. */
async function textsOf(page: Page): Promise<(english: string, chinese: string) => string> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  const isChinese = (await page.locator('html').getAttribute('lang'))?.startsWith('zh')
  return (english, chinese) => (isChinese ? chinese : english)
}

export async function logIn(page: Page, credentials?: Credentials): Promise<void> {
  await page.goto('/login')
  await submitLogin(page, credentials)
}

export async function storedItems(page: Page): Promise<Record<string, string>> {
  return await page.evaluate(() => ({ ...localStorage }))
}

export async function logOut(page: Page): Promise<void> {
  const texts = await textsOf(page)
  await page.getByRole('button', { name: texts('Account of ', ' 的账户') }).click()
  await page.getByRole('menuitem', { name: texts('Log out', '退出登录') }).click()
  await page.waitForURL(({ pathname }) => pathname === '/login')
}

/** Waits until this field has the focus. */
export async function untilFocused(field: Locator): Promise<void> {
  await field.and(field.page().locator(':focus')).waitFor()
}

/** The sidebar, or the open menu of a phone, on an English page. */
export function consoleMenu(page: Page): Locator {
  return page.getByRole('navigation', { name: 'Console menu' })
}

/** Lets the page write to the clipboard and the test read it. */
export async function allowClipboard(page: Page): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
}

export const clipboardText = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
