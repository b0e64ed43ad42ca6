import type { OptionChange } from '@tidegate/contract/api'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { succeeded } from '../../../../test/fake-server.ts'
import { openPrices } from '../test-prices.tsx'

const aChange = (changes: Partial<OptionChange>): OptionChange => ({
  id: 7,
  created_at: 1_770_000_000,
  actor_id: 1,
  actor: 'admin',
  key: 'ModelRatio',
  secret: false,
  before: '{"gpt-4o":1,"gizmo":15,"reef":2}',
  after: '{"gpt-4o":1.25,"gizmo":15,"reef":2}',
  way: 'edit',
  ...changes,
})

function openHistory(changes: OptionChange[]) {
  return openPrices({
    search: '?tab=history',
    routes: {
      'GET /api/option/history': ({ query }) => {
        const items = changes.filter(({ key }) => key === query['key'])
        return succeeded({ items, total: items.length, page: 1, page_size: 20 })
      },
    },
  })
}

it('shows one card per publication, in dollars, with the stored ratios as details', async () => {
  openHistory([
    aChange({}),
    aChange({
      id: 8,
      created_at: 1_770_000_001,
      key: 'CompletionRatio',
      before: '{"gpt-4o":4}',
      after: '{"gpt-4o":3}',
    }),
  ])

  const toggle = await screen.findByRole('button', { name: /gpt-4o输入\$2\.00 → \$2\.50.*admin/ })
  expect(screen.getAllByRole('listitem')).toHaveLength(1)
  fireEvent.click(toggle)

  const rows = within(screen.getByRole('table')).getAllByRole('row')
  expect(rows.map((row) => row.textContent)).toEqual([
    '模型价格原价新价变化',
    'gpt-4o输入$2.00$2.50+25%',
    '输出$8.00$7.50-6.3%',
    '缓存读取$1.00$1.25+25%',
    '缓存写入$2.50$3.125+25%',
  ])
  screen.getByText('raw CompletionRatio')
})

it('enters the old prices of a publication into the draft', async () => {
  const { stored } = openHistory([aChange({})])

  fireEvent.click(await screen.findByText('还原'))
  await screen.findByText('已把原价加入草稿（1 项），检查后请发布')
  fireEvent.click(screen.getByRole('button', { name: /^发\s*布$/ }))

  await waitFor(() => expect(stored('ModelRatio')).toEqual({ 'gpt-4o': 1, gizmo: 15, reef: 2 }))
})

it('does not offer to restore the current prices', async () => {
  openHistory([aChange({ before: '{"gpt-4o":1.25,"gizmo":15,"reef":2}', after: '{"gpt-4o":2,"gizmo":15,"reef":2}' })])

  await screen.findByText('与现价相同')
})

it('marks the newest publication, and filters by model and administrator', async () => {
  openHistory([
    aChange({}),
    aChange({ id: 6, created_at: 1_760_000_000, actor_id: 2, actor: 'mira', key: 'CompletionRatio', before: '{}' }),
  ])

  const newest = (await screen.findByText('当前价格')).closest('li')!
  within(newest).getByText('admin')
  expect(screen.getAllByRole('listitem')).toHaveLength(2)
  fireEvent.mouseDown(screen.getByRole('combobox', { name: '修改人' }))
  fireEvent.click(await screen.findByTitle('mira'))

  await waitFor(() => expect(screen.queryByText('当前价格')).toBeNull())
  fireEvent.change(screen.getByRole('textbox', { name: '搜索模型或分组' }), { target: { value: 'nothing' } })
  await screen.findByText('没有符合的修改')
})

it('lists the offered models of a publication that changes hundreds, and counts the others', async () => {
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`unused-${index}`, index + 1]))
  openHistory([aChange({ after: JSON.stringify({ 'gpt-4o': 1.25, gizmo: 15, reef: 2, ...many }) })])

  const toggle = await screen.findByRole('button', { name: /41 个模型.*其中 1 个有渠道/ })
  fireEvent.click(toggle)

  const rows = within(screen.getByRole('table')).getAllByRole('row')
  expect(rows[1]!.textContent).toBe('gpt-4o输入$2.00$2.50+25%')
  expect(rows.some(({ textContent }) => textContent.includes('unused'))).toBe(false)
})

it('shows numbers for a change that leaves the base prices as they are', async () => {
  openHistory([
    aChange({
      key: 'ModelRates',
      before: '{"gpt-4o":{"rates":{"input":2.5,"output":10}}}',
      after: '{"gpt-4o":{"rates":{"input":2.5,"output":10},"fees":{"webSearch":0.01}}}',
    }),
  ])

  await screen.findByRole('button', { name: /gpt-4o.*0 项附加费用 → .*1 项附加费用/ })
})
