import { readFileSync } from 'node:fs'
import {
  CATALOGUE,
  NO_TOKENS,
  readSettings,
  type Fee,
  type FeeCount,
  type ServiceTerms,
  type UsageReport,
} from '@tidegate/contract'
import {
  anthropicReport,
  asText,
  asJsonObject,
  readChatUsage,
  readGeminiUsage,
  readImageUsage,
  readRealtimeUsage,
  readResponsesUsage,
  type JsonObject,
} from '@tidegate/dialects'
import {
  affordableOutput,
  completionTokens,
  computeReceipt,
  imagePriceOf,
  logFactors,
  toReceiptData,
  pieceUsage,
  priceOf,
  promptTokens,
  recomputeQuota,
  worstCaseQuota,
  type PriceBook,
  type RequestBound,
} from '@tidegate/pricing'
import { describe, expect, it } from 'vitest'

/** One bill of a provider, computed by hand; `source` and `note` state where its numbers come from. */
interface GoldenRow {
  readonly id: string
  readonly model: string
  readonly protocol: string
  readonly at: string
  readonly request?: { quality?: string; size?: string }
  readonly response: JsonObject & { headers?: Record<string, string> }
  readonly groupRatio?: number
  readonly endpointTier?: string
  readonly channelRegion?: string
  readonly expect: {
    readonly usd: string
    readonly quota: number
    readonly lines: readonly { bucket?: string; fee?: string; count: number }[]
  }
}

interface GoldenReservation {
  readonly id: string
  readonly model: string
  readonly request: JsonObject
  readonly promptTokens: number
  readonly outputLimit: number
  readonly lengthForTier: number
  readonly balanceUsd?: string
  readonly expect: { readonly quota: number; readonly affordableOutput?: number; readonly arithmetic: string }
}

interface Golden {
  readonly rows: readonly GoldenRow[]
  readonly reservations: readonly GoldenReservation[]
  readonly externalBills: readonly (GoldenRow & { ourUsd: string; fits: boolean })[]
}

const golden = JSON.parse(
  readFileSync(new URL('../../pricing/test/golden/invoices.json', import.meta.url), 'utf8'),
) as Golden
const settings = readSettings(new Map())

const REPORTS: Readonly<Record<string, (response: JsonObject) => UsageReport>> = {
  'openai-chat': (response) => readChatUsage(response, asJsonObject(response.usage) ?? {}),
  'openai-responses': (response) => readResponsesUsage(response, asJsonObject(response.usage) ?? {}),
  'anthropic-messages': (response) => anthropicReport(asJsonObject(response.usage) ?? {}),
  'gemini-generate': readGeminiUsage,
  'openai-images': (response) =>
    readImageUsage(response) ?? withTerms({ fees: [{ fee: 'imageBySizeQuality', count: imagesIn(response) }] }),
  'openai-realtime': (response) => readRealtimeUsage(asJsonObject(asJsonObject(response.response)?.usage) ?? {}),
  unit: (response) => withTerms({ fees: unitsOf(response) }),
}
const SAME_PROTOCOLS: Readonly<Record<string, string>> = {
  'openai-compatible': 'openai-chat',
  embeddings: 'openai-chat',
  gemini: 'gemini-generate',
}

function withTerms(terms: ServiceTerms): UsageReport {
  return { ...NO_TOKENS, terms }
}

function imagesIn({ data }: JsonObject): number {
  return Array.isArray(data) ? data.length : 0
}

function reportOf({ protocol, response, request, endpointTier, channelRegion }: GoldenRow): UsageReport {
  const report = REPORTS[SAME_PROTOCOLS[protocol] ?? protocol]!(response)
  const key = [request?.quality, request?.size].filter(Boolean).join(' ')
  const header = response.headers?.['x-gemini-service-tier']
  const tier = endpointTier ?? (header === 'standard' ? undefined : header)
  return {
    ...report,
    terms: {
      ...report.terms,
      fees: (report.terms?.fees ?? []).map((fee) => (fee.fee === 'imageBySizeQuality' ? { ...fee, key } : fee)),
      ...(tier && { serviceTier: tier }),
      ...(channelRegion && { region: channelRegion }),
    },
  }
}

/** The usage that endpoints not billed by tokens count themselves. */
function unitsOf(response: JsonObject): FeeCount[] {
  return Object.entries(response).map(([fee, count]) =>
    Array.isArray(count)
      ? { fee: fee as Fee, key: String(count[0]), count: Number(count[1]) }
      : { fee: fee as Fee, count: Number(count) },
  )
}

/** List prices, independent of the default ratios of a new site. */
function bookOf(groupRatio: number): PriceBook {
  return {
    ...settings,
    ModelPrice: {},
    ModelRatio: {},
    CompletionRatio: {},
    CacheRatio: {},
    GroupRatio: { g: groupRatio },
  }
}

function billOf(row: GoldenRow) {
  const question = { modelName: row.model, upstreamName: row.model, group: 'g', acceptUnset: false }
  const book = bookOf(row.groupRatio ?? 1)
  const images = row.expect?.lines.find(({ fee }) => fee?.startsWith('image'))
  const price = images ? imagePriceOf(book, question, row.request ?? {}) : priceOf(book, question)
  const usage = images ? pieceUsage(images.count) : { ...reportOf(row), estimated: false }
  return { usage, receipt: computeReceipt(price, usage, new Date(row.at)) }
}

const totals = (lines: readonly { name: string; count: number }[]) => {
  const sums: Record<string, number> = {}
  for (const { name, count } of lines) sums[name] = (sums[name] ?? 0) + count
  return sums
}

/** Models priced per request, search or image have a price per call or piece. */
const PIECES: Readonly<Record<string, string>> = {
  request: 'call',
  image: 'pieces',
  imageBySizeQuality: 'pieces',
}

describe('a golden invoice is billed to the unit', () => {
  it.each(golden.rows)('$id $model', (row) => {
    const { usage, receipt } = billOf(row)

    expect(receipt).toMatchObject({ quota: row.expect.quota, unpriced: [] })
    expect(totals(receipt.lines.map(({ item, count }) => ({ name: item, count })))).toEqual(
      totals(
        row.expect.lines.map(({ bucket, fee, count }) => ({ name: PIECES[fee ?? ''] ?? (bucket ?? fee)!, count })),
      ),
    )
    const other = JSON.parse(JSON.stringify(logFactors(toReceiptData(receipt), usage))) as Record<string, unknown>
    const logged = { promptTokens: promptTokens(usage), completionTokens: completionTokens(usage), other }
    expect(recomputeQuota(logged)).toBe(row.expect.quota)
  })

  it('names only models of the catalog', () => {
    const named = new Set(golden.rows.map(({ model }) => model))
    const known = new Set(CATALOGUE.flatMap(({ model, aliases = [] }) => [model, ...aliases]))

    expect([...named].filter((model) => !known.has(model))).toEqual([])
  })
})

describe('a bill that a provider reported', () => {
  it.each(golden.externalBills.filter(({ fits }) => fits))('$id $model equals our own result', (row) => {
    const { receipt } = billOf({ ...row, protocol: row.protocol })

    expect(receipt.quota).toBe(Math.max(1, Math.round(Number(row.ourUsd) * 500_000)))
  })
})

describe('a golden reservation', () => {
  const at = new Date('2026-11-16T06:00:00Z')

  it.each(golden.reservations)('$id $model', ({ model, request, promptTokens: prompt, ...row }) => {
    const price = priceOf(bookOf(1), { modelName: model, upstreamName: model, group: 'g', acceptUnset: false })
    const searches = Array.isArray(request.tools) ? Number(request.max_tool_calls) : 0
    const bound: RequestBound = {
      promptTokens: prompt + searches * 8000,
      outputLimit: row.outputLimit,
      choices: Number(request.n ?? 1),
      cacheWrite: JSON.stringify(request).includes('"1h"') ? '1h' : '5m',
      audioInput: false,
      audioOutput: false,
      at,
      tierLength: row.lengthForTier,
      terms: {
        ...(request.service_tier !== undefined && { serviceTier: asText(request.service_tier) }),
        ...(request.speed !== undefined && { speed: asText(request.speed) }),
        ...(request.inference_geo !== undefined && { region: asText(request.inference_geo) }),
      },
      fees: searches > 0 ? [{ fee: 'webSearch', count: searches }] : [],
    }

    expect(worstCaseQuota(price, bound), row.expect.arithmetic).toBe(row.expect.quota)
    if (row.balanceUsd !== undefined) {
      const balance = Number(row.balanceUsd) * 500_000
      expect(affordableOutput(price, balance, bound)).toBe(row.expect.affordableOutput)
    }
  })
})
