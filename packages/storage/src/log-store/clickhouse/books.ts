import type { ClickHouse } from './clickhouse.ts'
import { since } from './conditions.ts'
import { ch, raw } from './query.ts'

/** What a log store has, to compare it with the ledger. Only rows that sums of usage count. */
export interface LogBooks {
  /** By hour, without some parcels. */
  sumHours(from: Date, without: readonly string[]): Promise<LoggedHour[]>
  /** By the token of the parcel. */
  sumParcels(from: Date): Promise<LoggedParcel[]>
  /** The newest rows with what their price is computed from. */
  newestBills(limit: number): Promise<LoggedBill[]>
}

export interface LoggedHour {
  /** Unix seconds of its start. */
  hour: number
  rows: number
  quota: number
}

export interface LoggedParcel {
  token: string
  rows: number
  quota: number
}

export interface LoggedBill {
  id: number
  request_id: string
  quota: number
  prompt_tokens: number
  completion_tokens: number
  other: Record<string, unknown>
}

const BILLED = raw('type = 2 and not is_test and not is_imported')

export function clickHouseBooks(clickhouse: ClickHouse): LogBooks {
  return {
    sumHours: (from, without) =>
      clickhouse.rows(ch`
        select toUnixTimestamp(toStartOfHour(created_at)) as hour, count() as rows, sum(quota) as quota from usage_log
        where ${BILLED} and ${since(from)} and toString(parcel) not in ${['', ...without]} group by hour`),
    sumParcels: (from) =>
      clickhouse.rows(ch`
        select toString(parcel) as token, count() as rows, sum(quota) as quota from usage_log
        where ${BILLED} and ${since(from)} group by parcel`),
    async newestBills(limit) {
      const rows = await clickhouse.rows<Omit<LoggedBill, 'other'> & { other: string }>(ch`
        select id, request_id, quota, prompt_tokens, completion_tokens, other from usage_log
        where ${BILLED} order by created_at desc, id desc limit ${limit}`)
      return rows.map(({ other, ...row }) => ({ ...row, other: JSON.parse(other) as Record<string, unknown> }))
    },
  }
}
