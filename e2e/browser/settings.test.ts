import { readFile } from 'node:fs/promises'
import { api, OPTION_KEYS } from '@tidegate/contract'
import { addChannel } from '@tidegate/testing'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { storedChannel } from './support/lists.ts'
import { untilFocused, currentPath } from './support/console-page.ts'
import { startConsole } from './support/start-console.ts'

const ENGLISH = { locale: 'en-US' } as const

const console = startConsole()

describe('settings', () => {
  it('are saved for the whole console at once, restored from their history, and found by meaning', async () => {
    await console.setOption('SystemName', 'Harbour')
    const page = await console.admin(ENGLISH)
    await openSettings(page, '?tab=other')
    const name = page.getByLabel('Site name', { exact: true })
    await name.fill('Reef')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await optionOf('SystemName')).toBe('Reef')
    await page.getByRole('link', { name: 'Reef' }).first().waitFor()

    const history = page.getByRole('button', { name: 'History of Site name' })
    await history.click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('listitem').first().getByText('Harbour').waitFor()
    await drawer
      .getByRole('button', { name: /^Restore Site name from before/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await page.getByText('Site name restored').waitFor()
    expect(await optionOf('SystemName')).toBe('Harbour')
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await expect.poll(() => name.inputValue()).toBe('Harbour')
    await untilFocused(history) // the closed drawer returns the focus

    await page.keyboard.press('/')
    await page.keyboard.type('邮件服务器 密码') // finds an option by its text in another language
    await page.getByText('SMTPToken').click()
    await expect.poll(() => currentPath(page)).toBe('/admin/settings?tab=system')
    const found = page.locator('[data-option="SMTPToken"]')
    await found.waitFor()
    await expect.poll(() => found.evaluate((place) => place.getBoundingClientRect().top)).toBeLessThan(800)
  })

  it('have a field for every option of the contract', async () => {
    const page = await console.admin(ENGLISH)
    await openSettings(page, '?tab=operation')
    const fields = page.locator('[data-option]').filter({ visible: true })
    const keys = () => fields.evaluateAll((all) => all.map((field) => field.getAttribute('data-option')!))
    const shown = await keys()
    for (const name of ['Rate limits', 'Models', 'System', 'Other']) {
      const before = page.locator(`[data-option="${shown.at(-1)}"]`)
      await page.getByRole('tab', { name, exact: true }).click()
      await before.waitFor({ state: 'hidden' })
      await fields.first().waitFor()
      shown.push(...(await keys()))
    }

    // Prices and groups are on the prices page.
    for (const panel of ['json', 'fallback']) {
      await page.goto(`/admin/prices?panel=${panel}`)
      const prices = page.getByRole('dialog').locator('[data-option]')
      await prices.first().waitFor()
      for (const field of await prices.all()) shown.push((await field.getAttribute('data-option'))!)
    }

    // Virtual models have their own editor.
    expect([...new Set(shown)].toSorted()).toEqual(
      OPTION_KEYS.filter((key) => key !== 'global_model_mapping').toSorted(),
    )
  })

  it('are downloaded as a file with sealed secrets, and changed by one after a preview', async () => {
    await console.setOption('SMTPToken', 'hunter2-and-more')
    await console.setOption('Footer', 'high tide')
    const key = 'sk-never-in-clear-0123'
    await addChannel(console.site.client, { url: 'http://127.0.0.1:9' }, { name: 'settings-channel', key })
    const page = await console.admin(ENGLISH)
    await openSettings(page, '?tab=ratelimit')
    await page.getByRole('button', { name: 'Configuration file' }).click()
    await page.getByLabel('Include secrets, encrypted with a passphrase').check()
    await page.getByLabel('Passphrase', { exact: true }).fill('low tide at noon')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download file' }).click()
    const yaml = await readFile(await (await download).path(), 'utf8')
    expect(yaml).toContain('name: settings-channel')
    expect(yaml).not.toMatch(/hunter2|never-in-clear/)

    const channels = 'channels:\n  - {name: settings-channel, weight: 5}\n'
    const written = `tidegate: 1\noptions:\n  Footer: low tide\n${channels}`
    const file = { name: 'tidegate.yaml', mimeType: 'text/yaml', buffer: Buffer.from(written) }
    await page.locator('input[type="file"]').setInputFiles(file)
    await page.getByRole('button', { name: 'Review changes' }).click()
    await page.getByText('2 to change').waitFor()
    expect(await optionOf('Footer')).toBe('high tide')
    await page.getByRole('button', { name: 'Apply changes (2)' }).click()
    await page.getByRole('button', { name: 'Apply', exact: true }).click()
    await page.getByText('Changes applied: 2').waitFor()
    expect(await optionOf('Footer')).toBe('low tide')
    expect(await storedChannel(console.site, 'settings-channel')).toMatchObject({ weight: 5 })
  })
})

async function openSettings(page: Page, place: string): Promise<void> {
  await page.goto(`/admin/settings${place}`)
  await page.locator('[data-option]').first().waitFor()
}

async function optionOf(key: api.OptionKey): Promise<string | undefined> {
  const options = await console.site.client.call(api.listOptions)
  return options.find((option) => option.key === key)?.value
}
