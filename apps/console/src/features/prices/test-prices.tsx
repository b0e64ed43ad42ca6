import type { ListPrice, OptionFacts, OptionKey, OptionRow, PricedModel } from '@tidegate/contract/api'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { fakeServer, succeeded } from '../../../test/fake-server.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aStatus, aUser } from '../../../test/samples.ts'
import { rememberUser } from '../../api/session.ts'
import PricesPage from './prices-page.tsx'

const OPTIONS: Partial<Record<OptionKey, string>> = {
  ModelRates: '{"carded":{"rates":{"input":2,"output":10},"tiers":[{"when":{"serviceTier":"priority"},"multiply":2}]}}',
  ModelPrice: '{"dall-e-3":0.04,"gizmo":0.1}',
  ModelRatio: '{"gpt-4o":1.25,"gizmo":15,"reef":2}',
  CompletionRatio: '{"gpt-4o":3}',
  CacheRatio: '{}',
  GroupRatio: '{"default":1,"vip":0.9}',
  UserUsableGroups: '{"default":"Everyone"}',
  AutoGroups: '[]',
  DefaultUseAutoGroup: 'false',
}

const OFFERED = ['gpt-4o', 'dall-e-3', 'gizmo', 'reef', 'carded']

interface Setup {
  search?: string
  enabled?: string[]
  role?: number
  areas?: string[]
  routes?: Parameters<typeof fakeServer>[0]
}

/** Opens the page on a server that stores what it receives. */
export function openPrices({ search = '', enabled = OFFERED, role = 100, areas = [], routes = {} }: Setup = {}) {
  rememberUser(aUser({ role, settings_areas: areas }))
  const rows = new Map(Object.entries(OPTIONS))
  const facts = Object.keys(OPTIONS).map((key): OptionFacts => ({
    key,
    kind: 'json',
    tab: 'operation',
    section: 'prices',
    default: key === 'ModelRatio' ? '{"gpt-4o":1.25}' : '{}',
    choices: [],
    secret: false,
    is_set: true,
  }))
  const { seen } = fakeServer({
    'GET /api/option': () =>
      succeeded([...rows].map(([key, value]): OptionRow => ({ key, value, etag: `"${encodeURIComponent(value)}"` }))),
    'GET /api/option/schema': succeeded(facts),
    'GET /api/status': succeeded(aStatus()),
    'GET /api/user/self': succeeded(aUser({ role, settings_areas: areas })),
    'GET /api/group': succeeded(['default', 'vip']),
    'GET /api/group/counts': succeeded({
      default: { users: 4999, channels: 12, models: 36 },
      vip: { users: 7, channels: 2, models: 5 },
    }),
    'GET /api/channel/models_enabled': () => succeeded(enabled),
    'GET /api/option/list_price': succeeded(LIST_PRICE),
    'GET /api/option/price_preset': succeeded(PRESET),
    'GET /api/pricing': {
      json: { success: true, data: PUBLISHED, group_ratio: { default: 1, vip: 0.9 }, usable_group: {} },
    },
    'POST /api/option/simulate_prices': succeeded(NO_REQUESTS),
    'PUT /api/option/batch': ({ body }) => {
      const { options } = body as { options: OptionRow[] }
      for (const { key, value } of options) rows.set(key, value)
      return succeeded(options.map(({ key }) => ({ key, etag: '"next"' })))
    },
    ...routes,
  })
  const view = renderScreen(Page, { at: `/admin/prices${search}` })
  return {
    ...view,
    seen,
    saved: () => seen.filter(({ method }) => method === 'PUT'),
    stored: (key: OptionKey) => JSON.parse(rows.get(key)!) as Record<string, unknown>,
    /** Simulates a change by another administrator. */
    change: (key: OptionKey, value: string) => rows.set(key, value),
  }
}

const Page = () => (
  <PricesPage renderRawChange={({ key }) => `raw ${key}`} renderPanel={(panel) => `the forms of ${panel}`} />
)

const LIST_PRICE = {
  version: '2026-11-10',
  model: 'reef',
  list: { rates: { input: 3, output: 12 }, fees: { webSearch: 0.01 } },
  current: { rates: { input: 4, output: 8 } },
  schedules: {},
} satisfies ListPrice

export const PRESET = {
  source: 'mixed',
  version: '2026.11',
  model_price: {},
  model_ratio: { 'gpt-4o': 2, reef: 2, zebra: 0.5, elsewhere: 1 },
  completion_ratio: { zebra: 4 },
  cache_ratio: {},
}

const NO_REQUESTS = {
  from: 1_794_000_000,
  to: 1_794_700_000,
  billed: 0,
  before: 0,
  after: 0,
  rows: [],
  others: { rows: 0, billed: 0, before: 0, after: 0 },
}

const published = (model_name: string, output: number): PricedModel => ({
  model_name,
  quota_type: 0,
  model_ratio: 1,
  model_price: 0,
  owner_by: 'OpenAI',
  completion_ratio: output,
  enable_groups: ['default', 'vip'],
  abilities: [],
  priced_group: 'default',
  rates: { input: 1, output, cacheRead: 0.5, cacheWrite5m: 1.25 },
})
const PUBLISHED = [published('gpt-4o', 4), published('reef', 2)]

/** The row of a model in the table, not in a dialog above it. */
export const rowOf = (name: string) =>
  waitFor(() => {
    const names = screen.getAllByText(name, { selector: '.mono' })
    return names.find((place) => !place.closest('[role="dialog"]'))!.closest('tr')!
  })

/** Types a text into the cell of a price and leaves it with a key. */
export function writePrice(label: RegExp, text: string, key = 'Enter'): void {
  fireEvent.click(screen.getByRole('button', { name: label }))
  const field = screen.getByRole('textbox', { name: label })
  fireEvent.change(field, { target: { value: text } })
  fireEvent.keyDown(field, { key })
}

export const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
export const publish = () => press(/^发\s*布$/)
/** Publishes a change of more than 50%, which needs a confirmation. */
export async function publishLarge(): Promise<void> {
  publish()
  const question = (await screen.findByText(/确定发布/, { selector: '.ant-modal-confirm-title' })).closest<HTMLElement>(
    '.ant-modal-confirm',
  )!
  fireEvent.click(within(question).getByRole('button', { name: /^发\s*布$/ }))
}

export const inDialog = async () => within(await screen.findByRole('dialog'))

/** Opens the dialog with all prices of a model. */
export async function openDetails(name: string) {
  await rowOf(name)
  press(`${name} 的操作`)
  fireEvent.click(await screen.findByText('编辑价格、阶梯和附加费用'))
  return inDialog()
}
