import type { PricePreset } from '@tidegate/contract/api'
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { refused, succeeded } from '../../../../testing/fake-server.ts'
import { press } from '../../test-settings.tsx'
import { inDialog, openPrices, rowOf } from '../test-prices.tsx'

const PRESET: PricePreset = {
  source: 'flexible',
  version: '2026.11',
  model_price: {},
  model_ratio: { 'gpt-4o': 2, reef: 2, zebra: 0.5, elsewhere: 1 },
  completion_ratio: {},
  cache_ratio: {},
}
const routes = { 'GET /api/option/price_preset': succeeded(PRESET) }

it('a price list is shown as what it would change, and goes into the editor', async () => {
  const { saved } = openPrices({ enabled: ['gpt-4o', 'zebra', 'reef'], routes })
  await rowOf('reef')

  press('导入价目表')
  const dialog = await inDialog()
  await dialog.findByText(/新增 1 个，有变化 1 个，相同 1 个/)
  expect(dialog.getByRole('checkbox', { name: '选择 zebra' })).toHaveProperty('checked', true)
  expect(dialog.getByRole('checkbox', { name: '选择 gpt-4o' })).toHaveProperty('checked', false)
  expect(dialog.queryByText('elsewhere')).toBeNull()
  fireEvent.click(dialog.getByRole('button', { name: '加入草稿' }))

  within(await rowOf('zebra')).getByText('新增')
  await screen.findByText('已加入草稿 1 个模型，检查后请保存')
  expect(saved()).toEqual([])
})

it('a price list that cannot be read is told, and may be tried again', async () => {
  openPrices({ routes: { 'GET /api/option/price_preset': refused('internal_error', '', 500) } })
  await rowOf('reef')

  press('导入价目表')

  await (await inDialog()).findByText('获取预设倍率失败，请重试')
})

it('ratios are reset after a question that counts what is lost', async () => {
  const { seen } = openPrices({ routes: { 'POST /api/option/rest_model_ratio': succeeded() } })
  await rowOf('reef')

  press('恢复默认倍率')
  await screen.findByText(/你自己设置的 2 个模型倍率会丢失/)
  fireEvent.click(screen.getByRole('button', { name: /^恢\s*复$/ }))

  await screen.findByText('重置模型倍率成功')
  expect(seen.some(({ path }) => path === '/api/option/rest_model_ratio')).toBe(true)
})

it('ratios that could not be reset are told', async () => {
  openPrices({ routes: { 'POST /api/option/rest_model_ratio': refused('internal_error', '', 500) } })
  await rowOf('reef')

  press('恢复默认倍率')
  fireEvent.click(await screen.findByRole('button', { name: /^恢\s*复$/ }))

  await screen.findByText('重置预设倍率失败，请重试')
})
