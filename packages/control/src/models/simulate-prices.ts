import { setImmediate as yieldEventLoop } from 'node:timers/promises'
import { type api, ApiError, guardOption, isOptionKey, parseOption, type Settings } from '@tidegate/contract'
import {
  costOfRequest,
  costOfUnits,
  type PriceBook,
  readSoldUnits as unitsOfRow,
  type SoldUnits,
} from '@tidegate/pricing'
import { type SampledRow, type SoldRow, soldUnits } from '@tidegate/storage'
import type { Deps } from '../deps.ts'

const DAY_MS = 86_400_000
const DAYS = 7
const MAX_ROWS = 200
/** Approximate number of requests priced individually. */
const SAMPLE_SIZE = 10_000

/** What the requests of the last seven days would have cost with these changes, next to their cost at today's prices. */
export async function simulatePrices(
  { db, logs, catalog, now }: Pick<Deps, 'db' | 'logs' | 'catalog' | 'now'>,
  changes: readonly { key: string; value: string }[],
) {
  const { settings } = catalog()
  const proposed = settingsWith(settings, changes)
  const today = Math.floor(now().getTime() / DAY_MS) * DAY_MS
  const week = new Date(today - (DAYS - 1) * DAY_MS)
  const [sold, first] = await Promise.all([soldUnits.listSince(db, week), soldUnits.firstDay(db)])
  const requests = sold.reduce((sum, row) => sum + row.requests, 0)
  const percent = Math.min(100, (100 * SAMPLE_SIZE) / Math.max(1, requests))
  const sampled = Map.groupBy(await logs.sample(week, percent), (row) => keyOf(row))

  const rows: api.SimulatedRow[] = []
  for (const row of sold) {
    rows.push(repriceRow(row, sampled.get(keyOf(row)) ?? [], { settings, proposed }))
    await yieldEventLoop()
  }
  rows.sort(byChange)
  const others = rows.slice(MAX_ROWS)
  return {
    from: Math.max(week.getTime(), first?.getTime() ?? today) / 1000,
    to: Math.floor(now().getTime() / 1000),
    ...total(rows),
    rows: rows.slice(0, MAX_ROWS),
    others: { rows: others.length, ...total(others) },
  }
}

const keyOf = ({ price_name, group }: { price_name: string; group: string }) => `${group}\n${price_name}`

function repriceRow(
  row: SoldRow,
  sample: readonly SampledRow[],
  { settings, proposed }: { settings: Settings; proposed: Settings },
): api.SimulatedRow {
  const units = unitsOf(row)
  const before = estimateCost(settings, row, units, sample)
  const after = estimateCost(proposed, row, units, sample)
  const { calls: _calls, pieces: _pieces, ...tokens } = units
  return {
    model_name: row.price_name,
    group: row.group,
    requests: row.requests,
    tokens: Object.values(tokens).reduce((sum, count) => sum + count, 0),
    billed: row.quota,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    basis: sample.length === 0 ? 'sums' : isComplete(row, sample) ? 'requests' : 'sample',
  }
}

/** Every request is in the sample. */
const isComplete = ({ requests }: SoldRow, sample: readonly SampledRow[]) => sample.length >= requests

/**
 * Cost of the sums at the average request, corrected by tiers, fees and rounding of the sample. If every request was
 * read, the sum of their costs.
 */
function estimateCost(
  book: PriceBook,
  row: SoldRow,
  units: SoldUnits,
  sample: readonly SampledRow[],
): number | undefined {
  const name = { priceName: row.price_name, group: row.group }
  const ofSums = costOfUnits(book, name, units)
  if (sample.length === 0) return ofSums
  let exact = 0
  let sum: SoldUnits | undefined
  for (const { started_at, prompt_tokens, completion_tokens, other } of sample) {
    const logged = { promptTokens: prompt_tokens, completionTokens: completion_tokens, other }
    const cost = costOfRequest(book, name, logged, started_at)
    if (cost === undefined) return undefined
    exact += cost
    sum = addUnits(sum, unitsOfRow(logged))
  }
  if (isComplete(row, sample) || ofSums === undefined) return exact
  const scale = row.requests / sample.length
  return Math.max(0, Math.round(ofSums + (exact - (costOfUnits(book, name, sum!) ?? exact)) * scale))
}

function addUnits(one: SoldUnits | undefined, other: SoldUnits): SoldUnits {
  if (!one) return other
  const names = Object.keys(other) as (keyof SoldUnits)[]
  return Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as unknown as SoldUnits
}

function unitsOf(row: SoldRow): SoldUnits {
  return {
    calls: row.calls,
    pieces: row.pieces,
    input: row.input,
    cacheRead: row.cache_read,
    cacheWrite5m: row.cache_write,
    cacheWrite1h: row.cache_write_1h,
    audioInput: row.audio_in,
    output: row.output,
    audioOutput: row.audio_out,
  }
}

/** Largest change first; ties by name, for a stable order. */
function byChange(one: api.SimulatedRow, other: api.SimulatedRow): number {
  const names = one.model_name.localeCompare(other.model_name) || one.group.localeCompare(other.group)
  return change(other) - change(one) || names
}

function change({ before = 0, after = 0 }: api.SimulatedRow): number {
  return Math.abs(after - before)
}

function total(rows: readonly api.SimulatedRow[]): { billed: number; before: number; after: number } {
  const sum = (count: (row: api.SimulatedRow) => number) => rows.reduce((all, row) => all + count(row), 0)
  return {
    billed: sum(({ billed }) => billed),
    before: sum(({ before = 0 }) => before),
    after: sum(({ after = 0 }) => after),
  }
}

/** The settings after these changes, each validated. */
export function settingsWith(settings: Settings, changes: readonly { key: string; value: string }[]): Settings {
  const values = changes.map(({ key, value }) => {
    if (!isOptionKey(key)) throw new ApiError('option_unknown', { key })
    return [key, parseOption(key, value)] as const
  })
  const next: Settings = { ...settings, ...(Object.fromEntries(values) as Partial<Settings>) }
  // Checked together: the order of saving does not matter.
  for (const [key] of values) {
    const objection = guardOption(next, key, next[key])
    if (objection) throw new ApiError(objection.code, objection.details)
  }
  return next
}
