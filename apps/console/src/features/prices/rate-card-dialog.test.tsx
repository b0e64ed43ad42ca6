import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { refused } from '../../../test/fake-server.ts'
import { openDetails, openPrices, publishLarge, rowOf, type inDialog } from './test-prices.tsx'

type Dialog = Awaited<ReturnType<typeof inDialog>>
const apply = (dialog: Dialog) => fireEvent.click(dialog.getByRole('button', { name: /应\s*用/ }))
const write = (dialog: Dialog, label: string, value: string, index = 0) =>
  fireEvent.change(dialog.getAllByLabelText(label)[index]!, { target: { value } })

async function openRates(name: string): Promise<Dialog> {
  const dialog = await openDetails(name)
  fireEvent.click(dialog.getByText('价目卡', { selector: '.ant-segmented-item-label' }))
  return dialog
}

describe('the editor of a rate card', () => {
  it('fills in the list price, and saves it with a tier and a fee', async () => {
    const { stored, saved } = openPrices()
    const dialog = await openRates('reef')

    fireEvent.click(await dialog.findByRole('button', { name: '使用官方价格' }))
    expect(dialog.getByLabelText('输入')).toHaveProperty('value', '3.00')
    fireEvent.click(dialog.getByRole('button', { name: '添加阶梯' }))
    write(dialog, '输入超过', '200000')
    write(dialog, '输入', '6', 1)
    write(dialog, '输出', '18', 1)
    apply(dialog)

    within(await rowOf('reef')).getByText('价目卡')
    await publishLarge()
    await screen.findByText('保存成功')
    expect(saved()).toHaveLength(1)
    expect(stored('ModelRates')).toHaveProperty('reef', {
      rates: { input: 3, output: 12 },
      tiers: [{ when: { inputAbove: 200_000 }, rates: { input: 6, output: 18 } }],
      fees: { webSearch: 0.01 },
    })
    expect(stored('ModelRatio')).toHaveProperty('reef', 2)
  })

  it('shows errors at their fields, and applies nothing', async () => {
    openPrices()
    const dialog = await openRates('reef')

    write(dialog, '输入', 'dear')
    await dialog.findByText('请输入数字')
    write(dialog, '输入', '1')
    fireEvent.click(dialog.getByRole('button', { name: '添加阶梯' }))
    write(dialog, '输出', '2')
    write(dialog, '输入', '3', 1)
    apply(dialog)

    await dialog.findByText('请至少设置一个条件')
    expect(screen.queryByText('1 项修改')).toBeNull()
  })

  it('removes a card, after which the ratios apply again', async () => {
    const { stored } = openPrices()
    within(await rowOf('carded')).getByText('价目卡')

    const dialog = await openDetails('carded')
    fireEvent.click(await dialog.findByRole('button', { name: '移除价目卡' }))
    await publishLarge()

    await screen.findByText('保存成功')
    expect(stored('ModelRates')).toEqual({})
  })

  it('works without the price list', async () => {
    openPrices({ routes: { 'GET /api/option/list_price': refused('internal_error', '', 500) } })
    const dialog = await openRates('reef')

    await dialog.findByText('填入官网倍率失败，请稍后重试')
    write(dialog, '输入', '1')
    write(dialog, '输出', '2')
    apply(dialog)

    await waitFor(async () => within(await rowOf('reef')).getByText('价目卡'))
  })
})
