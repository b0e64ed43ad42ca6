import { api } from '@tidegate/contract'
import { setUpSite } from '@tidegate/testing'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { verifyBooks } from '../proof/books.ts'
import { type PageOptions, type StorageState, useBrowser } from './browser.ts'
import { sessionAt } from './session.ts'
import { type Credentials, openSite, type Site } from './site.ts'

export interface Console {
  readonly site: Site
  /** A page of somebody who is not logged in. */
  visitor(options?: PageOptions): Promise<Page>
  /** A page of the super admin, who has logged in and has chosen nothing else yet. */
  captain(options?: PageOptions): Promise<Page>
  /** A page of a user who has logged in. */
  member(user: Credentials, options?: PageOptions): Promise<Page>
  /** Sets an option of the site until the end of the test. */
  setOption(key: string, value: string): Promise<void>
}

interface ConsoleOptions {
  /** Asked for when the site is opened, after what the suite has started before. */
  env?: () => Record<string, string>
  /** Whatever people did, the books must balance in the end. Not for suites that set balances behind them. */
  provesBooks?: boolean
}

/** One site for the suite, set up and with the super admin logged in once for all tests. */
export function startConsole({ env = () => ({}), provesBooks = false }: ConsoleOptions = {}): Console {
  const browser = useBrowser()
  const before = new Map<string, string>()
  /** What was set when the test first changed something: the list is long, and some tests change many. */
  let known: Map<string, string> | undefined
  let site: Site
  let session: StorageState
  beforeAll(async () => {
    site = await openSite({ env: env() })
    await setUpSite(site.client)
    session = await sessionAt(site.server.url)
  })
  afterAll(async () => {
    if (!site) return
    try {
      if (provesBooks) expect(await verifyBooks(site.env, site.server.dataDirectory)).toBe('')
    } finally {
      await site.close()
    }
  })
  afterEach(async () => {
    // Last set, first undone: a switch may need what was set before it.
    for (const [key, value] of [...before].toReversed())
      await site.client.call(api.updateOption, { body: { key, value } })
    before.clear()
    known = undefined
  })
  return {
    get site() {
      return site
    },
    visitor: (options) => browser.newPage({ baseURL: site.server.url, ...options }),
    captain: (options) => browser.newPage({ baseURL: site.server.url, storageState: session, ...options }),
    async member(user, { baseURL = site.server.url, ...options } = {}) {
      return await browser.newPage({ baseURL, storageState: await sessionAt(baseURL, user), ...options })
    },
    async setOption(key, value) {
      known ??= new Map((await site.client.call(api.listOptions)).map((option) => [option.key, option.value]))
      before.set(key, before.get(key) ?? known.get(key) ?? '')
      await site.client.call(api.updateOption, { body: { key, value } })
    },
  }
}
