import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { cleanJson, jsonText } from '../../connection/values.ts'
import type { NewLogRow } from '../log-store.ts'
import type { ChargedLogRow, LogBatchId, LogBatchWriter, LogWriter } from '../log-writer.ts'

const compress = promisify(zstdCompress)

/** Rows of one outbox row. Row IDs have room for `IDS_PER_PART`. */
const ROWS_PER_PART = 10_000
/** A row has the ID of its outbox row times this, plus its position in it. */
export const IDS_PER_PART = 32_768

/** Billed rows of an hour. */
export interface HourSum {
  /** Unix seconds of its start. */
  readonly hour: number
  rows: number
  quota: number
}

/** Packs the rows of a batch into one row of PostgreSQL, in the transaction of their charge. */
export const outboxLogWriter: LogWriter = {
  begin: (id) => new Packer(id),
}

/** Adds rows that have no charge. */
export async function appendToOutbox(db: Db, rows: readonly NewLogRow[]): Promise<void> {
  const packer = new Packer({ series: `append:${randomUUID()}`, batch: 0 })
  for (const row of rows) packer.addRow(withDefaults(row), undefined)
  for (const statement of await packer.statements()) await statement.execute(db)
}

/** Statements that put rows of the table into the outbox. Their times are in microseconds. */
export async function packRows(id: LogBatchId, rows: readonly ChargedLogRow[]): Promise<RawBuilder<unknown>[]> {
  const packer = new Packer(id)
  for (const row of rows) packer.addRow(row, isBilled(row) ? row.quota : undefined)
  return packer.statements()
}

class Packer implements LogBatchWriter {
  readonly #id: LogBatchId
  readonly #parts: Part[] = []

  constructor(id: LogBatchId) {
    this.#id = id
  }

  add(row: ChargedLogRow): void {
    this.addRow({ ...row, created_at: row.created_at * 1000 }, isBilled(row) ? row.quota : undefined)
  }

  /** Its time is in microseconds. `billed` is its charge, if sums of usage count the row. */
  addRow(row: MicrosecondRow, billed: number | undefined): void {
    let part = this.#parts.at(-1)
    if (!part || part.lines.length === ROWS_PER_PART) this.#parts.push((part = emptyPart()))
    const at = toInteger(row.created_at)
    part.lines.push(JSON.stringify(withIntegers(row)))
    part.first = Math.min(part.first, at)
    part.last = Math.max(part.last, at)
    if (billed === undefined) return
    const hour = Math.floor(at / HOUR_US) * 3600
    let sum = part.sums.get(hour)
    if (!sum) part.sums.set(hour, (sum = { hour, rows: 0, quota: 0 }))
    sum.rows += 1
    sum.quota += toInteger(billed)
  }

  async statements(): Promise<RawBuilder<unknown>[]> {
    const { checkpointed = [] } = this.#id
    if (this.#parts.length === 0) return checkpointed.length === 0 ? [] : [this.#insertCheckpoints(checkpointed)]
    return Promise.all(this.#parts.map((part, index) => this.#insert(part, index, index === 0 ? checkpointed : [])))
  }

  async #insert(part: Part, index: number, checkpointed: readonly string[]): Promise<RawBuilder<unknown>> {
    const { series, batch } = this.#id
    const payload = await compress(cleanJson(part.lines.join('\n')))
    const sums = jsonText([...part.sums.values()])
    return sql`
      insert into log_outbox (series, batch, rows, sums, first_at, last_at, checkpointed, bytes, payload)
      values (${index === 0 ? series : `${series} part ${index}`}, ${batch}, ${part.lines.length}, ${sums}::jsonb,
        ${moment(part.first)}, ${moment(part.last)}, ${checkpointed}, ${payload.length}, ${payload})`
  }

  #insertCheckpoints(checkpointed: readonly string[]): RawBuilder<unknown> {
    const { series, batch } = this.#id
    return sql`
      insert into log_outbox (series, batch, rows, checkpointed) values (${series}, ${batch}, 0, ${checkpointed})`
  }
}

interface MicrosecondRow {
  readonly created_at: number
  readonly [column: string]: unknown
}

const INTEGER_COLUMNS = [
  'created_at',
  'user_id',
  'token_id',
  'quota',
  'prompt_tokens',
  'completion_tokens',
  'use_time_ms',
  'channel_id',
]
const MAX_INT32 = 2 ** 31 - 1

/** ClickHouse rejects the whole parcel of a row with a fraction, or with a number that is too large. */
function withIntegers(row: MicrosecondRow): MicrosecondRow {
  const changes: Record<string, number> = {}
  for (const column of INTEGER_COLUMNS) {
    const value = row[column]
    const max = column === 'use_time_ms' ? MAX_INT32 : Number.MAX_SAFE_INTEGER
    if (typeof value !== 'number' || (Number.isInteger(value) && Math.abs(value) <= max)) continue
    changes[column] = toInteger(value, max)
  }
  return Object.keys(changes).length === 0 ? row : { ...row, ...changes }
}

function toInteger(value: number, max = Number.MAX_SAFE_INTEGER): number {
  return Math.min(Math.max(Math.round(value) || 0, -max), max)
}

/** In microseconds. */
const HOUR_US = 3_600_000_000

interface Part {
  readonly lines: string[]
  readonly sums: Map<number, HourSum>
  first: number
  last: number
}

function emptyPart(): Part {
  return { lines: [], sums: new Map(), first: Infinity, last: 0 }
}

/** Rounded outwards by the reader, because a Date has no microseconds. */
function moment(microseconds: number): Date {
  return new Date(Math.floor(microseconds / 1000))
}

/** Whether usage sums count the row: no channel tests, and no imported log. */
function isBilled({ type, other }: Pick<ChargedLogRow, 'type' | 'other'>): boolean {
  return type === 2 && !('test' in other) && !('imported' in other)
}

function microseconds(time: NewLogRow['created_at']): number {
  return (time === undefined ? Date.now() : new Date(time).getTime()) * 1000
}

function withDefaults({ created_at, other, ...row }: NewLogRow): MicrosecondRow {
  return { ...row, created_at: microseconds(created_at), other: other === undefined ? {} : JSON.parse(other) }
}
