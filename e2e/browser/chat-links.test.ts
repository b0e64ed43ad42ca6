import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { api } from '@tidegate/contract'
import { addToken } from '@tidegate/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { submitLogin, visit, whereIs } from './console-page.ts'
import { startConsole } from './start-console.ts'

/** A chat on the web that says where it was opened. */
const PAGE = `<!doctype html><title>chat</title><p id="where"></p>
<script>where.textContent = location.pathname + location.hash; localStorage.kept = 'yes'</script>`

const console = startConsole()
let chatSite: Server
let chatUrl: string
beforeAll(async () => {
  chatSite = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(PAGE))
  await new Promise<void>((listening) => chatSite.listen(0, '127.0.0.1', listening))
  chatUrl = `http://127.0.0.1:${(chatSite.address() as AddressInfo).port}`
})
afterAll(() => void chatSite?.close())
beforeEach(async () => {
  for (const { id } of await console.site.client.call(api.listTokens)) {
    await console.site.client.call(api.deleteToken, { path: { id } })
  }
  await console.setOption(
    'Chats',
    JSON.stringify([{ Harbour: `${chatUrl}/talk#k={key}&u={address}` }, { App: 'app://join?k={key}' }]),
  )
})

describe('the saved chats', () => {
  it('embeds a saved chat with the key of the first enabled token, and its other address leads there', async () => {
    const { secret } = await addToken(console.site.client, { name: 'harbour' })
    const page = await console.captain()

    await visit(page, '/chat')

    const where = page.frameLocator('iframe').locator('#where')
    await expect
      .poll(() => where.innerText())
      .toBe(`/talk#k=${secret}&u=${encodeURIComponent(console.site.server.url)}`)
    const frame = (await page.locator('iframe').boundingBox())!
    expect([frame.x, frame.width, frame.y + frame.height]).toEqual([0, 1280, 800])
    await page.getByRole('navigation', { name: '控制台菜单' }).waitFor({ state: 'detached' })

    await page.goto('/chat2link')

    await page.waitForURL(`${chatUrl}/talk**`)
    expect(page.url()).toContain(`#k=${secret}`)
  })

  it('leads somebody without an enabled token to the tokens, after a word', async () => {
    const page = await console.captain({ locale: 'en-US' })

    await page.goto('/chat')

    await page.getByText('No enabled token available, please check that a token is enabled!').waitFor()
    await expect.poll(() => whereIs(page)).toBe('/app/tokens')
  })

  it('leads a visitor through the login and back', async () => {
    await addToken(console.site.client, { name: 'harbour' })
    const page = await console.visitor()
    await visit(page, '/chat/0')
    await page.getByRole('main').getByRole('button', { name: '登录' }).click()
    await page.waitForURL(({ pathname }) => pathname === '/login')

    await submitLogin(page)

    expect(whereIs(page)).toBe('/chat/0')
    await page.frameLocator('iframe').getByText('/talk').waitFor()
  })
})
