import { cleanJson, jsonText } from '@tidegate/storage'
import { sql, type RawBuilder } from 'kysely'

/** One text for many rows: a parameter for each value would cost more than the rows themselves. */
export function json(rows: readonly object[]): RawBuilder<string> {
  return sql`${jsonText(rows)}::json`
}

/** The same of rows that are written as JSON already. */
export function jsonOf(texts: readonly string[]): RawBuilder<string> {
  return sql`${cleanJson(`[${texts.join(',')}]`)}::json`
}
