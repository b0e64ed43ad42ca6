import { api } from '@tidegate/contract'
import { SUPER_ADMIN } from '@tidegate/testing'
import { expect, it } from 'vitest'
import { consoleMenu, logIn, logOut, storedItems, submitLogin, visit, currentPath } from '../support/console-page.ts'
import { addOrdinaryUser, revokeSessions } from '../support/site.ts'
import { startConsole } from '../support/start-console.ts'

const console = startConsole()

/** The items that the console may keep in the browser. */
const STORED = `user status system_name logo quota_per_unit display_in_currency aff page-size channel_models
  modelsExpanded theme-mode default_collapse_sidebar chats footer_html message-page-size i18nextLng
  enable_data_export enable_drawing enable_task mj_notify_enabled`.split(/\s+/)

it('asks for a login and returns to the requested page, which a user may see without administration', async () => {
  const user = await addOrdinaryUser(console.site, 'deckhand')
  const page = await console.anonymous({ locale: 'en-US' })
  await visit(page, '/')
  await page.getByRole('banner').getByRole('link', { name: 'Console' }).click()
  await page.waitForURL('/login?returnTo=%2Fapp%2Ftokens')
  expect(await visit(page, '/app/me?tab=price')).toBe('/login?returnTo=%2Fapp%2Fme%3Ftab%3Dprice')

  await submitLogin(page, user)

  expect(currentPath(page)).toBe('/app/me?tab=price')
  const items = await storedItems(page)
  expect(JSON.parse(items.user!)).toMatchObject({ username: 'deckhand', role: 1, password: '' })
  expect(Object.keys(items).filter((name) => !STORED.includes(name))).toEqual([])
  await consoleMenu(page).getByRole('link', { name: 'API tokens' }).waitFor()
  expect(await consoleMenu(page).getByRole('link', { name: 'Channels' }).count()).toBe(0)
  expect(await visit(page, '/admin/messages')).toBe('/admin/messages')
  await page.getByRole('heading', { name: "You don't have access to this page" }).waitFor()
})

it('shows the sign-in page when the session ended, and continues after the next login', async () => {
  const page = await console.anonymous({ locale: 'en-US' })
  await logIn(page)
  await page.getByRole('heading', { name: 'No tokens yet' }).waitFor() // a running request would detect the end
  await revokeSessions(console.site, SUPER_ADMIN.username)

  await consoleMenu(page).getByRole('link', { name: 'Usage logs' }).click()

  await page.waitForURL('/login?expired=true&returnTo=%2Fapp%2Flogs%2Fapi-usage')
  await page.getByText('Not logged in or session expired. Please login again!').waitFor()
  await expect.poll(() => storedItems(page)).not.toHaveProperty('user')
  await submitLogin(page)
  await expect.poll(() => currentPath(page)).toBe('/app/logs/api-usage')
})

it('logs out in every tab and ends the session on the server', async () => {
  const page = await console.anonymous({ locale: 'en-US' })
  await logIn(page)
  const [cookie] = await page.context().cookies()
  const other = await page.context().newPage()
  await visit(other, '/app/me')

  await logOut(page)

  await other.waitForURL('/login?returnTo=%2Fapp%2Fme')
  await expect.poll(() => storedItems(page)).not.toHaveProperty('user')
  const headers = { cookie: `${cookie!.name}=${cookie!.value}` }
  await expect.poll(async () => (await console.site.client.send(api.getSelf, { headers })).response.status).toBe(401)
})
