import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'

const RESULTS = join(import.meta.dirname, '../../test-results')
/** A screen that takes longer has failed; the test's own limit would only say that time was up. */
const PATIENCE_MS = 30_000
const FLAGS = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${disabledFeatures().join()}`,
]

export interface PageOptions {
  locale?: 'zh-CN' | 'en-US'
  colorScheme?: 'light' | 'dark'
  viewport?: { width: number; height: number }
  baseURL?: string
  /** Cookies and stored items to begin with, as another page left them. */
  storageState?: StorageState
}

export type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

export const PHONE = { width: 360, height: 740 }
export const DESKTOP = { width: 1280, height: 800 }

/**
 * Launches Chromium once for the suite. Each page has a context of its own, so nothing stored leaks between tests; a
 * test that fails leaves a picture of every page in test-results.
 */
export function useBrowser(): { newPage(options?: PageOptions): Promise<Page> } {
  let browser: Browser
  let open: Page[] = []
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS })
  })
  afterAll(() => browser?.close())
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await takePictures(open, `${task.suite?.name ?? ''} ${task.name}`)
    await Promise.all(open.map((page) => page.context().close()))
    open = []
  })
  return {
    async newPage(options = {}) {
      const context = await browser.newContext(contextOptions(options))
      const page = await context.newPage()
      page.setDefaultTimeout(PATIENCE_MS)
      open.push(page)
      return page
    },
  }
}

function disabledFeatures(): string[] {
  // Two pages behind the address bar, which nobody sees and every window would load: a third of the time to open ours.
  const addressBar = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']
  // Chromium heeds the last list only, so what Playwright turns off is named again.
  const noise = [
    'GlobalMediaControls',
    'LensOverlay',
    'MediaRouter',
    'DialMediaRouteProvider',
    'Translate',
    'AimEnabled',
  ]
  const network = ['HttpsUpgrades', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'ThirdPartyStoragePartitioning']
  const interception = ['BlockOriginHeaderModificationOnRedirect', 'AvoidCorsURLLoaderRestartOnRedirect']
  const pages = ['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'PaintHolding']
  return [...addressBar, ...noise, ...network, ...interception, ...pages]
}

async function takePictures(pages: readonly Page[], what: string): Promise<void> {
  await mkdir(RESULTS, { recursive: true })
  const name = what.replaceAll(/[^\p{L}\p{N}]+/gu, '-')
  for (const [index, page] of pages.entries()) {
    await page.screenshot({ path: join(RESULTS, `${name}-${index + 1}.png`), fullPage: true })
  }
}

function contextOptions({ locale = 'zh-CN', colorScheme = 'light', viewport = DESKTOP, ...rest }: PageOptions) {
  // A click on a dialog that is still zooming in can miss.
  return { locale, colorScheme, viewport, ...rest, reducedMotion: 'reduce' } satisfies BrowserContextOptions
}
