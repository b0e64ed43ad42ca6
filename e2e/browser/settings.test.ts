import { readFile } from 'node:fs/promises'
import { api, OPTION_KEYS } from '@tidegate/contract'
import { addChannel, addToken, fakeUpstream } from '@tidegate/testing'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { storedChannel } from './support/lists.ts'
import { untilFocused, currentPath } from './support/console-page.ts'
import { chat } from './support/dashboard-site.ts'
import { startConsole } from './support/start-console.ts'
import { rowWith } from './support/table.ts'

const ENGLISH = { locale: 'en-US' } as const

const console = startConsole()

describe('settings', () => {
  it('are saved for the whole console at once, restored from their history, and found by meaning', async () => {
    await console.setOption('SystemName', 'Harbour')
    const page = await console.admin(ENGLISH)
    await openSettings(page, '?tab=other')
    const name = page.getByLabel('Site name', { exact: true })
    await name.fill('Reef')
    await page.getByRole('button', { name: 'Save Name and logo' }).click()
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

    // Virtual models have their own editor.
    expect(shown.toSorted()).toEqual(OPTION_KEYS.filter((key) => key !== 'global_model_mapping').toSorted())
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

describe('model prices', () => {
  /** A model of the bundled price list that no other file offers. */
  const LISTED = 'gpt-4.1-nano'
  const CARDED = 'gpt-4.1-mini'

  it('are entered per million tokens, filled in from a list, simulated, and charged for the next request', async () => {
    const upstream = await fakeUpstream()
    onTestFinished(() => upstream.close())
    const { client } = console.site
    await console.setOption('ModelRatio', JSON.stringify({ [LISTED]: 9 }))
    await addChannel(client, upstream, { models: `${LISTED},settings-priced` })
    const { secret } = await addToken(client)
    await loggedRequest(secret, LISTED)
    const page = await console.admin(ENGLISH)
    await openSettings(page, '?prices=visual')
    const section = page.locator('#setting-prices')
    await section.getByRole('button', { name: 'Add model' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add model' })
    await dialog.getByLabel('Model name').fill('settings-priced')
    await dialog.getByRole('radio', { name: 'Prices per 1M tokens' }).click()
    await dialog.getByLabel('Input price', { exact: true }).fill('0.6')
    await dialog.getByLabel('Output price').fill('3.6')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await rowWith(page, 'settings-priced').getByText('New').waitFor()

    await section.getByRole('button', { name: 'Import price list' }).click()
    const list = page.getByRole('dialog', { name: 'Import price list' })
    const listed = list.getByRole('row').filter({ hasText: LISTED })
    await expect.poll(() => listed.innerText()).toMatch(/Model ratio 9 → 0\.05/)
    await listed.getByRole('checkbox').click()
    await list.getByRole('button', { name: 'Add to draft' }).click()
    await rowWith(page, LISTED).getByText('Changed').waitFor()
    expect(await modelRatios()).toEqual({ [LISTED]: 9 })
    await section.getByRole('button', { name: 'Simulate the last 7 days' }).click()
    const simulation = page.getByRole('dialog', { name: 'Cost of the last 7 days' })
    await expect
      .poll(() => simulation.getByRole('row').filter({ hasText: LISTED }).innerText())
      .toMatch(/\$.* less.*-99\.\d%/s)
    await page.keyboard.press('Escape')
    await simulation.waitFor({ state: 'hidden' })
    await section.getByRole('button', { name: 'Save Model prices' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()

    expect(await modelRatios()).toEqual({ [LISTED]: 0.05, 'settings-priced': 0.3 })
    const { prompt_tokens: input, completion_tokens: output, quota } = await loggedRequest(secret, 'settings-priced')
    expect(quota).toBe(Math.max(1, Math.round((input + output * 6) * 0.3)))
  })

  it('can be a rate card with a tier and a fee, which the public price page shows', async () => {
    const upstream = await fakeUpstream()
    onTestFinished(() => upstream.close())
    const { client } = console.site
    await console.setOption('ModelRates', '{}')
    await addChannel(client, upstream, { models: CARDED })
    const { secret } = await addToken(client)
    await loggedRequest(secret, CARDED)
    const page = await console.admin(ENGLISH)
    await openSettings(page, `?prices=visual&keyword=${CARDED}`)
    const section = page.locator('#setting-prices')
    const edit = section.getByRole('button', { name: `Edit ${CARDED}`, exact: true })
    await edit.click()
    const dialog = page.getByRole('dialog', { name: `Edit ${CARDED}` })
    await dialog.getByText('Rates', { exact: true }).click()
    await dialog.getByRole('button', { name: 'Use list price' }).click()
    await expect.poll(() => dialog.getByLabel('Input', { exact: true }).first().inputValue()).toBe('0.4')
    await dialog.getByLabel('Output', { exact: true }).first().fill('16')
    await dialog.getByRole('button', { name: 'Add tier' }).click()
    const tier = dialog.getByRole('group', { name: /^Tier/ }).last()
    await tier.getByLabel('Input above').fill('200000')
    await tier.getByLabel('Input', { exact: true }).fill('9')
    await tier.getByLabel('Output', { exact: true }).fill('32')
    await dialog.getByRole('button', { name: 'Add fee' }).click()
    await dialog.getByLabel('USD per unit').last().fill('0.033')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await rowWith(page, CARDED).first().getByText('Changed').waitFor()

    await section.getByRole('button', { name: 'Simulate the last 7 days' }).click()
    const simulation = page.getByRole('dialog', { name: 'Cost of the last 7 days' })
    await expect.poll(() => simulation.getByRole('row').filter({ hasText: CARDED }).innerText()).toMatch(/\$.* more/s)
    await page.keyboard.press('Escape')
    await simulation.waitFor({ state: 'hidden' })
    await section.getByRole('button', { name: 'Save Model prices' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()

    const anonymous = await console.anonymous(ENGLISH)
    await anonymous.goto(`/pricing/${CARDED}`)
    const prices = anonymous.getByRole('region', { name: 'Tiers and fees' }).first()
    await expect.poll(() => prices.innerText()).toMatch(/input above 200,000 tokens[\s\S]*\$9\.000[\s\S]*\$0\.033/)

    await edit.click()
    await dialog.getByRole('button', { name: 'Remove rate card' }).click()
    await section.getByRole('button', { name: 'Save Model prices' }).click()
    await expect.poll(() => optionOf('ModelRates')).toBe('{}')
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

const modelRatios = async () => JSON.parse((await optionOf('ModelRatio'))!) as Record<string, number>

/** Sends a request for a model that was not used before, and returns its row in the usage log. */
async function loggedRequest(secret: string, model: string): Promise<api.UsageLog> {
  await chat(console.site, secret, model)
  return await vi.waitFor(
    async () => {
      const { items } = await console.site.client.call(api.listLogs, { query: { model_name: model } })
      expect(items).toHaveLength(1)
      return items[0]!
    },
    { timeout: 15_000 },
  )
}
