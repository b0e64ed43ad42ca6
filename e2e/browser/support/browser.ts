import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'
import { afterEach } from 'vitest'

const RESULTS = join(import.meta.dirname, '../../../test-results')
/** A slower screen has failed. The test's own limit would only report a timeout. */
const TIMEOUT_MS = 30_000

export interface PageOptions {
  locale?: Locale
  colorScheme?: 'light' | 'dark'
  viewport?: { width: number; height: number }
  baseURL?: string
  /** Initial cookies and stored items, as another page left them. */
  storageState?: StorageState
}

export const PHONE = { width: 360, height: 740 }
const DESKTOP = { width: 1280, height: 800 }

interface Pages {
  newPage(options: PageOptions & { baseURL: string }): Promise<Page>
}

/** Emptied profiles by address and locale. Files share them: a profile that has loaded a site opens it much faster. */
const idle = new Map<string, WarmProfile[]>()

/** Closes the idle profiles of a closed site. */
export async function closeProfiles(port: number): Promise<void> {
  const ended = [...idle].filter(([kind]) => kind.includes(`:${port} `))
  for (const [kind] of ended) idle.delete(kind)
  await Promise.all(ended.flatMap(([, profiles]) => profiles.map((profile) => profile.close())))
}

/**
 * Pages for the tests of a file. Each page belongs to another user and is isolated from earlier pages. A failing test
 * saves a screenshot of every page in test-results.
 */
export function useBrowser(): Pages {
  let open: { page: Page; profile: WarmProfile; kind: string }[] = []
  afterEach(async ({ task }) => {
    const used = open
    open = []
    if (task.result?.state === 'fail') {
      const pages = used.map(({ page }) => page)
      await takeScreenshots(pages, `${task.suite?.name ?? ''} ${task.name}`)
      // Their pages may still be active, so the profiles are not reused.
      await Promise.all(used.map(({ profile }) => profile.close()))
      return
    }
    await Promise.all(used.map(({ profile }) => profile.empty()))
    for (const { profile, kind } of used) idle.set(kind, [...(idle.get(kind) ?? []), profile])
  })
  return {
    async newPage({ baseURL, locale = 'zh-CN', colorScheme = 'light', viewport = DESKTOP, storageState }) {
      const kind = `${baseURL} ${locale}`
      const profile = idle.get(kind)?.pop() ?? (await WarmProfile.open(await sharedChromium(), { baseURL, locale }))
      const page = await profile.context.newPage()
      open.push({ page, profile, kind })
      page.setDefaultTimeout(TIMEOUT_MS)
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      if (storageState) await profile.setStorage(storageState)
      return page
    },
  }
}

async function takeScreenshots(pages: readonly Page[], what: string): Promise<void> {
  await mkdir(RESULTS, { recursive: true })
  const name = what.replaceAll(/[^\p{L}\p{N}]+/gu, '-')
  for (const [index, page] of pages.entries()) {
    await page.screenshot({ path: join(RESULTS, `${name}-${index + 1}.png`), fullPage: true })
  }
}

export type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>
type Locale = 'zh-CN' | 'en-US'

const EVERYTHING_STORED = 'local_storage,indexeddb,cache_storage,service_workers,file_systems'

/**
 * A browser profile that is emptied and reused. Its HTTP and code caches stay, which saves two thirds of the time to
 * open the first page.
 */
class WarmProfile {
  readonly context: BrowserContext
  /** Shows an image of the site. It keeps the renderer process alive when the pages of a test close. */
  readonly #keeper: Page
  readonly #devtools: CDPSession

  private constructor(context: BrowserContext, keepAlivePage: Page, devtools: CDPSession) {
    this.context = context
    this.#keeper = keepAlivePage
    this.#devtools = devtools
  }

  static async open(browser: Browser, { baseURL, locale }: { baseURL: string; locale: Locale }): Promise<WarmProfile> {
    // A click on a dialog that is still animating can miss.
    const context = await browser.newContext({ baseURL, locale, reducedMotion: 'reduce' })
    const keepAlivePage = await context.newPage()
    await keepAlivePage.goto('/favicon.svg')
    return new WarmProfile(context, keepAlivePage, await context.newCDPSession(keepAlivePage))
  }

  /** Sets the cookies of a login and the stored items of this site. */
  async setStorage({ cookies, origins }: StorageState): Promise<void> {
    await this.context.addCookies(cookies)
    const { origin } = new URL(this.#keeper.url())
    const items = origins.find((stored) => stored.origin === origin)?.localStorage ?? []
    await this.#keeper.evaluate((given) => given.forEach(({ name, value }) => localStorage.setItem(name, value)), items)
  }

  /** Closes every page, and removes storage and permissions of every site. */
  async empty(): Promise<void> {
    const pages = this.context.pages().filter((page) => page !== this.#keeper)
    await Promise.all(pages.map((page) => page.close()))
    // First from within the renderer, which may still hold what is cleared from outside.
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

/** Chromium without its window code: a third less work per page. `CHROMIUM` selects another binary. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

let launched: Promise<Browser> | undefined

/** The Chromium of this process: its files share it, and it ends with the process. */
function sharedChromium(): Promise<Browser> {
  launched ??= chromium.launch({ executablePath: process.env.CHROMIUM ?? HEADLESS_SHELL, args: FLAGS })
  return launched
}

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  // A page reuses the renderer process of the page before it, which has compiled the console: half the time to open.
  '--process-per-site',
  // Pages live for seconds: optimizing their scripts costs more than it saves, and a later page needs the same functions.
  '--js-flags=--no-maglev --no-turbofan --no-flush-bytecode',
]
