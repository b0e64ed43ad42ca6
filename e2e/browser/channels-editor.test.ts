import { api } from '@tidegate/contract'
import { addChannel, fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { sql } from 'kysely'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PHONE } from './browser.ts'
import { openChannels, removeAllChannels, storedChannel, toastWith } from './channel-list.ts'
import { whereIs } from './console-page.ts'
import { startConsole } from './start-console.ts'
import { rowWith } from './table.ts'

const console = startConsole()
let upstream: FakeUpstream
beforeAll(async () => {
  upstream = await fakeUpstream({ models: ['vendor/one', 'vendor/two', 'vendor/three'] })
})
afterAll(() => upstream?.close())
beforeEach(() => removeAllChannels(console.site))

const add = (overrides: Parameters<typeof addChannel>[2]) => addChannel(console.site.client, upstream, overrides)
const createForm = (page: Page) => page.getByRole('dialog', { name: '添加渠道' })
const editForm = (page: Page) => page.getByRole('dialog', { name: /^编辑渠道/ })
const field = (form: Locator, label: string) => form.getByLabel(label, { exact: true })

describe('adding a channel', () => {
  it('opens from the left, 600 px wide, also at an address of its own', async () => {
    const page = await console.captain()
    await page.goto('/channel/add')
    await field(createForm(page), '名称').waitFor()

    await expect.poll(() => whereIs(page)).toBe('/admin/channels?drawer=create')
    await expect.poll(() => createForm(page).boundingBox()).toMatchObject({ x: 0, width: 600 })
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('name')
  })

  it('says what is missing, and goes to the first of it', async () => {
    const page = await console.captain()
    await openChannels(page, '?drawer=create')
    const form = createForm(page)
    await field(form, '密钥').fill('sk-a')

    await form.getByRole('button', { name: '添加', exact: true }).click()

    await form.getByText('请填写渠道名称和渠道密钥！').waitFor()
    await form.getByText('请至少选择一个模型！').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('name')
  })

  it('takes several keys, models of the vendor and an address that ends in /v1 after a question', async () => {
    const page = await console.captain()
    await openChannels(page, '?drawer=create')
    const form = createForm(page)
    await field(form, '名称').fill('harbour')
    await field(form, '接口地址').fill(`${upstream.url}/`)
    await field(form, '密钥').pressSequentially('sk-first-key-0000001,')
    await page.keyboard.type('sk-second-key-000002')
    await form.getByText('2 个密钥，轮流使用').waitFor()

    await form.getByRole('button', { name: '获取上游模型' }).click()
    const picker = page.getByRole('dialog', { name: '选择模型' })
    await picker.getByRole('checkbox', { name: 'vendor/two' }).check()
    await picker.getByRole('checkbox', { name: 'vendor/three' }).check()
    await picker.getByRole('button', { name: '确定（2 个）' }).click()
    await field(form, '接口地址').fill(`${upstream.url}/v1/`)
    await form.getByRole('button', { name: '添加', exact: true }).click()
    await page.getByRole('button', { name: '仍然使用' }).click()

    await rowWith(page, 'harbour').waitFor()
    await expect
      .poll(() => storedChannel(console.site, 'harbour'))
      .toMatchObject({
        base_url: `${upstream.url}/v1`,
        models: 'vendor/two,vendor/three',
        key_count: 2,
        group: 'default',
      })
  })

  it('offers the models of the type that is chosen', async () => {
    const page = await console.captain()
    await openChannels(page, '?drawer=create')
    const form = createForm(page)
    await field(form, '组织').waitFor()

    await field(form, '类型').fill('deep')
    await page.locator('.ant-select-dropdown:visible').getByTitle('DeepSeek').click()

    await form.getByTitle('deepseek-chat').waitFor()
    await expect.poll(() => field(form, '组织').count()).toBe(0)
    await expect.poll(() => field(form, '接口地址').getAttribute('placeholder')).toBe('https://api.deepseek.com')
  })

  it('does not lose what was entered: neither to the back button nor to Escape', async () => {
    const page = await console.captain()
    await openChannels(page)
    await page.getByRole('button', { name: '添加渠道' }).first().click()
    await field(createForm(page), '名称').fill('half done')

    await page.goBack()
    await page.getByRole('button', { name: '继续编辑' }).click()
    await expect.poll(() => field(createForm(page), '名称').inputValue()).toBe('half done')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: '放弃修改' }).click()

    await createForm(page).waitFor({ state: 'hidden' })
    await expect.poll(() => whereIs(page)).toBe('/admin/channels')
  })

  it('keeps JSON honest: where it breaks, tidied, with an example, and switches that write it', async () => {
    const page = await console.captain({ locale: 'en-US' })
    await openChannels(page, '?drawer=create')
    const form = page.getByRole('dialog', { name: 'Add channel' })
    const mapping = field(form, 'Model redirection')
    await mapping.fill('{"gpt-4o": }')
    await form.getByText(/line 1, column 12/).waitFor()
    await mapping.fill('{"gpt-4o":"gpt-4o-mini"}')
    await form.getByRole('button', { name: 'Format Model redirection' }).click()
    await expect.poll(() => mapping.inputValue()).toBe('{\n  "gpt-4o": "gpt-4o-mini"\n}')

    await form.getByRole('button', { name: 'Advanced' }).click()
    await field(form, 'Proxy').fill('socks5://127.0.0.1:1080')
    await form.getByRole('switch', { name: 'Thinking into content' }).click()
    await field(form, 'Upstream API').click()
    await page.locator('.ant-select-dropdown:visible').getByTitle('Responses').click()

    await expect
      .poll(async () => JSON.parse(await field(form, 'Extra settings').inputValue()) as unknown)
      .toEqual({ proxy: 'socks5://127.0.0.1:1080', thinking_to_content: true, openai_api: 'responses' })
  })
})

describe('editing a channel', () => {
  it('opens from the right, also at an address of its own, and saves', async () => {
    const { id } = await add({ name: 'harbour', setting: '{"force_format":true,"own":1}', priority: 3 })
    const page = await console.captain()
    await page.goto(`/channel/edit/${id}`)
    const form = editForm(page)
    await field(form, '名称').waitFor()
    await expect.poll(() => whereIs(page)).toBe(`/admin/channels?drawer=edit&id=${id}`)
    await expect.poll(() => form.boundingBox()).toMatchObject({ x: 1280 - 600, width: 600 })

    await field(form, '名称').fill('pier')
    await field(form, '权重').fill('5')
    await form.getByRole('switch', { name: '强制格式化' }).click()
    await form.getByRole('button', { name: '保存' }).click()

    await toastWith(page, '更新成功！').waitFor()
    await rowWith(page, 'pier').waitFor()
    const saved = (await storedChannel(console.site, 'pier'))!
    expect(saved).toMatchObject({ id, weight: 5, priority: 3 })
    expect(JSON.parse(saved.setting)).toEqual({ own: 1 })
  })

  it('shows its key only when asked, which leaves a trail, and lets one be added', async () => {
    const { id } = await add({ name: 'harbour', key: 'sk-the-one-and-only-1' })
    const page = await console.captain()
    await openChannels(page, `?drawer=edit&id=${id}`)
    const form = editForm(page)
    await expect.poll(() => field(form, '已保存的密钥').inputValue()).toBe('sk-t••••ly-1')

    await form.getByRole('button', { name: '显示密钥' }).click()
    await expect.poll(() => field(form, '已保存的密钥').inputValue()).toBe('sk-the-one-and-only-1')
    const trail = await sql<{ count: string }>`
      select count(*) from audit_event where action = 'channel.reveal' and subject = ${String(id)}
    `.execute(console.site.db)
    expect(Number(trail.rows[0]!.count)).toBe(1)

    await form.getByRole('button', { name: '更换密钥' }).click()
    await field(form, '密钥').press('End')
    await page.keyboard.type(',sk-another-one-00002')
    await form.getByRole('button', { name: '保存' }).click()
    await toastWith(page, '更新成功！').waitFor()
    const { keys } = await console.site.client.call(api.revealChannelKey, { path: { id } })
    expect(keys).toEqual(['sk-the-one-and-only-1', 'sk-another-one-00002'])
  })

  it('fetches models with what is stored', async () => {
    const { id } = await add({ name: 'harbour' })
    const page = await console.captain()
    await openChannels(page, `?drawer=edit&id=${id}`)

    await editForm(page).getByRole('button', { name: '获取上游模型' }).click()

    await page.getByRole('dialog', { name: '选择模型' }).getByRole('checkbox', { name: 'vendor/one' }).waitFor()
  })

  it('refuses in the words of the server, and stays open', async () => {
    const { id } = await add({ name: 'harbour' })
    const page = await console.captain()
    await openChannels(page, `?drawer=edit&id=${id}`)
    const form = editForm(page)
    await form.getByRole('button', { name: '高级设置' }).click()
    await field(form, '状态码复写').fill('{"404": "ok"}')

    await form.getByRole('button', { name: '保存' }).click()

    await toastWith(page, '状态码复写的每一项都必须是').waitFor()
    await expect.poll(() => field(form, '状态码复写').inputValue()).toBe('{"404": "ok"}')
  })

  it('says that a channel is gone', async () => {
    const page = await console.captain()
    await page.goto('/channel/edit/999999')

    await page.getByRole('heading', { name: '渠道未找到，请刷新页面后重试。' }).waitFor()
  })

  it('fills a phone from edge to edge', async () => {
    const { id } = await add({ name: 'harbour' })
    const page = await console.captain({ viewport: PHONE, locale: 'en-US', colorScheme: 'dark' })
    await openChannels(page, `?drawer=edit&id=${id}`)
    const form = page.getByRole('dialog', { name: 'Edit channel harbour' })
    await expect.poll(() => form.boundingBox()).toMatchObject({ x: 0, width: PHONE.width })

    await field(form, 'Name').fill('pier')
    await form.getByRole('button', { name: 'Save' }).click()

    await page.getByRole('article').filter({ hasText: 'pier' }).waitFor()
  })
})
