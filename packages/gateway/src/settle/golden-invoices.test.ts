import { readFileSync } from 'node:fs'
import type { BillingFacts, Fee, FeeCount } from '@tidegate/contract'
import { billingFacts, type BillingProtocol, type Tree } from '@tidegate/dialects'
import { invoiceOf, type RateCard, type Schedule } from '@tidegate/pricing'
import { describe, expect, it } from 'vitest'

/** One bill of a provider, worked out by hand; `source` and `note` say where its figures come from. */
interface GoldenRow {
  readonly id: string
  readonly model: string
  readonly protocol: string
  readonly at: string
  readonly request?: { quality?: string; size?: string }
  readonly response: Tree & { headers?: Record<string, string> }
  readonly groupRatio?: number
  readonly endpointTier?: string
  readonly channelRegion?: string
  readonly expect: {
    readonly usd: string
    readonly quota: number
    readonly lines: readonly { bucket?: string; fee?: string; count: number }[]
  }
}

interface Catalogue {
  readonly schedules: Readonly<Record<string, Schedule>>
  readonly models: readonly { model: string; aliases?: readonly string[]; prices: readonly RateCard[] }[]
}

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as unknown
const { rows } = read('../../../pricing/src/golden/invoices.json') as { rows: readonly GoldenRow[] }
const catalogue = read('../../../pricing/catalogue/prices.json') as Catalogue
const cards = new Map(
  catalogue.models.flatMap(({ model, aliases = [], prices }) => [model, ...aliases].map((name) => [name, prices])),
)

const PROTOCOLS: Readonly<Record<string, BillingProtocol>> = {
  'openai-compatible': 'openai-chat',
  embeddings: 'openai-chat',
  gemini: 'gemini-generate',
}

function factsOf({ protocol, response, request, endpointTier, channelRegion }: GoldenRow): BillingFacts {
  const facts =
    protocol === 'unit'
      ? { usage: {}, inputLength: 0, fees: unitsOf(response) }
      : billingFacts(PROTOCOLS[protocol] ?? (protocol as BillingProtocol), response, response.headers)
  const key = [request?.quality, request?.size].filter(Boolean).join(' ')
  return {
    ...facts,
    fees: facts.fees.map((fee) => (fee.fee === 'imageBySizeQuality' ? { ...fee, key } : fee)),
    ...(endpointTier && { serviceTier: endpointTier }),
    ...(channelRegion && { region: channelRegion }),
  }
}

/** What endpoints that are not billed by tokens count themselves. */
function unitsOf(response: Tree): FeeCount[] {
  return Object.entries(response).map(([fee, count]) =>
    Array.isArray(count)
      ? { fee: fee as Fee, key: String(count[0]), count: Number(count[1]) }
      : { fee: fee as Fee, count: Number(count) },
  )
}

const totals = (lines: readonly { name: string; count: number }[]) => {
  const sums: Record<string, number> = {}
  for (const { name, count } of lines) sums[name] = (sums[name] ?? 0) + count
  return sums
}

describe('a golden invoice is billed to the unit', () => {
  it.each(rows)('$id $model', (row) => {
    const invoice = invoiceOf(factsOf(row), {
      model: row.model,
      at: new Date(row.at),
      schedules: catalogue.schedules,
      cardsOf: (model) => cards.get(model),
      groupRatio: row.groupRatio ?? 1,
      quotaPerUnit: 500_000,
    })

    expect(invoice).toMatchObject({ usd: Number(row.expect.usd), quota: row.expect.quota, unpriced: [] })
    expect(totals(invoice!.lines.map(({ item, count }) => ({ name: item, count })))).toEqual(
      totals(row.expect.lines.map(({ bucket, fee, count }) => ({ name: (bucket ?? fee)!, count }))),
    )
  })
})
