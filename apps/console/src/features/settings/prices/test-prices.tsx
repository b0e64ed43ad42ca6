import type { ListPrice, OptionKey, OptionRow, PricedModel } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { fakeServer, succeeded } from '../../../testing/fake-server.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { aStatus } from '../../../testing/samples.ts'
import type { KnownField } from '../option-values.ts'
import { optionsQuery } from '../queries.ts'
import { aField, factsOf } from '../test-settings.tsx'
import { PricesSection } from './prices-section.tsx'

const PRICES: Partial<Record<OptionKey, string>> = {
  ModelRates: '{"carded":{"rates":{"input":2,"output":10},"tiers":[{"when":{"serviceTier":"priority"},"multiply":2}]}}',
  ModelPrice: '{"dall-e-3":0.04,"gizmo":0.1}',
  ModelRatio: '{"gpt-4o":1.25,"gizmo":15,"reef":2}',
  CompletionRatio: '{"gpt-4o":3}',
  CacheRatio: '{}',
}
const FIELDS: KnownField[] = Object.keys(PRICES).map((key) => aField(key as OptionKey, { kind: 'json', default: '{}' }))

interface Options {
  view?: 'json' | 'visual' | 'unset'
  search?: string
  enabled?: string[]
  routes?: Parameters<typeof fakeServer>[0]
}

/** Opens the prices on a server that keeps what it is sent. */
export function openPrices({ view = 'visual', search = '', enabled = ['gpt-4o'], routes = {} }: Options = {}) {
  const rows = new Map(Object.entries(PRICES))
  const facts = Object.keys(PRICES).map((key) =>
    factsOf(key as OptionKey, { kind: 'json', default: key === 'ModelRatio' ? '{"gpt-4o":1.25}' : '{}' }),
  )
  const { seen } = fakeServer({
    'GET /api/option': () =>
      succeeded([...rows].map(([key, value]): OptionRow => ({ key, value, etag: `"${encodeURIComponent(value)}"` }))),
    'GET /api/option/schema': succeeded(facts),
    'GET /api/status': succeeded(aStatus()),
    'GET /api/channel/models_enabled': () => succeeded(enabled),
    'GET /api/option/list_price': succeeded(LIST_PRICE),
    'GET /api/pricing': { json: { success: true, data: PRICED, group_ratio: {}, usable_group: {} } },
    'PUT /api/option': ({ body }) => {
      const { key, value } = body as OptionRow
      rows.set(key, value)
      return succeeded()
    },
    ...routes,
  })
  renderScreen(Prices, { at: `/admin/settings?prices=${view}${search}` })
  return {
    seen,
    saved: () => seen.filter(({ method }) => method === 'PUT'),
    stored: (key: OptionKey) => JSON.parse(rows.get(key)!) as Record<string, unknown>,
  }
}

/** The section as its page draws it, without the others. */
function Prices() {
  const { data } = useQuery(optionsQuery)
  return data && <PricesSection fields={FIELDS} options={data} onUnsaved={() => {}} />
}

const LIST_PRICE = {
  version: '2026-11-10',
  model: 'reef',
  list: { rates: { input: 3, output: 12 }, fees: { webSearch: 0.01 } },
  current: { rates: { input: 4, output: 8 } },
  schedules: {},
} satisfies ListPrice

/** What is on offer is billed by the product's own rule, whatever is set. */
const PRICED = [{ model_name: 'gpt-4o', completion_ratio: 4 } as PricedModel]

/** The row of a model in the list, not in a dialog above it. */
export const rowOf = (name: string) =>
  waitFor(() => {
    const names = screen.getAllByText(name, { selector: '.mono' })
    return names.find((place) => !place.closest('[role="dialog"]'))!.closest('tr')!
  })

/** Turns the figure of a model into a field and writes into it. */
export function writeFigure(figure: RegExp, text: string): void {
  fireEvent.click(screen.getByRole('button', { name: figure }))
  const field = screen.getByRole('textbox', { name: figure })
  fireEvent.change(field, { target: { value: text } })
  fireEvent.keyDown(field, { key: 'Enter' })
}

export const inDialog = async () => within(await screen.findByRole('dialog'))
