import { api } from '@tidegate/contract'
import { addChannel, addToken, fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { chat } from './dashboard-site.ts'
import { faultsOf, NONE } from './faults.ts'
import { startConsole } from './start-console.ts'
import { rowWith } from './table.ts'

const PHONE = { width: 390, height: 844 }
const QUOTA_PER_DOLLAR = 500_000
/** In the bundled list at another price than this site asks. */
const LISTED = 'gpt-4o-mini'
const OWN_RATIO = 9

const console = startConsole({ provesBooks: true })
let upstream: FakeUpstream
let secret: string
beforeAll(async () => {
  upstream = await fakeUpstream()
  const { client } = console.site
  await client.call(api.updateOption, { body: { key: 'ModelRatio', value: JSON.stringify({ [LISTED]: OWN_RATIO }) } })
  await addChannel(client, upstream, { models: `${LISTED},reef-one,reef-two,reef-three` })
  secret = (await addToken(client)).secret
})
afterAll(() => upstream?.close())

describe('prices', () => {
  it('are entered by the million tokens, and the next call is billed by them', async () => {
    const page = await console.captain()
    const section = await openPrices(page, 'visual')

    await section.getByRole('button', { name: '添加模型' }).click()
    const dialog = page.getByRole('dialog', { name: '添加模型' })
    await dialog.getByLabel('模型名称').fill('reef-one')
    await dialog.getByRole('radio', { name: '每百万 token 价格' }).click()
    await dialog.getByLabel('输入价格', { exact: true }).fill('0.6')
    await dialog.getByLabel('输出价格').fill('dear')
    await dialog.getByRole('button', { name: '应用' }).click()
    await dialog.getByText('请输入数字').waitFor()
    await dialog.getByLabel('输出价格').fill('3.6')
    await dialog.getByRole('button', { name: '应用' }).click()
    await rowWith(page, 'reef-one').getByText('新增').waitFor()
    await section.getByRole('button', { name: '保存模型价格' }).click()
    await page.getByText('保存成功').waitFor()

    expect(await optionOf('ModelRatio')).toEqual({ [LISTED]: OWN_RATIO, 'reef-one': 0.3 })
    const { prompt_tokens: input, completion_tokens: output, quota } = await billed('reef-one')
    expect(quota).toBe(Math.max(1, Math.round((input + output * 6) * 0.3)))
  })

  it('are given to models that have none, several at once and for each call, on a phone and in English', async () => {
    const page = await console.captain({ viewport: PHONE, locale: 'en-US' })
    const section = await openPrices(page, 'unset')
    await section.getByRole('button', { name: 'Set several' }).click()
    await page.getByText('Select the models to set first').waitFor()

    await section.getByRole('checkbox', { name: 'Select reef-two' }).click()
    await section.getByRole('checkbox', { name: 'Select reef-three' }).click()
    await section.getByRole('button', { name: 'Set several (2)' }).click()
    const dialog = page.getByRole('dialog', { name: 'Models to set: 2' })
    await dialog.getByText('Per call').click()
    await dialog.getByLabel('Price of a call').fill('0.02')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await section.getByRole('button', { name: 'Save Model prices' }).click()

    await section.getByRole('checkbox', { name: 'Select reef-three' }).waitFor({ state: 'detached' })
    expect(await optionOf('ModelPrice')).toMatchObject({ 'reef-two': 0.02, 'reef-three': 0.02 })
    expect((await billed('reef-three')).quota).toBe(0.02 * QUOTA_PER_DOLLAR)
  })

  it('come from a list after a look at what differs, and are tried on the last week before they are saved', async () => {
    await billed(LISTED)
    const page = await console.captain()
    const section = await openPrices(page, 'visual')

    await section.getByRole('button', { name: '从价目表填入' }).click()
    const list = page.getByRole('dialog', { name: '从价目表填入' })
    const row = list.getByRole('row').filter({ hasText: LISTED })
    await expect.poll(() => row.innerText()).toMatch(/模型倍率 9 → 0\.075/)
    await row.getByRole('checkbox').click()
    await list.getByRole('button', { name: '放入编辑器' }).click()
    await rowWith(page, LISTED).getByText('已修改').waitFor()
    expect(await optionOf('ModelRatio')).toHaveProperty(LISTED, OWN_RATIO)

    await section.getByRole('button', { name: '试算近 7 天' }).click()
    const trial = page.getByRole('dialog', { name: /^试算/ })
    await expect.poll(() => trial.getByRole('row').filter({ hasText: LISTED }).innerText()).toMatch(/减少 \$.*-99\.\d%/)
    await page.keyboard.press('Escape')
    await trial.waitFor({ state: 'hidden' })
    await section.getByRole('button', { name: '保存模型价格' }).click()

    await page.getByText('保存成功').waitFor()
    expect(await optionOf('ModelRatio')).toHaveProperty(LISTED, 0.075)
  })
})

it.each([
  { width: 390, colorScheme: 'light', locale: 'en-US' },
  { width: 1440, colorScheme: 'dark', locale: 'zh-CN' },
] as const)('they have no fault at $width px, $colorScheme, $locale', async ({ width, ...preferences }) => {
  const page = await console.captain({ viewport: { width, height: 900 }, ...preferences })
  const openList = async () => {
    await page.getByRole('button', { name: /^(从价目表填入|Fill in from a price list)$/ }).click()
    await page
      .getByRole('dialog')
      .getByText(/2026\./)
      .waitFor()
  }

  expect(await faultsOf(page, '/admin/settings?prices=visual')).toEqual(NONE)
  expect(await faultsOf(page, '/admin/settings?prices=visual&show=conflict', openList)).toEqual(NONE)
})

async function openPrices(page: Page, view: 'visual' | 'unset'): Promise<Locator> {
  await page.goto(`/admin/settings?prices=${view}`)
  const section = page.locator('#setting-prices')
  await section.getByRole('button', { name: /^(保存模型价格|Save Model prices)$/ }).waitFor()
  return section
}

async function optionOf(key: api.OptionKey): Promise<unknown> {
  const options = await console.site.client.call(api.listOptions)
  return JSON.parse(options.find((option) => option.key === key)!.value)
}

/** Calls the model through the gateway; what the log says of it. */
async function billed(model: string): Promise<api.UsageLog> {
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
