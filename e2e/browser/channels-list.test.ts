import { api } from '@tidegate/contract'
import { addChannel, fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PHONE } from './browser.ts'
import { chooseFrom, openChannels, removeAllChannels, storedChannel, toastWith, untilLoaded } from './channel-list.ts'
import { storedItems, untilFocused, whereIs } from './console-page.ts'
import { startConsole } from './start-console.ts'
import { cellUnder, rowWith } from './table.ts'

const console = startConsole()
let upstream: FakeUpstream
beforeAll(async () => {
  upstream = await fakeUpstream()
})
afterAll(() => upstream?.close())
beforeEach(() => removeAllChannels(console.site))

const add = (overrides: Parameters<typeof addChannel>[2]) => addChannel(console.site.client, upstream, overrides)
const namesIn = (page: Page) =>
  page
    .locator('tbody tr.ant-table-row')
    .evaluateAll((rows) => rows.map((row) => row.querySelector('[title]')?.getAttribute('title') ?? ''))

describe('searching', () => {
  beforeEach(async () => {
    await add({ name: 'harbour', models: 'gpt-4o', tag: 'main', key: 'sk-harbour-whole-key' })
    await add({ name: 'pier', type: 14, models: 'claude-sonnet-4', group: 'vip' })
    await add({ name: 'lighthouse', models: 'gpt-4o-mini', tag: 'spare' })
    const { id } = await add({ name: 'wreck', models: 'o3' })
    await console.site.client.call(api.updateChannel, { body: { id, status: 2 } })
  })

  it('narrows by keyword, and the address shows the same to somebody else', async () => {
    const page = await console.captain()
    await openChannels(page)
    await page.getByRole('textbox', { name: 'ID、名称或密钥' }).fill('pier')
    await page.keyboard.press('Enter')

    await rowWith(page, 'harbour').waitFor({ state: 'detached' })
    await expect.poll(() => whereIs(page)).toBe('/admin/channels?keyword=pier')
    const colleague = await console.captain()
    await openChannels(colleague, '?keyword=pier')
    await expect.poll(() => namesIn(colleague)).toEqual(['pier'])
  })

  it('finds a channel by its whole key', async () => {
    const page = await console.captain()

    await openChannels(page, '?keyword=sk-harbour-whole-key')

    await expect.poll(() => namesIn(page)).toEqual(['harbour'])
  })

  it('narrows by type, status and tag, each with several values, and can be reset', async () => {
    const page = await console.captain()
    await openChannels(page)
    await choose(page, '渠道类型', ['OpenAI'])
    await choose(page, '标签', ['main', 'spare'])
    await expect.poll(async () => (await namesIn(page)).toSorted()).toEqual(['harbour', 'lighthouse'])
    await expect.poll(() => whereIs(page)).toBe('/admin/channels?types=1&tags=main%2Cspare')

    await page.getByRole('button', { name: '重置' }).click()

    await rowWith(page, 'wreck').waitFor()
    await expect.poll(() => whereIs(page)).toBe('/admin/channels')
    await choose(page, '状态', ['已禁用'])
    await rowWith(page, 'harbour').waitFor({ state: 'detached' })
    await expect.poll(() => namesIn(page)).toEqual(['wreck'])
  })

  it('says what to do when nothing is found', async () => {
    const page = await console.captain()
    await openChannels(page, '?keyword=nothing-like-this')

    await page.getByRole('button', { name: '重置条件' }).click()

    await rowWith(page, 'harbour').waitFor()
  })
})

describe('the order', () => {
  it('is by priority, or by id, and the choice is remembered', async () => {
    for (const [name, priority] of [
      ['low', 1],
      ['high', 9],
      ['middle', 5],
    ] as const)
      await add({ name, priority })
    const page = await console.captain()
    await openChannels(page)
    await expect.poll(() => namesIn(page)).toEqual(['high', 'middle', 'low'])

    await page.getByRole('switch', { name: '按 ID 排序' }).click()

    await expect.poll(() => namesIn(page)).toEqual(['middle', 'high', 'low'])
    await expect.poll(() => whereIs(page)).toBe('/admin/channels?id_sort=true')
    await expect.poll(() => storedItems(page)).toMatchObject({ 'id-sort': 'true' })
  })
})

describe('a page of many', () => {
  it('says how many there are in all, and turns to the next', async () => {
    for (let number = 1; number <= 12; number += 1) await add({ name: `channel-${number}`, priority: -number })
    const page = await console.captain()
    await openChannels(page)
    await page.getByText('第 1–10 条，共 12 条').waitFor()

    await page.getByRole('listitem', { name: '2', exact: true }).click()

    await rowWith(page, 'channel-12').waitFor()
    await expect.poll(() => whereIs(page)).toBe('/admin/channels?page=2')
    await expect.poll(() => namesIn(page)).toEqual(['channel-11', 'channel-12'])
  })
})

describe('a row', () => {
  it('is disabled and enabled again', async () => {
    await add({ name: 'harbour' })
    const page = await console.captain()
    await openChannels(page)

    await page.getByRole('button', { name: '禁用 harbour' }).click()
    await toastWith(page, '操作成功完成！').waitFor()
    await page.getByRole('button', { name: '启用 harbour' }).waitFor()
    await expect.poll(async () => (await cellUnder(rowWith(page, 'harbour'), '状态')).innerText()).toContain('已禁用')
    await expect.poll(() => storedChannel(console.site, 'harbour')).toMatchObject({ status: 2 })

    await page.getByRole('button', { name: '启用 harbour' }).click()
    await page.getByRole('button', { name: '禁用 harbour' }).waitFor()
    await expect.poll(() => storedChannel(console.site, 'harbour')).toMatchObject({ status: 1 })
  })

  it('tells why a channel went out of use by itself', async () => {
    await add({ name: 'harbour' })
    await sql`
      update channel set status = 3, other_info = '{"status_reason": "no credit left", "status_time": 1760000000}'
    `.execute(console.site.db)
    const page = await console.captain()
    await openChannels(page)

    await page.getByRole('button', { name: /自动禁用/ }).hover()

    await page.getByRole('tooltip').filter({ hasText: '原因：no credit left' }).waitFor()
    await expect.poll(() => page.getByRole('tooltip').innerText()).toMatch(/时间：2025-10-\d\d/)
  })

  it('has its priority and weight changed in place', async () => {
    await add({ name: 'harbour' })
    const page = await console.captain()
    await openChannels(page)

    await page.getByRole('button', { name: 'harbour 的优先级: 0' }).click()
    await untilFocused(page.getByRole('textbox', { name: 'harbour 的优先级' }))
    await page.keyboard.type('1.5')
    await page.keyboard.press('Enter')
    await toastWith(page, '优先级必须是整数！').waitFor()
    await page.getByRole('textbox', { name: 'harbour 的优先级' }).fill('-12')
    await page.keyboard.press('Enter')

    await page.getByRole('button', { name: 'harbour 的优先级: -12' }).waitFor()
    await expect.poll(() => storedChannel(console.site, 'harbour')).toMatchObject({ priority: -12, weight: 0 })
  })

  it('is copied with its key and deleted after a yes', async () => {
    await add({ name: 'harbour', key: 'sk-copied-with-the-row' })
    const page = await console.captain()
    await openChannels(page)

    await chooseFrom(page.getByRole('button', { name: 'harbour 的更多操作' }), '复制')
    await rowWith(page, 'harbour_复制').waitFor()
    const copy = (await storedChannel(console.site, 'harbour_复制'))!
    const revealed = await console.site.client.call(api.revealChannelKey, { path: { id: copy.id } })
    expect(revealed.key).toBe('sk-copied-with-the-row')

    await chooseFrom(page.getByRole('button', { name: 'harbour_复制 的更多操作' }), '删除')
    await page.getByRole('dialog').getByRole('button', { name: '删除' }).click()
    await rowWith(page, 'harbour_复制').waitFor({ state: 'detached' })
    await expect.poll(() => storedChannel(console.site, 'harbour_复制')).toBeUndefined()
  })

  it('tells in the words of the server that a balance cannot be had', async () => {
    await add({ name: 'pier', type: 14 })
    const page = await console.captain()
    await openChannels(page)

    await page.getByRole('button', { name: /^pier 的余额/ }).click()

    await toastWith(page, '尚未实现余额查询').waitFor()
  })

  it('shows each of its keys, and takes one out of use', async () => {
    await add({ name: 'harbour', key: 'sk-first-aaaaaaaa1111\nsk-second-bbbbbbb2222' })
    const page = await console.captain()
    await openChannels(page)

    await page.getByRole('button', { name: 'harbour 的密钥：2/2 可用' }).click()
    await page.getByRole('button', { name: /^禁用密钥 sk-f/ }).click()

    await page.getByRole('button', { name: /^启用密钥 sk-f/ }).waitFor()
    await page.getByRole('button', { name: 'harbour 的密钥：1/2 可用' }).waitFor()
    await page.getByRole('button', { name: /^禁用密钥 sk-s/ }).click()
    await toastWith(page, '请直接禁用渠道').waitFor()
  })
})

describe('grouping by tag', () => {
  beforeEach(async () => {
    await add({ name: 'one', tag: 'main', priority: 3 })
    await add({ name: 'two', tag: 'main', priority: 1 })
    await add({ name: 'three', tag: '备用' })
  })

  it('makes one row of a tag, which opens, and is remembered', async () => {
    const page = await console.captain()
    await openChannels(page)

    await page.getByRole('switch', { name: '标签聚合' }).click()
    await expect.poll(async () => (await namesIn(page)).toSorted()).toEqual(['main', '备用'])
    await rowWith(page, 'main')
      .getByRole('button', { name: /展开/ })
      .click()

    await rowWith(page, 'one').waitFor()
    await expect.poll(() => storedItems(page)).toMatchObject({ 'enable-tag-mode': 'true' })
  })

  it('changes all channels of a tag at once', async () => {
    const page = await console.captain()
    await openChannels(page, '?tag_mode=true')

    await page.getByRole('button', { name: '全部禁用标签 main 的渠道' }).click()
    await toastWith(page, '操作成功完成！').waitFor()
    await rowWith(page, 'main').filter({ hasText: '已禁用 0/2' }).waitFor()
    await expect.poll(() => storedChannel(console.site, 'two')).toMatchObject({ status: 2 })
    expect(await storedChannel(console.site, 'three')).toMatchObject({ status: 1 })

    await page.getByRole('button', { name: 'main 的优先级: 不一致' }).click()
    await untilFocused(page.getByRole('textbox', { name: 'main 的优先级' }))
    await page.keyboard.type('7')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'main 的优先级: 7' }).waitFor()
    await expect.poll(() => storedChannel(console.site, 'one')).toMatchObject({ priority: 7 })
  })

  it('edits a tag in a drawer, which says so when nothing changed', async () => {
    const page = await console.captain()
    await openChannels(page, '?tag_mode=true')
    await page.getByRole('button', { name: '编辑标签 main' }).click()
    const drawer = page.getByRole('dialog', { name: '编辑标签 main' })
    await drawer.getByLabel('标签名称').waitFor()

    await drawer.getByRole('button', { name: '保存' }).click()
    await toastWith(page, '没有任何修改！').waitFor()
    await drawer.getByLabel('标签名称').fill('harbour')
    await drawer.getByLabel('模型重定向', { exact: true }).fill('{"gpt-4o": "gpt-4o-mini"}')
    await drawer.getByRole('button', { name: '保存' }).click()

    await rowWith(page, 'harbour').waitFor()
    await expect
      .poll(() => storedChannel(console.site, 'one'))
      .toMatchObject({
        tag: 'harbour',
        model_mapping: '{"gpt-4o": "gpt-4o-mini"}',
        models: 'gpt-4o,gpt-4o-mini',
      })
  })
})

describe('ticked channels', () => {
  beforeEach(async () => {
    for (const name of ['one', 'two', 'three']) await add({ name })
  })

  it('are tagged and deleted together', async () => {
    const page = await console.captain()
    await openChannels(page)
    await page.getByRole('button', { name: '批量选择' }).click()
    await page.getByRole('button', { name: '删除所选' }).click()
    await toastWith(page, '请先选择要删除的渠道！').waitFor()

    await page.getByRole('checkbox', { name: '选择 one' }).check()
    await page.getByRole('checkbox', { name: '选择 two' }).check()
    await page.getByRole('button', { name: '设置标签' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: '保存' }).click()
    await toastWith(page, '标签不能为空！').waitFor()
    await dialog.getByRole('combobox', { name: '标签' }).fill('spare')
    await page.keyboard.press('Enter')
    await toastWith(page, '已为 2 个渠道设置标签！').waitFor()
    await expect.poll(() => storedChannel(console.site, 'two')).toMatchObject({ tag: 'spare' })

    await page.getByRole('region', { name: '批量操作' }).getByRole('button', { name: '选择本页全部' }).click()
    await page.getByRole('checkbox', { name: '选择 three' }).uncheck()
    await page.getByRole('button', { name: '删除所选' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '删除' }).click()
    await toastWith(page, '已删除 2 个渠道！').waitFor()

    await rowWith(page, 'one').waitFor({ state: 'detached' })
    await expect.poll(() => namesIn(page)).toEqual(['three'])
  })

  it('is not needed to remove everything that is disabled', async () => {
    const { id } = (await storedChannel(console.site, 'two'))!
    await console.site.client.call(api.updateChannel, { body: { id, status: 2 } })
    const page = await console.captain()
    await openChannels(page)

    await chooseFrom(page.getByRole('button', { name: '批量操作' }), '删除所有已禁用的渠道')
    await page.getByRole('dialog').getByRole('button', { name: '删除' }).click()

    await toastWith(page, '已删除 1 个禁用的渠道').waitFor()
    await rowWith(page, 'two').waitFor({ state: 'detached' })
    await chooseFrom(page.getByRole('button', { name: '批量操作' }), '修复数据一致性')
    await toastWith(page, '修复完成').waitFor()
  })
})

describe('columns', () => {
  it('are chosen and stay chosen', async () => {
    await add({ name: 'harbour' })
    const page = await console.captain()
    await openChannels(page)
    await page.getByRole('button', { name: '列设置' }).click()
    const dialog = page.getByRole('dialog', { name: '列设置' })
    await dialog.getByRole('checkbox', { name: '模型' }).check()
    await dialog.getByRole('checkbox', { name: '余额' }).uncheck()
    await dialog.getByRole('button', { name: '完成' }).click()

    await page.reload()
    await untilLoaded(page)

    await expect.poll(async () => (await cellUnder(rowWith(page, 'harbour'), '模型')).innerText()).toContain('gpt-4o')
    await expect.poll(() => page.getByRole('columnheader', { name: '余额' }).count()).toBe(0)
  })
})

describe('on a phone', () => {
  it('every action of a channel is within reach', async () => {
    await add({ name: 'harbour', tag: 'main' })
    const page = await console.captain({ viewport: PHONE, locale: 'en-US' })
    await openChannels(page)
    const card = page.getByRole('article').filter({ hasText: 'harbour' })
    for (const name of ['Test harbour', 'Disable harbour', 'Edit harbour', 'More actions for harbour']) {
      const box = (await card.getByRole('button', { name, exact: true }).boundingBox())!
      expect(box.x).toBeGreaterThanOrEqual(0)
      expect(box.x + box.width).toBeLessThanOrEqual(PHONE.width)
    }

    await card.getByRole('button', { name: 'Priority of harbour: 0' }).click()
    await untilFocused(card.getByRole('textbox', { name: 'Priority of harbour' }))
    await page.keyboard.type('4')
    await page.keyboard.press('Enter')
    await card.getByRole('button', { name: 'Priority of harbour: 4' }).waitFor()
    await page.getByRole('switch', { name: 'Group by tag' }).click()
    await page.getByRole('button', { name: 'Show channels (1)' }).click()

    await page.getByRole('button', { name: 'Disable harbour', exact: true }).waitFor()
  })
})

/** Ticks values of a filter that takes several, and closes it. */
async function choose(page: Page, filter: string, values: readonly string[]): Promise<void> {
  const field = page.getByRole('search').getByRole('combobox', { name: filter })
  await field.click()
  for (const value of values) {
    await page.locator('.ant-select-dropdown:visible').getByTitle(value, { exact: true }).click()
  }
  await page.keyboard.press('Escape')
}
