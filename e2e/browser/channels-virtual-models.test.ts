import { api } from '@tidegate/contract'
import { addChannel, fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PHONE } from './browser.ts'
import { chooseFrom, openChannels, toastWith } from './channel-list.ts'
import { whereIs } from './console-page.ts'
import { startConsole } from './start-console.ts'
import { rowWith } from './table.ts'

const console = startConsole()
let upstream: FakeUpstream
beforeAll(async () => {
  upstream = await fakeUpstream()
  await addChannel(console.site.client, upstream, { models: 'gpt-4o,gpt-4o-mini' })
})
afterAll(() => upstream?.close())
beforeEach(() => console.site.client.call(api.updateModelMapping, { body: { mapping: {} } }))

const stored = async () => (await console.site.client.call(api.getModelMapping)).mapping

async function fill(page: Page, label: string, value: string): Promise<void> {
  const field = page.getByRole('dialog').last().getByLabel(label, { exact: true })
  await field.fill(value)
  await field.press('Tab') // suggestions would lie over what is next
}

describe('virtual models', () => {
  it('are opened from the menu of the channels, added, changed and deleted', async () => {
    const page = await console.captain()
    await openChannels(page)
    await chooseFrom(page.getByRole('button', { name: '批量操作' }), '虚拟模型…')
    const drawer = page.getByRole('dialog', { name: '虚拟模型', exact: true })
    await drawer.getByRole('heading', { name: '还没有虚拟模型' }).waitFor()
    await expect.poll(() => whereIs(page)).toBe('/admin/channels?drawer=virtual-models')

    await drawer.getByRole('button', { name: '添加虚拟模型' }).first().click()
    await fill(page, '虚拟模型名', 'fast')
    await fill(page, '第 1 个实际模型', 'gpt-4o-mini')
    await fill(page, '第 1 个实际模型的优先级', '5')
    await page.getByRole('button', { name: '添加实际模型' }).click()
    await fill(page, '第 2 个实际模型', 'gpt-4o-mini')
    await page.getByRole('button', { name: '保存' }).click()
    await page.getByText('实际模型名重复').first().waitFor()
    await fill(page, '第 2 个实际模型', 'gpt-4o')
    await page.getByRole('button', { name: '保存' }).click()

    await rowWith(page, 'fast').waitFor()
    await expect
      .poll(() => stored())
      .toEqual({
        fast: [
          { model: 'gpt-4o-mini', priorities: 5 },
          { model: 'gpt-4o', priorities: 0 },
        ],
      })

    await drawer.getByRole('button', { name: '添加虚拟模型' }).click()
    await fill(page, '虚拟模型名', 'fast')
    await page.getByText("虚拟模型名 'fast' 已存在").waitFor()
    await page.getByRole('button', { name: '取消' }).click()

    await drawer.getByRole('button', { name: '重新加载' }).click()
    await toastWith(page, '已让所有节点重新加载').waitFor()
    await drawer.getByRole('button', { name: '删除 fast' }).click()
    await page.getByRole('dialog').last().getByRole('button', { name: '删除', exact: true }).click()
    await drawer.getByRole('heading', { name: '还没有虚拟模型' }).waitFor()
    await expect.poll(() => stored()).toEqual({})
  })

  it('are cards on a phone, with everything within reach', async () => {
    await console.site.client.call(api.updateModelMapping, {
      body: { mapping: { best: [{ model: 'gpt-4o', priorities: 0 }] } },
    })
    const page = await console.captain({ viewport: PHONE, locale: 'en-US', colorScheme: 'dark' })
    await openChannels(page, '?drawer=virtual-models')
    const drawer = page.getByRole('dialog', { name: 'Virtual models' })
    await expect.poll(() => drawer.boundingBox()).toMatchObject({ x: 0, width: PHONE.width })

    await drawer.getByRole('button', { name: 'Edit best' }).click()
    await fill(page, 'Virtual model', 'finest')
    await page.getByRole('button', { name: 'Save' }).click()

    await drawer.getByRole('article').filter({ hasText: 'finest' }).waitFor()
    expect(Object.keys(await stored())).toEqual(['finest'])
  })
})
