import type { Page } from 'playwright-core'

/** Lets the page write to the clipboard, and the test read it. */
export async function allowClipboard(page: Page): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
}

export const clipboardText = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
