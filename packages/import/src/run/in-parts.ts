/** Postgres takes 65535 values in a statement; this many rows of the widest table fit. */
const ROWS_AT_ONCE = 500

export function inParts<Row>(rows: readonly Row[]): Row[][] {
  const parts = Math.ceil(rows.length / ROWS_AT_ONCE)
  return Array.from({ length: parts }, (_, part) => rows.slice(part * ROWS_AT_ONCE, (part + 1) * ROWS_AT_ONCE))
}
