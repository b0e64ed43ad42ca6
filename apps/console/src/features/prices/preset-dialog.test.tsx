import { fireEvent, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { refused } from '../../../test/fake-server.ts'
import { inDialog, openPrices, press, rowOf } from './test-prices.tsx'

it('shows the changes of a price list, and adds the selection to the draft', async () => {
  const { saved } = openPrices({ enabled: ['gpt-4o', 'zebra', 'reef'] })
  await rowOf('reef')

  press(/导入价目表/)
  const dialog = await inDialog()
  await dialog.findByText(/新增 1 个，有变化 1 个，相同 1 个/)
  expect(await dialog.findByRole('checkbox', { name: '选择 zebra' })).toHaveProperty('checked', true)
  expect(dialog.getByRole('checkbox', { name: '选择 gpt-4o' })).toHaveProperty('checked', false)
  expect(dialog.queryByText('elsewhere')).toBeNull()
  fireEvent.click(dialog.getByRole('button', { name: '加入草稿' }))

  within(await rowOf('zebra')).getByText('新增')
  await screen.findByText('已加入草稿 1 个模型，检查后请发布')
  expect(saved()).toEqual([])
})

it('offers a retry for a price list that cannot be loaded', async () => {
  openPrices({ routes: { 'GET /api/option/price_preset': refused('internal_error', '', 500) } })
  await rowOf('reef')

  press(/导入价目表/)

  await (await inDialog()).findByText('获取预设倍率失败，请重试')
})
