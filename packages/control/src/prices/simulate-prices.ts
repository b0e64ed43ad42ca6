import type { api, Settings } from '@tidegate/contract'
import { costOfUnits, type PriceBook } from '@tidegate/pricing'
import { soldUnits, type SoldRow } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import { settingsWith } from './check-changes.ts'

const DAY_MS = 86_400_000
const DAYS = 7
const MAX_ROWS = 200

/** What the calls of the last seven days would have cost with these changes, next to what they cost at today's prices. */
export async function simulatePrices(
  { db, catalog, now }: Pick<Deps, 'db' | 'catalog' | 'now'>,
  changes: readonly { key: string; value: string }[],
) {
  const { settings } = catalog()
  const proposed = settingsWith(settings, changes)
  const today = Math.floor(now().getTime() / DAY_MS) * DAY_MS
  const week = new Date(today - (DAYS - 1) * DAY_MS)
  const [sold, first] = await Promise.all([soldUnits.since(db, week), soldUnits.firstDay(db)])

  const rows = sold.map((row) => priceAgain(row, settings, proposed)).toSorted(byChange)
  const others = rows.slice(MAX_ROWS)
  return {
    from: Math.max(week.getTime(), first?.getTime() ?? today) / 1000,
    to: Math.floor(now().getTime() / 1000),
    ...total(rows),
    rows: rows.slice(0, MAX_ROWS),
    others: { rows: others.length, ...total(others) },
  }
}

function priceAgain(row: SoldRow, settings: Settings, proposed: Settings): api.SimulatedRow {
  const cost = (book: PriceBook) =>
    costOfUnits(
      book,
      { priceName: row.price_name, group: row.group },
      {
        calls: row.calls,
        pieces: row.pieces,
        input: row.input,
        cacheRead: row.cache_read,
        cacheWrite5m: row.cache_write,
        cacheWrite1h: row.cache_write_1h,
        audioInput: row.audio_in,
        output: row.output,
        audioOutput: row.audio_out,
      },
    )
  const before = cost(settings)
  const after = cost(proposed)
  const { input, cache_read, cache_write, cache_write_1h, audio_in, output, audio_out } = row
  return {
    model_name: row.price_name,
    group: row.group,
    requests: row.requests,
    tokens: input + cache_read + cache_write + cache_write_1h + audio_in + output + audio_out,
    billed: row.quota,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  }
}

/** The largest change first; equal ones by name, so that the list stays the same. */
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
