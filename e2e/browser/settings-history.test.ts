import { readFile } from 'node:fs/promises'
import { api } from '@tidegate/contract'
import { addChannel, fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PHONE } from './browser.ts'
import { faultsOf, NONE } from './faults.ts'
import { startConsole } from './start-console.ts'

const console = startConsole()
let upstream: FakeUpstream
beforeAll(async () => {
  upstream = await fakeUpstream()
  await addChannel(console.site.client, upstream, { name: 'harbour', key: 'sk-never-in-clear-0123' })
  await set('SystemName', 'Harbour')
  await set('SystemName', 'Reef')
  await set('GroupRatio', '{"default":1,"crew":0.5}')
  await set('About', 'one\ntwo\nthree')
  await set('SMTPToken', 'hunter2-and-more')
})
afterAll(() => upstream.close())

const set = (key: string, value: string) => console.site.client.call(api.updateOption, { body: { key, value } })

async function optionOf(key: string): Promise<string | undefined> {
  const options = await console.site.client.call(api.listOptions)
  return options.find((option) => option.key === key)?.value
}

const entry = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('listitem').filter({ hasText: name }).first()

describe('the history of settings', () => {
  it('leads from a field back to what it was', async () => {
    const page = await console.captain()
    await page.goto('/admin/settings?tab=other')
    await page.getByRole('button', { name: '站点名称的修改历史' }).click()
    await entry(page, '站点名称').getByText('Harbour').waitFor()

    await page
      .getByRole('button', { name: /^恢复旧值：站点名称/ })
      .first()
      .click()
    await page.getByRole('button', { name: '恢复', exact: true }).click()

    await page.getByText('已恢复站点名称').waitFor()
    await entry(page, '恢复').waitFor()
    expect(await optionOf('SystemName')).toBe('Harbour')
    await page.getByRole('button', { name: '关闭', exact: true }).click()
    await expect.poll(() => page.getByLabel('站点名称', { exact: true }).inputValue()).toBe('Harbour')
  })

  it('has no fault on a phone in the dark, in English', async () => {
    const page = await console.captain({ viewport: PHONE, locale: 'en-US', colorScheme: 'dark' })

    const faults = await faultsOf(page, '/admin/settings?tab=ratelimit&panel=history', async () => {
      await entry(page, 'Group ratios').getByText('crew').waitFor()
      await entry(page, 'SMTPToken').getByText('cannot be set back').waitFor()
    })

    expect(faults).toEqual(NONE)
  })
})

describe('the configuration file', () => {
  const text = (page: Page, label: string) => page.getByLabel(label, { exact: true })

  it('holds the site, secrets sealed, and changes nothing when it comes back', async () => {
    const page = await console.captain()
    await page.goto('/admin/settings?tab=ratelimit')
    await page.getByRole('button', { name: '配置文件' }).click()
    await page.getByLabel('包含密钥（用口令加密）').check()
    await text(page, '加密口令').fill('low tide at noon')

    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: '下载配置文件' }).click()
    const yaml = await readFile(await (await download).path(), 'utf8')
    expect(yaml).toContain('name: harbour')
    expect(yaml).not.toMatch(/hunter2|never-in-clear/)
    await page.locator('input[type="file"]').setInputFiles({
      name: 'tidegate.yaml',
      mimeType: 'text/yaml',
      buffer: Buffer.from(yaml),
    })
    await text(page, '文件的加密口令').fill('low tide at noon')
    await page.getByRole('button', { name: '查看改动' }).click()

    await page.getByText('站点已经与文件一致，没有需要改动的地方').waitFor()
  })

  it('is put right by line, looked at and applied on a phone, without a fault', async () => {
    const page = await console.captain({ viewport: PHONE, locale: 'en-US' })
    const look = () => page.getByRole('button', { name: 'See the changes' }).click()

    const faults = await faultsOf(page, '/admin/settings?tab=ratelimit&panel=config', async () => {
      await text(page, 'What the file says').fill('tidegate: 1\noptions:\n  Footer: low tide\n  Tide: high\n')
      await look()
      await page.getByText('Line 4').waitFor()
      const channel = 'channels:\n  - {name: harbour, weight: 5}\n'
      await text(page, 'What the file says').fill(`tidegate: 1\noptions:\n  Footer: low tide\n${channel}`)
      await look()
      await page.getByText('2 to change').waitFor()
    })
    await page.getByRole('button', { name: 'Apply changes (2)' }).click()
    await page.getByRole('button', { name: 'Apply', exact: true }).click()
    await page.getByText('Changes applied: 2').waitFor()

    expect(faults).toEqual(NONE)
    expect(await optionOf('Footer')).toBe('low tide')
    const [channel] = await console.site.client.call(api.listChannels)
    expect(channel).toMatchObject({ name: 'harbour', weight: 5 })
  })
})
