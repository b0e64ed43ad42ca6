import { api } from '@tidegate/contract'
import { addChannel, addToken, fakeUpstream, type FakeUpstream, setUpSite } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type StorageState, useBrowser } from './browser.ts'
import { type Faults, faultsOf, NONE } from './faults.ts'
import { sessionAt } from './session.ts'
import { openSite, type Site } from './site.ts'

interface Look {
  width: 360 | 768 | 1440
  colorScheme: 'light' | 'dark'
  locale: 'zh-CN' | 'en-US'
}

/** Every width with every colour and every language, and every colour with every language, in as few looks as can be. */
const LOOKS: readonly Look[] = [
  { width: 360, colorScheme: 'light', locale: 'zh-CN' },
  { width: 768, colorScheme: 'dark', locale: 'en-US' },
  { width: 1440, colorScheme: 'dark', locale: 'zh-CN' },
  { width: 360, colorScheme: 'dark', locale: 'en-US' },
  { width: 768, colorScheme: 'light', locale: 'zh-CN' },
  { width: 1440, colorScheme: 'light', locale: 'en-US' },
]
/** Half of them: every width, both colours and both languages, which is enough for a screen of a few words. */
const SOME = new Set(LOOKS.slice(0, 3))

const MODEL = 'an-unusually-long-vendor/model-name-with-a-date-2026-02-30-preview'
const LONG_CHANNEL = 'A channel whose name was written by somebody who had a lot to say about it'
const LONG_TOKEN = 'the-token-of-the-build-server!' // the longest allowed

const browser = useBrowser()
let site: Site
let upstream: FakeUpstream
beforeAll(async () => {
  upstream = await fakeUpstream()
  site = await openSite()
})
afterAll(async () => {
  await site?.close()
  await upstream?.close()
})

describe('before the site is set up', () => {
  it.each([...SOME])('the setup screen has no fault at $width px, $colorScheme, $locale', async (look) => {
    await expectNoFaults(look, ['/setup'])
  })
})

describe('for a visitor', () => {
  beforeAll(() => setUpSite(site.client))

  it.each(LOOKS)('no screen has a fault at $width px, $colorScheme, $locale', async (look) => {
    const paths = SOME.has(look) ? ['/login', '/no/such/page', '/reset'] : ['/login?expired=true', '/', '/pricing']
    await expectNoFaults(look, paths)
  })
})

describe('for the super admin of a busy site', () => {
  let session: StorageState
  beforeAll(async () => {
    await furnish()
    session = await sessionAt(site.server.url)
  })

  it.each(LOOKS)('no screen has a fault at $width px, $colorScheme, $locale', async (look) => {
    const simple = SOME.has(look)
      ? ['/app/wallet', '/app/tokens', '/app/wallet/topup-success']
      : ['/app/me', '/admin/audit', '/app/logs/drawing']
    await expectNoFaults(look, ['/app/logs/api-usage', ...simple], session)
  })
})

async function expectNoFaults(look: Look, paths: readonly string[], storageState?: StorageState): Promise<void> {
  const { width, ...preferences } = look
  const options = { baseURL: site.server.url, viewport: { width, height: 900 }, ...preferences }
  const page = await browser.newPage(storageState ? { ...options, storageState } : options)
  const found: Record<string, Faults> = {}
  for (const path of paths) found[path] = await faultsOf(page, path)

  expect(found).toEqual(Object.fromEntries(paths.map((path) => [path, NONE])))
}

/** Long names everywhere and sixty calls in the log, streamed and not. */
async function furnish(): Promise<void> {
  await site.client.call(api.updateOption, { body: { key: 'ModelRatio', value: JSON.stringify({ [MODEL]: 1 }) } })
  const models = Array.from({ length: 14 }, (_, number) => `${MODEL}-${number}`)
  await addChannel(site.client, upstream, { name: LONG_CHANNEL, models: [MODEL, ...models].join(',') })
  const { secret } = await addToken(site.client, { name: LONG_TOKEN })
  for (let call = 0; call < 60; call += 1) await chat(secret, call % 2 === 0)
  await vi.waitFor(async () => expect(await logTotal()).toBe(60), { timeout: 15_000 })
}

async function chat(secret: string, stream: boolean): Promise<void> {
  const response = await fetch(`${site.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, stream, messages: [{ role: 'user', content: 'When does the tide turn?' }] }),
  })
  const answer = await response.text()
  if (!response.ok) throw new Error(`the call was refused: ${response.status} ${answer}`)
}

async function logTotal(): Promise<number> {
  return (await site.client.call(api.listLogs, { query: { type: api.LOG_TYPE.consumption } })).total
}
