import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { refused, succeeded } from '../../../../testing/fake-server.ts'
import { openSettings, press } from '../../test-settings.tsx'
import { inDialog, openPrices, rowOf, writeFigure } from '../test-prices.tsx'

const UNIT = 500_000
const SIMULATION = {
  from: 1_794_000_000,
  to: 1_794_700_000,
  billed: 9 * UNIT,
  before: 10 * UNIT,
  after: 12.5 * UNIT,
  rows: [
    {
      model_name: 'gpt-4o',
      group: 'vip',
      requests: 4,
      tokens: 900,
      billed: UNIT,
      before: UNIT,
      after: 3.5 * UNIT,
      basis: 'requests',
    },
    { model_name: 'reef', group: 'default', requests: 2, tokens: 10, billed: UNIT, before: UNIT, basis: 'requests' },
  ],
  others: { rows: 3, billed: 0, before: UNIT, after: UNIT },
}

const OPEN = '试算近 7 天'

it('shows what unsaved prices would have made of the last week', async () => {
  const { seen, saved } = openPrices({ routes: { 'POST /api/option/simulate_prices': succeeded(SIMULATION) } })
  await rowOf('reef')
  writeFigure(/^reef 的模型倍率/, '7')

  press(OPEN)

  const dialog = await inDialog()
  await dialog.findByText('增加 $2.50（+25%）')
  dialog.getByText('增加 $2.50（+250%）')
  dialog.getByText('没有价格，会被拒绝')
  dialog.getByText(/另有 3 项变化较小/)
  const asked = seen.find(({ path }) => path === '/api/option/simulate_prices')
  expect(asked?.body).toEqual({
    changes: [{ key: 'ModelRatio', value: '{"gpt-4o":1.25,"gizmo":15,"reef":7}' }],
  })
  expect(saved()).toEqual([])
})

it('takes the ratios of groups before they are saved, and says so while there is nothing to try', async () => {
  const { seen } = openSettings({
    routes: { 'POST /api/option/simulate_prices': succeeded({ ...SIMULATION, rows: [] }) },
  })
  const ratios = await screen.findByLabelText('分组倍率')
  const button = within(screen.getByRole('region', { name: '分组' })).getByRole('button', { name: OPEN })
  fireEvent.click(button)
  await screen.findByText('没有需要保存的修改')

  fireEvent.change(ratios, { target: { value: '{"default":2}' } })
  fireEvent.click(button)

  await (await inDialog()).findByText('近 7 天没有调用')
  const asked = seen.find(({ path }) => path === '/api/option/simulate_prices')
  expect(asked?.body).toEqual({ changes: [{ key: 'GroupRatio', value: '{"default":2}' }] })
})

it('tells what the server objects to', async () => {
  openPrices({ routes: { 'POST /api/option/simulate_prices': refused('option_invalid', '这个倍率太大') } })
  await rowOf('reef')
  writeFigure(/^reef 的模型倍率/, '7')

  press(OPEN)

  const dialog = await inDialog()
  await dialog.findByText('试算失败')
  await waitFor(() => dialog.getByText('这个倍率太大'))
})
