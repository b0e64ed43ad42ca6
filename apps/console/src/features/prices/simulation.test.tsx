import { fireEvent, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { refused, succeeded } from '../../../test/fake-server.ts'
import { openPrices, rowOf, writePrice } from './test-prices.tsx'

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
      basis: 'sample',
    },
    { model_name: 'reef', group: 'default', requests: 2, tokens: 10, billed: UNIT, before: UNIT, basis: 'requests' },
  ],
  others: { rows: 3, billed: 0, before: UNIT, after: UNIT },
}

it('shows the effect of unpublished prices in one sentence', async () => {
  const { seen, saved } = openPrices({ routes: { 'POST /api/option/simulate_prices': succeeded(SIMULATION) } })
  await rowOf('reef')
  writePrice(/^gpt-4o 的输出/, '8')

  await screen.findByText(/近 7 天：\$10\.00 → \$12\.50/)
  screen.getByText('增加 $2.50（+25%）')
  expect(seen.find(({ path }) => path === '/api/option/simulate_prices')?.body).toEqual({
    changes: [{ key: 'CompletionRatio', value: '{"gpt-4o":3.2}' }],
  })
  expect(saved()).toEqual([])
})

it('shows the cost at current prices without a draft', async () => {
  const { seen } = openPrices({
    search: '?tab=simulation',
    routes: { 'POST /api/option/simulate_prices': succeeded(SIMULATION) },
  })

  const table = within(await screen.findByRole('table'))
  expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    '模型',
    '分组',
    '调用',
    '实际计费',
    '按现价',
  ])
  expect(screen.queryByText('按新价')).toBeNull()
  expect(seen.find(({ path }) => path === '/api/option/simulate_prices')?.body).toEqual({
    changes: [{ key: 'ModelPrice', value: '{"dall-e-3":0.04,"gizmo":0.1}' }],
  })
  fireEvent.click(screen.getByRole('button', { name: '去改价' }))
  await rowOf('reef')
})

it('lists models and groups in the simulation tab', async () => {
  openPrices({ routes: { 'POST /api/option/simulate_prices': succeeded(SIMULATION) } })
  await rowOf('reef')
  writePrice(/^gpt-4o 的输出/, '8')
  fireEvent.click(screen.getByRole('tab', { name: '试算' }))

  await screen.findByText('+$2.50')
  screen.getByText('+250.0%')
  screen.getByText('没有价格，会被拒绝')
  screen.getByText(/另有 3 项变化较小/)
  screen.getByText(/标有 ≈ 的为近似值/)
  expect(screen.getAllByTitle('近似值')).toHaveLength(2)
})

it('offers a retry and still publishes when the simulation fails', async () => {
  openPrices({ routes: { 'POST /api/option/simulate_prices': refused('option_invalid', '这个倍率太大') } })
  await rowOf('reef')
  writePrice(/^gpt-4o 的输出/, '8')

  await screen.findByText('试算失败')
  screen.getByRole('button', { name: /^重\s*试$/ })
  expect(screen.getByRole('button', { name: /^发\s*布$/ })).toHaveProperty('disabled', false)
})
