import { api } from '@tidegate/contract'
import { addChannel, fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PHONE } from './support/browser.ts'
import { chooseFrom, openChannels, storedChannel, toastWith } from './support/lists.ts'
import { untilFocused, currentPath } from './support/console-page.ts'
import { startConsole } from './support/start-console.ts'
import { rowWith } from './support/table.ts'

const ENGLISH = { locale: 'en-US' } as const

const console = startConsole()
let upstream: FakeUpstream
beforeAll(async () => {
  upstream = await fakeUpstream({ models: ['lab/one', 'lab/two', 'lab/three'] })
})
afterAll(() => upstream?.close())
beforeEach(() => upstream.reset())

const add = (overrides: Parameters<typeof addChannel>[2]) => addChannel(console.site.client, upstream, overrides)
const findChannel = (name: string) => storedChannel(console.site, name)
const field = (form: Locator, label: string) => form.getByLabel(label, { exact: true })

describe('one channel', () => {
  it('is created, found, edited, copied and deleted', async () => {
    const page = await console.admin()
    await page.goto('/channel/add')
    const created = page.getByRole('dialog', { name: '添加渠道' })
    await untilFocused(field(created, '密钥'))
    await expect.poll(() => currentPath(page)).toBe('/admin/channels?drawer=create')
    await expect.poll(() => created.boundingBox()).toMatchObject({ x: 0, width: 600 })
    await field(created, '名称').fill('anchorage')
    await created.getByRole('button', { name: '高级设置' }).click()
    await field(created, '接口地址').fill(`${upstream.url}/`)
    await field(created, '密钥').pressSequentially('sk-first-key-0000001,')
    await page.keyboard.type('sk-second-key-000002') // the field for several keys got the focus
    await created.getByText('2 个密钥，轮流使用').waitFor()
    await created.getByText('已获取 3 个模型').waitFor() // by itself, after the key was entered
    await created.getByRole('button', { name: '获取上游模型' }).click()
    const picker = page.getByRole('dialog', { name: '选择模型' })
    await picker.getByRole('checkbox', { name: 'lab/one' }).uncheck()
    await picker.getByRole('button', { name: '确定（2 个）' }).click()
    await field(created, '接口地址').fill(`${upstream.url}/v1/`)
    // The test with the new address may have failed by now.
    await created.getByRole('button', { name: /^(添加|仍然添加（禁用）)$/ }).click()
    await page.getByRole('button', { name: '仍然使用' }).click()
    await created.waitFor({ state: 'hidden' })
    const channel = (await findChannel('anchorage'))!
    expect(channel).toMatchObject({ base_url: `${upstream.url}/v1`, models: 'lab/two,lab/three', key_count: 2 })

    await page.getByRole('textbox', { name: 'ID、名称或密钥' }).fill('anchorage')
    await page.keyboard.press('Enter')
    await expect.poll(() => currentPath(page)).toBe('/admin/channels?keyword=anchorage')
    await page.getByRole('button', { name: 'anchorage', exact: true }).click()
    const panel = page.getByRole('complementary', { name: '渠道 anchorage' })
    await expect.poll(() => currentPath(page)).toBe(`/admin/channels?keyword=anchorage&panel=${channel.id}`)
    await panel.getByRole('tab', { name: '密钥' }).click()
    await panel.getByRole('button', { name: /^禁用密钥 sk-f/ }).click()
    await panel.getByText('密钥 1/2').waitFor()
    await panel.getByRole('button', { name: '关闭' }).click()

    await page.goto(`/channel/edit/${channel.id}`)
    const edited = page.getByRole('dialog', { name: /^编辑渠道/ })
    await expect.poll(() => edited.boundingBox()).toMatchObject({ x: 680, width: 600 })
    await field(edited, '权重').fill('5')
    await edited.getByRole('button', { name: '保存' }).click()
    await toastWith(page, '更新成功！').waitFor()
    await openChannels(page, '?keyword=anchorage')
    await page.getByRole('button', { name: 'anchorage 的优先级: 0' }).click()
    await untilFocused(page.getByRole('textbox', { name: 'anchorage 的优先级' }))
    await page.keyboard.type('-12')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'anchorage 的优先级: -12' }).waitFor()
    expect(await findChannel('anchorage')).toMatchObject({ id: channel.id, weight: 5, priority: -12 })

    await chooseFrom(page.getByRole('button', { name: 'anchorage 的更多操作' }), '复制')
    await rowWith(page, 'anchorage_复制').waitFor()
    const copy = (await findChannel('anchorage_复制'))!
    const { keys } = await console.site.client.call(api.revealChannelKey, { path: { id: copy.id } })
    expect(keys).toEqual(['sk-first-key-0000001', 'sk-second-key-000002'])
    await chooseFrom(page.getByRole('button', { name: 'anchorage_复制 的更多操作' }), '删除')
    await page.getByRole('dialog').getByRole('button', { name: '删除' }).click()
    await rowWith(page, 'anchorage_复制').waitFor({ state: 'detached' })
    expect(await findChannel('anchorage_复制')).toBeUndefined()
  })

  it('keeps the entered values when the back button or Escape would close the form', async () => {
    const page = await console.admin(ENGLISH)
    await openChannels(page)
    await page.getByRole('button', { name: 'Add channel' }).first().click()
    const form = page.getByRole('dialog', { name: 'Add channel' })
    await field(form, 'Name').fill('half done')

    await page.goBack()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await expect.poll(() => field(form, 'Name').inputValue()).toBe('half done')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard' }).click()

    await form.waitFor({ state: 'hidden' })
    await expect.poll(() => currentPath(page)).toBe('/admin/channels')
  })

  it('is tested with one model, with all models, and the test can be cancelled', async () => {
    const models = { good: 'dock-good', missing: 'dock-missing', slow: 'dock-slow' }
    await add({ name: 'dock', models: Object.values(models).join() })
    upstream.when(isFor(models.missing), { status: 404, body: { error: { message: 'The model does not exist' } } })
    const page = await console.admin(ENGLISH)
    await openChannels(page, '?keyword=dock')
    await rowWith(page, 'dock').hover()
    await page.getByRole('button', { name: 'Test dock', exact: true }).click()
    await toastWith(page, /^dock OK \(dock-good, \d/).waitFor()

    await chooseFrom(page.getByRole('button', { name: 'More actions for dock' }), 'Test all models…')
    const dialog = page.getByRole('dialog', { name: 'Test models of dock' })
    await dialog.getByRole('button', { name: 'Test all (3)' }).click()
    await toastWith(page, 'Models tested: 3').waitFor()
    const missing = dialog.getByRole('listitem').filter({ hasText: models.missing })
    await missing.getByText('The model does not exist').waitFor()
    await dialog.getByRole('button', { name: 'Delete failed (1)' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await missing.waitFor({ state: 'detached' })
    expect(await findChannel('dock')).toMatchObject({ models: `${models.good},${models.slow}` })

    upstream.reset()
    upstream.always({ hang: true })
    await dialog.getByRole('button', { name: 'Test all (2)' }).click()
    await upstream.received(2)
    await dialog.getByRole('region', { name: 'Testing' }).getByRole('button', { name: 'Cancel' }).click()
    await toastWith(page, 'Test cancelled').waitFor()
    await expect.poll(() => upstream.requests.every(({ abortedAt }) => abortedAt !== undefined)).toBe(true)
  })
})

describe('many channels', () => {
  it('are filtered by type and tags in the address, which the back button follows', async () => {
    await add({ name: 'shoal-one', tag: 'shoal-main' })
    await add({ name: 'shoal-two', tag: 'shoal-spare' })
    await add({ name: 'shoal-three', tag: 'shoal-main', type: 14 })
    const page = await console.admin(ENGLISH)
    await openChannels(page, '?keyword=shoal')
    await page.getByRole('search').getByRole('button', { name: 'Filters' }).click()
    await choose(page, 'Tags', ['shoal-main', 'shoal-spare'])
    await rowWith(page, 'shoal-three').waitFor()
    await choose(page, 'Type', ['OpenAI'])
    await rowWith(page, 'shoal-three').waitFor({ state: 'detached' })
    await rowWith(page, 'shoal-two').waitFor()
    const filtered = '/admin/channels?keyword=shoal&tags=shoal-main%2Cshoal-spare'
    await expect.poll(() => currentPath(page)).toBe(`${filtered}&types=1`)

    await page.goBack()

    await rowWith(page, 'shoal-three').waitFor()
    await expect.poll(() => currentPath(page)).toBe(filtered)
  })

  it('are grouped by tag, changed together, selected and deleted', async () => {
    for (const name of ['buoy-one', 'buoy-two', 'buoy-three']) await add({ name, tag: 'buoys' })
    const page = await console.admin(ENGLISH)
    await openChannels(page, '?keyword=buoy&tag_mode=true')
    await rowWith(page, 'buoys').hover()
    await page.getByRole('button', { name: 'More actions for buoys' }).click()
    await page.getByRole('menuitem', { name: 'Disable all', exact: true }).click()
    await rowWith(page, 'buoys').filter({ hasText: 'Disabled 0/3' }).waitFor()
    expect(await findChannel('buoy-two')).toMatchObject({ status: 2 })
    await rowWith(page, 'buoys').hover()
    await page.getByRole('button', { name: 'More actions for buoys' }).click()
    await page.getByRole('menuitem', { name: 'Edit', exact: true }).click()
    const drawer = page.getByRole('dialog', { name: 'Edit tag buoys' })
    await field(drawer, 'Tag name').fill('buoy-marks')
    await field(drawer, 'Model mapping').fill('{"gpt-4o": "gpt-4o-mini"}')
    await drawer.getByRole('button', { name: 'Save' }).click()
    await rowWith(page, 'buoy-marks').waitFor()
    expect(await findChannel('buoy-one')).toMatchObject({
      tag: 'buoy-marks',
      model_mapping: '{"gpt-4o": "gpt-4o-mini"}',
      models: 'gpt-4o,gpt-4o-mini',
    })

    await page.getByRole('button', { name: 'Display' }).click()
    await page.getByRole('switch', { name: 'Group by tag' }).click()
    await rowWith(page, 'buoy-three').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await page.getByRole('checkbox', { name: 'Select buoy-three' }).uncheck()
    await page.getByRole('button', { name: 'Delete selected' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await toastWith(page, 'Channels deleted: 2').waitFor()
    await rowWith(page, 'buoy-one').waitFor({ state: 'detached' })
    expect(await findChannel('buoy-two')).toBeUndefined()
    expect(await findChannel('buoy-three')).toBeDefined()
  })
})

it('virtual models are added, renamed and deleted', async () => {
  const page = await console.admin(ENGLISH)
  await openChannels(page)
  await chooseFrom(page.getByRole('button', { name: 'Bulk actions' }), 'Virtual models…')
  const drawer = page.getByRole('dialog', { name: 'Virtual models', exact: true })
  await expect.poll(() => currentPath(page)).toBe('/admin/channels?drawer=virtual-models')
  await drawer.getByRole('button', { name: 'Add virtual model' }).first().click()
  await fill(page, 'Virtual model', 'channels-fast')
  await fill(page, 'Actual model 1', 'gpt-4o-mini')
  await fill(page, 'Priority of actual model 1', '5')
  await page.getByRole('button', { name: 'Save' }).click()
  await rowWith(page, 'channels-fast').waitFor()
  expect(await mapping()).toMatchObject({ 'channels-fast': [{ model: 'gpt-4o-mini', priorities: 5 }] })

  await drawer.getByRole('button', { name: 'Edit channels-fast' }).click()
  await fill(page, 'Virtual model', 'channels-best')
  await page.getByRole('button', { name: 'Save' }).click()
  await rowWith(page, 'channels-best').waitFor()
  await drawer.getByRole('button', { name: 'Delete channels-best' }).click()
  await page.getByRole('dialog').last().getByRole('button', { name: 'Delete', exact: true }).click()
  await rowWith(page, 'channels-best').waitFor({ state: 'detached' })
  expect(Object.keys(await mapping()).filter((name) => name.startsWith('channels-'))).toEqual([])
})

it('disables a channel with the keyboard and takes it back', async () => {
  await add({ name: 'tender' })
  const page = await console.admin(ENGLISH)
  await openChannels(page, '?keyword=tender')
  await rowWith(page, 'tender').waitFor()

  await page.keyboard.press('j')
  await page.keyboard.press('d')

  const toast = toastWith(page, 'tender disabled')
  const { width, height } = page.viewportSize()!
  const corner = async () => {
    const box = (await toast.boundingBox())!
    return { right: width - box.x - box.width, bottom: height - box.y - box.height }
  }
  await expect.poll(corner).toEqual({ right: 16, bottom: 16 })
  await toast.getByRole('button', { name: 'Undo' }).click()
  await toastWith(page, 'tender enabled').waitFor()
  expect(await findChannel('tender')).toMatchObject({ status: 1 })
})

it('shows the expected shares of a model and saves edited weights together', async () => {
  await add({ name: 'lock-one', models: 'gpt-4o', group: 'vip', weight: 30 })
  await add({ name: 'lock-two', models: 'gpt-4o', group: 'vip', weight: 10 })
  const page = await console.admin(ENGLISH)
  await page.goto('/admin/channels?view=routing&route_model=gpt-4o&route_group=vip')
  await rowWith(page, 'lock-one').getByText('66.7%').waitFor()

  await page.getByRole('button', { name: 'Weight of lock-two: 10' }).click()
  await page.keyboard.type('30')
  await page.keyboard.press('Enter')
  await rowWith(page, 'lock-two').getByText('50.0%').waitFor()
  expect(await findChannel('lock-two')).toMatchObject({ weight: 10 })
  await page.getByRole('button', { name: 'Save' }).click()

  await toastWith(page, 'Weights saved. Channels: 1').waitFor()
  expect(await findChannel('lock-two')).toMatchObject({ weight: 30 })
})

it('shows one line for each channel on a phone, and a channel on a full page', async () => {
  await add({ name: 'skiff', tag: 'skiffs' })
  const page = await console.admin({ viewport: PHONE, ...ENGLISH })
  await openChannels(page, '?keyword=skiff')
  const card = page.getByRole('article').filter({ hasText: 'skiff' })
  expect((await card.boundingBox())!.height).toBeLessThanOrEqual(48)

  await card.getByRole('button', { name: 'skiff', exact: true }).click()

  const panel = page.getByRole('dialog', { name: 'Channel skiff' })
  await expect.poll(() => panel.boundingBox()).toMatchObject({ x: 0, width: PHONE.width })
  await panel.getByRole('button', { name: 'Disable', exact: true }).click()
  await panel.getByRole('button', { name: 'Enable', exact: true }).waitFor()
  await expect.poll(() => findChannel('skiff')).toMatchObject({ status: 2 })
})

const isFor = (model: string) => (request: { body: unknown }) => (request.body as { model?: string }).model === model

const mapping = async () => (await console.site.client.call(api.getModelMapping)).mapping

async function fill(page: Page, label: string, value: string): Promise<void> {
  const input = field(page.getByRole('dialog').last(), label)
  await input.fill(value)
  await input.press('Tab') // closes the suggestions, which would cover the next field
}

/** Selects values of a multi-select filter and closes its list. */
async function choose(page: Page, filter: string, values: readonly string[]): Promise<void> {
  await page.getByRole('search').getByRole('combobox', { name: filter }).click()
  for (const value of values) {
    await page.locator('.ant-select-dropdown:visible').getByTitle(value, { exact: true }).click()
  }
  await page.keyboard.press('Escape')
}
