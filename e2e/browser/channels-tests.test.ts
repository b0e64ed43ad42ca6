import { addChannel, fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PHONE } from './browser.ts'
import { chooseFrom, openChannels, removeAllChannels, storedChannel, toastWith } from './channel-list.ts'
import { startConsole } from './start-console.ts'
import { cellUnder, rowWith } from './table.ts'

const console = startConsole()
let upstream: FakeUpstream
beforeAll(async () => {
  upstream = await fakeUpstream()
})
afterAll(() => upstream?.close())
beforeEach(async () => {
  upstream.reset()
  await removeAllChannels(console.site)
})

const add = (overrides: Parameters<typeof addChannel>[2]) => addChannel(console.site.client, upstream, overrides)
const isFor = (model: string) => (request: { body: unknown }) => (request.body as { model?: string }).model === model

describe('testing one channel', () => {
  it('says how it went, with the model of its choice or of the menu', async () => {
    await add({ name: 'harbour', models: 'gpt-4o,gpt-4o-mini' })
    const page = await console.captain()
    await openChannels(page)
    const row = rowWith(page, 'harbour')
    await expect.poll(async () => (await cellUnder(row, '响应时间')).innerText()).toBe('未测试')

    await page.getByRole('button', { name: '测试 harbour', exact: true }).click()
    await toastWith(page, '渠道 harbour 测试成功，模型 gpt-4o，').waitFor()
    await chooseFrom(page.getByRole('button', { name: '选择测试 harbour 的模型' }), 'gpt-4o-mini')
    await toastWith(page, '渠道 harbour 测试成功，模型 gpt-4o-mini，').waitFor()

    await expect.poll(async () => (await cellUnder(row, '响应时间')).innerText()).toMatch(/^\d+\.\d\d 秒$/)
  })

  it('says in the words of the vendor why it failed', async () => {
    await add({ name: 'harbour' })
    upstream.always({ status: 401, body: { error: { message: 'Incorrect API key provided.' } } })
    const page = await console.captain({ locale: 'en-US' })
    await openChannels(page)

    await page.getByRole('button', { name: 'Test harbour', exact: true }).click()

    await toastWith(page, /Channel harbour failed: .*Incorrect API key provided/).waitFor()
  })
})

describe('testing the models of a channel', () => {
  it('shows each result, and deletes what failed, but never everything', async () => {
    await add({ name: 'harbour', models: 'good-one,bad-one,bad-two' })
    upstream.when(isFor('bad-one'), { status: 404, body: { error: { message: 'The model does not exist' } } })
    upstream.when(isFor('bad-two'), { status: 404, body: { error: { message: 'The model does not exist' } } })
    const page = await console.captain()
    await openChannels(page)
    await chooseFrom(page.getByRole('button', { name: '选择测试 harbour 的模型' }), '测试全部模型…')
    const dialog = page.getByRole('dialog', { name: '测试 harbour 的模型' })

    await dialog.getByRole('button', { name: '测试全部 3 个' }).click()
    await toastWith(page, '3 个模型测试完成').waitFor()
    const bad = dialog.getByRole('listitem').filter({ hasText: 'bad-one' })
    await expect.poll(() => bad.innerText()).toContain('The model does not exist')
    await expect.poll(() => dialog.getByRole('listitem').filter({ hasText: 'good-one' }).innerText()).toContain('通过')

    await page.reload()
    await expect.poll(() => bad.innerText()).toContain('The model does not exist') // results stay for a day
    await dialog.getByRole('button', { name: '删除失败的 2 个' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '删除', exact: true }).click()
    await bad.waitFor({ state: 'detached' })
    await expect.poll(() => storedChannel(console.site, 'harbour')).toMatchObject({ models: 'good-one' })

    upstream.always({ status: 404, body: { error: { message: 'The model does not exist' } } })
    await dialog.getByRole('button', { name: '测试模型 good-one' }).click()
    await dialog.getByRole('button', { name: '删除失败的 1 个' }).click()
    await toastWith(page, '不能删除所有模型').waitFor()
    expect(await storedChannel(console.site, 'harbour')).toMatchObject({ models: 'good-one' })
  })

  it('tries again what may pass', async () => {
    await add({ name: 'harbour', models: 'flaky,steady' })
    upstream.when(isFor('flaky'), { status: 503, body: { error: { message: 'overloaded' } } }, {})
    const page = await console.captain()
    const channel = (await storedChannel(console.site, 'harbour'))!
    await openChannels(page, `?drawer=test&id=${channel.id}`)
    const dialog = page.getByRole('dialog', { name: '测试 harbour 的模型' })

    await dialog.getByRole('button', { name: '测试全部 2 个' }).click()

    await toastWith(page, '2 个模型测试完成').waitFor()
    await expect.poll(() => dialog.getByRole('listitem').filter({ hasText: 'flaky' }).innerText()).toContain('通过')
  })

  it('can be called off, which is no error and ends the call at the vendor', async () => {
    await add({ name: 'harbour', models: 'slow-one,slow-two' })
    upstream.always({ hang: true })
    const page = await console.captain({ viewport: PHONE, locale: 'en-US' })
    const channel = (await storedChannel(console.site, 'harbour'))!
    await openChannels(page, `?drawer=test&id=${channel.id}`)
    const dialog = page.getByRole('dialog', { name: 'Test the models of harbour' })

    await dialog.getByRole('button', { name: 'Test all 2' }).click()
    const progress = dialog.getByRole('region', { name: 'Testing' })
    await progress.getByText('0 / 2').waitFor()
    await upstream.received(2)
    await progress.getByRole('button', { name: 'Cancel' }).click()

    await toastWith(page, 'The test was cancelled').waitFor()
    await expect.poll(() => upstream.requests.every(({ abortedAt }) => abortedAt !== undefined)).toBe(true)
    expect(await page.locator('.ant-message-error').count()).toBe(0)
  })
})

describe('testing all channels', () => {
  it('shows how far it is and can be ended', async () => {
    for (const name of ['one', 'two', 'three', 'four', 'five', 'six']) await add({ name })
    upstream.always({ hang: true })
    const page = await console.captain()
    await openChannels(page)

    await chooseFrom(page.getByRole('button', { name: '批量操作' }), '测试所有已启用的渠道')
    const progress = page.getByRole('region', { name: '正在测试渠道' })
    await progress.getByText('0 / 6').waitFor()
    await progress.getByRole('button', { name: '取消' }).click()

    await toastWith(page, '渠道测试已取消').waitFor()
    await progress.waitFor({ state: 'detached' })
  })

  it('tells how it went when it is through', async () => {
    await add({ name: 'one' })
    await add({ name: 'two' })
    upstream.always({ headersAfterMs: 1500 })
    const page = await console.captain()
    await openChannels(page)

    await chooseFrom(page.getByRole('button', { name: '批量操作' }), '测试所有已启用的渠道')

    await toastWith(page, '渠道测试完成：2 个，0 个未通过').waitFor({ timeout: 30_000 })
    await expect.poll(async () => (await cellUnder(rowWith(page, 'one'), '响应时间')).innerText()).toMatch(/秒/)
  })
})
