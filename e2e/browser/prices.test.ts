import { api } from '@tidegate/contract'
import { addChannel, addToken, fakeUpstream } from '@tidegate/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { currentPath } from './support/console-page.ts'
import { chat } from './support/dashboard-site.ts'
import { startConsole } from './support/start-console.ts'
import { rowWith } from './support/table.ts'

const ENGLISH = { locale: 'en-US' } as const

const console = startConsole()

/** Models of the bundled price list that no other file offers. */
const LISTED = 'gpt-4.1-nano'
const CARDED = 'gpt-4.1-mini'

it('edits prices in the table, imports a list, simulates, and charges the new price', async () => {
  const upstream = await fakeUpstream()
  onTestFinished(() => upstream.close())
  const { client } = console.site
  await console.setOption('ModelRatio', JSON.stringify({ [LISTED]: 9 }))
  await addChannel(client, upstream, { models: `${LISTED},tide-priced` })
  const { secret } = await addToken(client)
  await loggedRequest(secret, LISTED)
  const page = await console.admin(ENGLISH)
  await page.goto('/admin/settings?prices=unset') // an old link
  await expect.poll(() => currentPath(page)).toBe('/admin/prices?show=unpriced')

  await page.getByRole('button', { name: /^Input of tide-priced/ }).click()
  await page.getByRole('textbox', { name: 'Input of tide-priced' }).fill('0.6')
  await page.keyboard.press('Tab')
  await page.getByRole('textbox', { name: 'Output of tide-priced' }).fill('3.6')
  await page.keyboard.press('Enter')
  await rowWith(page, 'tide-priced').getByText('New').waitFor()

  await page.getByRole('button', { name: 'Import price list' }).click()
  const list = page.getByRole('dialog', { name: 'Import price list' })
  const listed = list.getByRole('row').filter({ hasText: LISTED })
  await expect.poll(() => listed.innerText()).toMatch(/Model ratio 9 → 0\.05/)
  await listed.getByRole('checkbox').click()
  await list.getByRole('button', { name: 'Add to draft' }).click()
  await rowWith(page, LISTED).getByText('Changed').waitFor()
  expect(await modelRatios()).toEqual({ [LISTED]: 9 })
  const bar = page.getByRole('region', { name: 'Unpublished changes' })
  await expect.poll(() => bar.innerText()).toMatch(/Last 7 days: \$.* less.*-99\.\d%/s)
  await bar.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()

  expect(await modelRatios()).toEqual({ [LISTED]: 0.05, 'tide-priced': 0.3 })
  const { prompt_tokens: input, completion_tokens: output, quota } = await loggedRequest(secret, 'tide-priced')
  expect(quota).toBe(Math.max(1, Math.round((input + output * 6) * 0.3)))
})

it('sets a rate card with a tier and a fee, which the public price page shows', async () => {
  const upstream = await fakeUpstream()
  onTestFinished(() => upstream.close())
  await console.setOption('ModelRates', '{}')
  await addChannel(console.site.client, upstream, { models: CARDED })
  const page = await console.admin(ENGLISH)
  await page.goto(`/admin/prices?keyword=${CARDED}`)
  const edit = async () => {
    await page.getByRole('button', { name: `Actions for ${CARDED}`, exact: true }).click()
    await page.getByRole('menuitem', { name: 'Edit price, tiers and fees' }).click()
  }
  await edit()
  const dialog = page.getByRole('dialog', { name: `Edit ${CARDED}` })
  await dialog.getByText('Rates', { exact: true }).click()
  await dialog.getByRole('button', { name: 'Use list price' }).click()
  await expect.poll(() => dialog.getByLabel('Input', { exact: true }).first().inputValue()).toBe('0.40')
  await dialog.getByLabel('Output', { exact: true }).first().fill('1.8')
  await dialog.getByRole('button', { name: 'Add tier' }).click()
  const tier = dialog.getByRole('group', { name: /^Tier/ }).last()
  await tier.getByLabel('Input above').fill('200000')
  await tier.getByLabel('Input', { exact: true }).fill('9')
  await tier.getByLabel('Output', { exact: true }).fill('32')
  await dialog.getByRole('button', { name: 'Add fee' }).click()
  await dialog.getByLabel('USD per unit').last().fill('0.033')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await rowWith(page, CARDED)
    .first()
    .getByText(/^(New|Changed)$/)
    .waitFor()
  await publish()

  const anonymous = await console.anonymous(ENGLISH)
  await anonymous.goto(`/pricing/${CARDED}`)
  const prices = anonymous.getByRole('region', { name: 'Tiers and fees' }).first()
  await expect.poll(() => prices.innerText()).toMatch(/input above 200,000 tokens[\s\S]*\$9\.000[\s\S]*\$0\.033/i)

  await edit()
  await dialog.getByRole('button', { name: 'Remove rate card' }).click()
  await publish()
  await expect.poll(() => optionOf('ModelRates')).toBe('{}')

  async function publish(): Promise<void> {
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
    await page.getByRole('region', { name: 'Unpublished changes' }).getByRole('button', { name: 'Publish' }).click()
    const confirm = page.locator('.ant-modal-confirm').getByRole('button', { name: 'Publish' })
    await Promise.race([saved, confirm.click()])
    await saved
  }
})

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
