import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'

export type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>
export type Locale = 'zh-CN' | 'en-US'

const EVERYTHING_STORED = 'local_storage,indexeddb,cache_storage,service_workers,file_systems'

/**
 * The profile of one person at a time, which is emptied for the next. What it has fetched and compiled of the console
 * stays, and with it two thirds of the time that the first page of a new profile takes to open.
 */
export class WarmProfile {
  readonly context: BrowserContext
  /** Shows a picture of the site: holds the window and the process when a test's pages close, and runs nothing. */
  readonly #keeper: Page
  readonly #devtools: CDPSession

  private constructor(context: BrowserContext, keeper: Page, devtools: CDPSession) {
    this.context = context
    this.#keeper = keeper
    this.#devtools = devtools
  }

  static async open(browser: Browser, { baseURL, locale }: { baseURL: string; locale: Locale }): Promise<WarmProfile> {
    // A click on a dialog that is still zooming in can miss.
    const context = await browser.newContext({ baseURL, locale, reducedMotion: 'reduce' })
    const keeper = await context.newPage()
    await keeper.goto('/favicon.svg')
    return new WarmProfile(context, keeper, await context.newCDPSession(keeper))
  }

  /** Gives the person the cookies of a login, and the stored items of this site. */
  async furnish({ cookies, origins }: StorageState): Promise<void> {
    await this.context.addCookies(cookies)
    const { origin } = new URL(this.#keeper.url())
    const items = origins.find((stored) => stored.origin === origin)?.localStorage ?? []
    await this.#keeper.evaluate((given) => given.forEach(({ name, value }) => localStorage.setItem(name, value)), items)
  }

  /** Closes every page and forgets whatever they stored or were allowed, on every site. */
  async empty(): Promise<void> {
    const pages = this.context.pages().filter((page) => page !== this.#keeper)
    await Promise.all(pages.map((page) => page.close()))
    // First from within the process, which may still remember for a moment what is cleared from without.
    await this.#keeper.evaluate(() => localStorage.clear())
    await Promise.all([
      this.context.clearCookies(),
      this.context.clearPermissions(),
      this.#devtools.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: EVERYTHING_STORED }),
    ])
  }

  async close(): Promise<void> {
    await this.context.close()
  }
}
