import { api } from '@tidegate/contract'
import { setUpSite } from '@tidegate/testing'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { verifyBooks } from '../../scenarios/books.ts'
import { type PageOptions, type StorageState, useBrowser } from './browser.ts'
import { sessionAt } from './session.ts'
import { sharedSite } from './shared-site.ts'
import { type Credentials, openSite, type Site } from './site.ts'

export interface Console {
  readonly site: Site
  /** A page without a login. */
  anonymous(options?: PageOptions): Promise<Page>
  /** A page of the super admin, logged in. */
  admin(options?: PageOptions): Promise<Page>
  /** A page of a user, logged in. */
  member(user: Credentials, options?: PageOptions): Promise<Page>
  /** Sets an option of the site until the end of the test. */
  setOption(key: string, value: string): Promise<void>
}

interface ConsoleOptions {
  /** Starts a server for this file alone with this environment. Called after the `beforeAll` hooks above it. */
  env?: () => Record<string, string>
  /** Verifies the ledger after the last test. Not for files that set balances in the database. */
  verifiesLedger?: boolean
}

/**
 * A site that is set up, with only its super admin. Files of a worker share one server: each file starts with the rows,
 * IDs and options after setup.
 */
export function startConsole({ env, verifiesLedger = false }: ConsoleOptions = {}): Console {
  const browser = useBrowser()
  const optionsBefore = new Map<string, string>()
  /** All options before the test first changed one. */
  let knownOptions: Map<string, string> | undefined
  let site: Site
  let adminSession: StorageState
  beforeAll(async () => {
    if (env) {
      site = await openSite({ env: env() })
      await setUpSite(site.client)
      adminSession = await sessionAt(site.server.url)
    } else {
      ;({ site, adminSession } = await sharedSite())
      await countLoginsAsRecent(site) // the files before may have taken longer
    }
  })
  beforeEach(() => countLoginsAsRecent(site))
  afterAll(async () => {
    if (!site) return
    try {
      if (verifiesLedger) expect(await verifyBooks(site.env, site.server.dataDirectory)).toBe('')
    } finally {
      if (env) await site.close()
    }
  })
  afterEach(async () => {
    await countLoginsAsRecent(site)
    // In reverse order: an option may require those set before it.
    for (const [key, value] of [...optionsBefore].toReversed())
      await site.client.call(api.updateOption, { body: { key, value } })
    optionsBefore.clear()
    knownOptions = undefined
  })
  return {
    get site() {
      return site
    },
    anonymous: (options) => browser.newPage({ baseURL: site.server.url, ...options }),
    admin: (options) => browser.newPage({ baseURL: site.server.url, storageState: adminSession, ...options }),
    async member(user, { baseURL = site.server.url, ...options } = {}) {
      return await browser.newPage({ baseURL, storageState: await sessionAt(baseURL, user), ...options })
    },
    async setOption(key, value) {
      knownOptions ??= new Map((await site.client.call(api.listOptions)).map((option) => [option.key, option.value]))
      optionsBefore.set(key, optionsBefore.get(key) ?? knownOptions.get(key) ?? '')
      await site.client.call(api.updateOption, { body: { key, value } })
    },
  }
}

/** Sessions outlast the ten minutes for which a login counts as re-authentication. */
async function countLoginsAsRecent({ db }: Site): Promise<void> {
  await sql`update session set proved_at = now()`.execute(db)
}
