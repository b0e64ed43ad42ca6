import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sharedChromium } from './chromium.ts'
import { WarmProfile } from './warm-profile.ts'

const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<h1>Harbour</h1>'))
let port: number
let profile: WarmProfile
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  port = (server.address() as AddressInfo).port
  profile = await WarmProfile.open(await sharedChromium(), { baseURL: `http://127.0.0.1:${port}`, locale: 'en-US' })
})
afterAll(async () => {
  await profile?.close()
  server.close()
})

it('leaves nothing of one person to the next, on this site or another', async () => {
  await profile.context.grantPermissions(['clipboard-read'])
  const places = [`http://127.0.0.1:${port}/`, `http://localhost:${port}/`]
  for (const place of places) await storeSomething(await pageAt(place))
  await profile.context.newPage()

  await profile.empty()

  expect(profile.context.pages()).toHaveLength(1)
  for (const place of places)
    expect(await stored(await pageAt(place))).toEqual({
      cookie: '',
      local: {},
      session: {},
      databases: [],
      caches: [],
      clipboard: 'prompt',
    })
})

it('begins with the session that it is given, which the page may end', async () => {
  const cookie = { domain: '127.0.0.1', path: '/', expires: -1, httpOnly: false, secure: false } as const
  await profile.furnish({
    cookies: [{ ...cookie, name: 'session', value: '42', sameSite: 'Strict' }],
    origins: [{ origin: `http://127.0.0.1:${port}`, localStorage: [{ name: 'user', value: 'mira' }] }],
  })
  const page = await pageAt('/')
  expect(await stored(page)).toMatchObject({ cookie: 'session=42', local: { user: 'mira' } })

  await page.evaluate(() => localStorage.clear())
  await page.reload()

  expect(await stored(page)).toMatchObject({ local: {} })
})

async function pageAt(address: string): Promise<Page> {
  const page = await profile.context.newPage()
  await page.goto(address)
  return page
}

async function storeSomething(page: Page): Promise<void> {
  await page.evaluate(async () => {
    document.cookie = 'theirs=1; max-age=1000'
    localStorage.setItem('theirs', '1')
    sessionStorage.setItem('theirs', '1')
    await caches.open('theirs')
    await new Promise((resolve) => indexedDB.open('theirs').addEventListener('success', resolve))
  })
}

async function stored(page: Page) {
  return await page.evaluate(async () => ({
    cookie: document.cookie,
    local: { ...localStorage },
    session: { ...sessionStorage },
    databases: await indexedDB.databases(),
    caches: await caches.keys(),
    clipboard: (await navigator.permissions.query({ name: 'clipboard-read' as PermissionName })).state,
  }))
}
