import { api } from '@tidegate/contract'
import { addToken } from '@tidegate/testing'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { storedItems, visit } from './support/console-page.ts'
import { chooseFrom } from './support/lists.ts'
import { startConsole } from './support/start-console.ts'

const console = startConsole()

it('shows the message of the server for a rejected change, and its own for a failed request', async () => {
  const { client } = console.site
  const deleted = await addToken(client)
  const remaining = await addToken(client)
  const page = await console.admin({ locale: 'en-US' })
  await visit(page, '/app/tokens')
  await page.getByRole('button', { name: `More actions for ${deleted.name}` }).waitFor()
  await client.call(api.deleteToken, { path: { id: deleted.id } })

  await deleteToken(page, deleted.name)
  await toast(page, 'The token does not exist.').waitFor()

  await page.route(`**/api/token/${remaining.id}`, (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>not ours</h1>' }),
  )
  await deleteToken(page, remaining.name)
  await toast(page, 'Error: HTTP 502').waitFor()
})

it('shows why a list does not load with the request ID, and loads it again', async () => {
  const page = await console.admin({ locale: 'en-US' })
  await page.route('**/api/token*', (route) =>
    route.fulfill({ status: 500, headers: { 'x-request-id': 'request-42' }, body: 'oops' }),
  )
  await visit(page, '/app/tokens')

  const alert = page.getByRole('alert').filter({ hasText: "Couldn't load this page" })
  await alert.getByText('Internal server error. Contact the administrator.').waitFor()
  await expect.poll(() => alert.innerText()).toContain('request-42')
  await page.unroute('**/api/token*')
  await alert.getByRole('button', { name: 'Try again' }).click()

  await alert.waitFor({ state: 'detached' })
})

it('opens without the server only for returning users, and recovers automatically', async () => {
  const page = await console.anonymous({ locale: 'en-US' })
  const reject = () => page.route('**/api/status', (route) => route.abort('connectionrefused'))
  await reject()
  await page.goto('/about')
  await page.getByRole('heading', { name: 'Failed to load status' }).waitFor()
  await expect.poll(() => page.getByRole('alert').innerText()).toContain('Unable to connect to server')

  await page.unroute('**/api/status')
  await page.getByRole('heading', { name: 'About', level: 1 }).waitFor()

  await expect.poll(() => storedItems(page)).toHaveProperty('status')
  await reject()
  await visit(page, '/about')
  await toast(page, 'Unable to connect to server').waitFor()
})

it('shows that the browser is offline or the server is unreachable, and continues afterwards', async () => {
  const token = await addToken(console.site.client, { name: 'after the storm' })
  const page = await console.admin({ locale: 'en-US' })
  await visit(page, '/app/me')
  const offline = page.getByText("You're offline. Waiting for a connection…")
  await page.context().setOffline(true)
  await offline.waitFor()
  await page.context().setOffline(false)
  await offline.waitFor({ state: 'detached' })

  await page.route('**/api/**', (route) => route.abort('connectionrefused'))
  await page.getByRole('link', { name: 'API tokens' }).click()
  const away = page.getByText("Can't reach the server. Reconnecting…")
  await away.waitFor()
  await page.unroute('**/api/**')

  await page.getByText(token.name).first().waitFor()
  await away.waitFor({ state: 'detached' })
})

async function deleteToken(page: Page, name: string): Promise<void> {
  await chooseFrom(page.getByRole('button', { name: `More actions for ${name}` }), 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
}

const toast = (page: Page, text: string) => page.locator('.ant-message-notice').filter({ hasText: text }).first()
