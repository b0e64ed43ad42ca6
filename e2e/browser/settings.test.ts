import { api, OPTION_KEYS } from '@tidegate/contract'
import { startMailbox, SUPER_ADMIN, type Mailbox } from '@tidegate/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PHONE } from './browser.ts'
import { logIn, whereIs } from './console-page.ts'
import { startConsole } from './start-console.ts'
import { addUser } from './user-list.ts'

const TABS = ['operation', 'ratelimit', 'models', 'system', 'other']

let mailbox: Mailbox
beforeAll(async () => {
  mailbox = await startMailbox()
})
afterAll(() => mailbox.close())

const console = startConsole()
beforeAll(() => addUser(console.site, 'mate', { role: 10 }))

async function openSettings(page: Page, place = ''): Promise<void> {
  await page.goto(`/admin/settings${place}`)
  await page.locator('[data-option]').first().waitFor()
}

async function optionOf(key: string): Promise<string | undefined> {
  const options = await console.site.client.call(api.listOptions)
  return options.find((option) => option.key === key)?.value
}

/** Runs in the page. */
function readOptions(options: Element[]) {
  return options.map((option) => ({
    key: option.getAttribute('data-option') ?? '',
    name: option.querySelector('label')?.textContent,
    help: option.querySelector('p, .ant-form-item-extra')?.textContent,
  }))
}

describe('the settings', () => {
  it('have every option of the site, with a name and a line of help in both languages', async () => {
    // Virtual models have an editor of their own.
    const expected = OPTION_KEYS.filter((key) => key !== 'global_model_mapping').toSorted()
    for (const locale of ['zh-CN', 'en-US'] as const) {
      const page = await console.captain({ locale })
      const shown = []
      for (const tab of TABS) {
        await openSettings(page, `?tab=${tab}`)
        shown.push(...(await page.locator('[data-option]').evaluateAll(readOptions)))
      }

      expect(shown.map(({ key }) => key).toSorted()).toEqual(expected)
      expect(shown.filter(({ name, help }) => !name || !help || `${name}${help}`.includes('options.'))).toEqual([])
    }
  })

  it('save what was changed, and are the same for the whole console at once', async () => {
    const page = await console.captain()
    await openSettings(page, '?tab=other')

    await page.getByLabel('站点名称').fill('Harbour')
    await page.getByRole('button', { name: '保存名称与图标' }).click()

    await page.getByText('保存成功').waitFor()
    expect(await optionOf('SystemName')).toBe('Harbour')
    await page.getByRole('link', { name: 'Harbour' }).first().waitFor()
  })

  it('are found by what they mean, in another language too', async () => {
    const page = await console.captain()
    await openSettings(page)
    await page.keyboard.press('/')
    await page.keyboard.type('mail server password')

    await page.getByText('SMTPToken').click()

    await expect.poll(() => whereIs(page)).toBe('/admin/settings?tab=system')
    await page.locator('[data-option="SMTPToken"]').waitFor()
    await expect
      .poll(() => page.locator('[data-option="SMTPToken"]').evaluate((place) => place.getBoundingClientRect().top))
      .toBeLessThan(800)
  })

  it('try the mail server that was just entered', async () => {
    const page = await console.captain()
    await openSettings(page, '?tab=system')
    await page.getByLabel('SMTP 服务器').fill('127.0.0.1')
    await page.getByLabel('SMTP 端口').fill(String(mailbox.port))
    await page.getByLabel('发件人地址').fill('gate@reef.example')
    await page.getByRole('button', { name: '保存邮件服务器' }).click()
    await page.getByText('保存成功').waitFor()

    await page.getByLabel('收件人').fill('captain@reef.example')
    await page.getByRole('button', { name: '发送测试邮件' }).click()

    await page.getByText('测试邮件已发送到 captain@reef.example，请查收').waitFor()
    expect((await mailbox.mailTo('captain@reef.example')).subject).toContain('测试邮件')
  })

  it('keep a change from getting lost on a phone', async () => {
    const page = await console.captain({ viewport: PHONE, locale: 'en-US' })
    await openSettings(page, '?tab=ratelimit')
    await page.getByLabel('Calls per window', { exact: true }).fill('-5')
    await page.getByRole('button', { name: 'Save Limit of model calls' }).click()
    await page.getByText('Must be 0 or more').waitFor()

    await page.getByRole('tab', { name: 'Models' }).click()
    await page.getByRole('button', { name: 'Keep editing' }).click()

    expect(whereIs(page)).toBe('/admin/settings?tab=ratelimit')
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  })
})

it('an administrator gets the model mapping and is told about the rest', async () => {
  const page = await console.visitor()
  await logIn(page, { username: 'mate', password: SUPER_ADMIN.password })

  await page.goto('/admin/settings')

  await page.getByText('站点设置由超级管理员管理').waitFor()
  await page.getByRole('heading', { name: '模型映射' }).waitFor()
  expect(await page.locator('[data-option]').count()).toBe(0)
})
