import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterEach } from 'vitest'
import { sharedChromium } from './chromium.ts'
import { type Locale, type StorageState, WarmProfile } from './warm-profile.ts'

export type { StorageState } from './warm-profile.ts'

const RESULTS = join(import.meta.dirname, '../../../test-results')
/** A screen that takes longer has failed; the test's own limit would only say that time was up. */
const PATIENCE_MS = 30_000

export interface PageOptions {
  locale?: Locale
  colorScheme?: 'light' | 'dark'
  viewport?: { width: number; height: number }
  baseURL?: string
  /** Cookies and stored items to begin with, as another page left them. */
  storageState?: StorageState
}

export const PHONE = { width: 360, height: 740 }
export const DESKTOP = { width: 1280, height: 800 }

export interface Pages {
  newPage(options: PageOptions & { baseURL: string }): Promise<Page>
}

/** Emptied profiles by address and locale. Files share them: a profile that has loaded a site opens it much faster. */
const idle = new Map<string, WarmProfile[]>()

/** Closes the idle profiles of a site that ends. */
export async function closeProfiles(port: number): Promise<void> {
  const ended = [...idle].filter(([kind]) => kind.includes(`:${port} `))
  for (const [kind] of ended) idle.delete(kind)
  await Promise.all(ended.flatMap(([, profiles]) => profiles.map((profile) => profile.close())))
}

/**
 * Pages for the tests of a file. Each page is of another person and sees nothing of the pages before it. A test that
 * fails leaves a screenshot of every page in test-results.
 */
export function useBrowser(): Pages {
  let open: { page: Page; profile: WarmProfile; kind: string }[] = []
  afterEach(async ({ task }) => {
    const used = open
    open = []
    if (task.result?.state === 'fail') {
      const pages = used.map(({ page }) => page)
      await takeScreenshots(pages, `${task.suite?.name ?? ''} ${task.name}`)
      // They may still be doing something: their profiles are not used again.
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
      page.setDefaultTimeout(PATIENCE_MS)
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
