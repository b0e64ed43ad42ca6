import { ApiError, isOptionKey, optionDefinition, type OptionKey, parseOption } from '@tidegate/contract'
import type { Product } from '../products/product.ts'
import type { Report } from '../report.ts'
import { text } from '../sources/cells.ts'
import type { Row, Source } from '../sources/source.ts'
import type { ImportOption } from './import-data.ts'

/** Each product has its own defaults for these, and stores them only after a change. */
const PRICE_OPTIONS: readonly OptionKey[] = ['ModelRatio', 'CompletionRatio', 'CacheRatio', 'ModelPrice']

/** Options that exist here under the same or another name and have a valid value. */
export async function readOptions(source: Source, product: Product, report: Report): Promise<ImportOption[]> {
  if ((await source.columnsOf('options')).size === 0) return []
  const rows = await source.all('options')
  report.counts.options.found = rows.length
  const set = new Set(rows.map((row) => text(row, 'key')))
  for (const key of PRICE_OPTIONS) {
    if (!set.has(key)) report.note('options', 'changed', 'not set in the source: our defaults apply', key)
  }
  return rows.flatMap((row) => readOption(row, product, report) ?? [])
}

function readOption(row: Row, { optionNames }: Product, report: Report): ImportOption | undefined {
  const sourceKey = text(row, 'key')
  const key = optionNames[sourceKey] ?? sourceKey
  const value = text(row, 'value')
  if (!isOptionKey(key)) return report.note('options', 'left', 'does not exist here', sourceKey)
  try {
    return { key, text: readText(key, value, report) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const reason = value.trim() === '' ? 'blank in the source' : 'value is not valid here'
    report.note('options', 'left', reason, `${sourceKey}: ${error.message}`)
    return undefined
  }
}

function readText(key: OptionKey, value: string, report: Report): string {
  const { format } = optionDefinition(key)
  const read = parseOption(key, value)
  const { ratios, added } = withDefaultRatios(key, read)
  if (added > 0) {
    const reason = 'models without a value in the source get our defaults'
    report.note('options', 'changed', reason, `${key}: ${added}`)
  }
  return format(ratios)
}

/**
 * Ratios that those products define partly in their code and not in the option. With the option alone, output and
 * cached input of all other models would be sold at the price of plain input.
 */
const RATIO_OPTIONS: ReadonlySet<OptionKey> = new Set(['CompletionRatio', 'CacheRatio'])

/** Adds our default ratios where the map has none; other options stay as they are. */
function withDefaultRatios(key: OptionKey, value: unknown): { ratios: unknown; added: number } {
  if (!RATIO_OPTIONS.has(key)) return { ratios: value, added: 0 }
  const imported = value as Record<string, number>
  const defaults = optionDefinition(key).default as Record<string, number>
  const missing = Object.keys(defaults).filter((name) => !Object.hasOwn(imported, name))
  return { ratios: { ...defaults, ...imported }, added: missing.length }
}
