import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { refused, succeeded } from '../../../../testing/fake-server.ts'
import { press } from '../../test-settings.tsx'
import { inDialog, openPrices, rowOf } from '../test-prices.tsx'

type Dialog = Awaited<ReturnType<typeof inDialog>>
const apply = (dialog: Dialog) => fireEvent.click(dialog.getByRole('button', { name: /应\s*用/ }))
const write = (dialog: Dialog, label: string, value: string, index = 0) =>
  fireEvent.change(dialog.getAllByLabelText(label)[index]!, { target: { value } })
const save = () => press('保存模型价格')

async function openRates(name: string): Promise<Dialog> {
  await rowOf(name)
  press(`编辑 ${name}`)
  const dialog = await inDialog()
  fireEvent.click(dialog.getByText('价目卡', { selector: '.ant-segmented-item-label' }))
  return dialog
}

describe('the editor of a rate card', () => {
  it('fills in the list price, and saves it with a tier and a fee', async () => {
    const { stored, saved } = openPrices()
    const dialog = await openRates('reef')

    fireEvent.click(await dialog.findByRole('button', { name: '使用官方价格' }))
    expect(dialog.getByLabelText('输入')).toHaveProperty('value', '3')
    fireEvent.click(dialog.getByRole('button', { name: '添加阶梯' }))
    write(dialog, '输入超过', '200000')
    write(dialog, '输入', '6', 1)
    write(dialog, '输出', '18', 1)
    apply(dialog)

    within(await rowOf('reef')).getByText('1 个阶梯 · 1 项附加费用')
    save()
    await screen.findByText('保存成功')
    expect(saved()).toHaveLength(1)
    expect(stored('ModelRates')).toHaveProperty('reef', {
      rates: { input: 3, output: 12 },
      tiers: [{ when: { inputAbove: 200_000 }, rates: { input: 6, output: 18 } }],
      fees: { webSearch: 0.01 },
    })
    expect(stored('ModelRatio')).toHaveProperty('reef', 2)
  })

  it('names what is wrong at its field, and applies nothing', async () => {
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
    expect(screen.queryByText('1 个模型未保存')).toBeNull()
  })

  it('removes a card, and the ratios beneath it apply again', async () => {
    const { stored } = openPrices()
    const row = within(await rowOf('carded'))
    row.getByText('$2.00 / 1M')
    row.getByText('价目卡')

    press('编辑 carded')
    const dialog = await inDialog()
    fireEvent.click(await dialog.findByRole('button', { name: '移除价目卡' }))
    save()

    await screen.findByText('保存成功')
    expect(stored('ModelRates')).toEqual({})
  })

  it('simulates an unsaved card, and marks what is approximate', async () => {
    const row = { model_name: 'reef', group: 'default', requests: 2, tokens: 9, billed: 1, before: 5, after: 9 }
    const simulation = {
      from: 1_794_000_000,
      to: 1_794_700_000,
      billed: 1,
      before: 5,
      after: 9,
      rows: [{ ...row, basis: 'sample' }],
      others: { rows: 0, billed: 0, before: 0, after: 0 },
    }
    const { seen } = openPrices({ routes: { 'POST /api/option/simulate_prices': succeeded(simulation) } })
    const dialog = await openRates('reef')
    fireEvent.click(await dialog.findByRole('button', { name: '使用当前价格' }))
    apply(dialog)
    await screen.findByText('1 个模型未保存')

    press('试算近 7 天')

    await screen.findByText(/标有 ≈ 的为近似值/)
    expect(screen.getAllByTitle('近似值')).toHaveLength(2)
    const asked = seen.find(({ path }) => path === '/api/option/simulate_prices')?.body as {
      changes: { key: string; value: string }[]
    }
    expect(asked.changes.map(({ key }) => key)).toEqual(['ModelRates'])
    expect(JSON.parse(asked.changes[0]!.value)).toHaveProperty('reef.rates.input', 4)
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
