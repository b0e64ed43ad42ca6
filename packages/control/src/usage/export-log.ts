import type { api, Settings } from '@tidegate/contract'
import type { LogCursor, LogFilters, LogRow, LogStore } from '@tidegate/storage'
import { csvLine } from '../http/csv.ts'
import { AccessRevoked } from '../http/send-stream.ts'

/** Rows per query: few round trips, little memory. */
const CHUNK = 500

interface ExportOptions {
  filters: LogFilters
  view(row: LogRow): api.UsageLog
  settings: Pick<Settings, 'QuotaPerUnit'>
  /** Whether the caller may still read the log. */
  isAllowed(): Promise<boolean>
}

/** The log as CSV lines, newest first, read while streaming. Throws `AccessRevoked` when the session or token ended. */
export async function* exportLog(
  logs: LogStore,
  { filters, view, settings: { QuotaPerUnit }, isAllowed }: ExportOptions,
  signal: AbortSignal,
): AsyncGenerator<string> {
  yield csvLine(HEADER)
  let last: LogCursor | undefined
  while (!signal.aborted) {
    const { rows, next } = await logs.page(filters, { after: last, limit: CHUNK })
    if (rows.length > 0) yield rows.map((row) => csvLine(cells(view(row), QuotaPerUnit))).join('')
    if (!next) return
    last = next
    if (!(await isAllowed())) throw new AccessRevoked()
  }
}

const HEADER = [
  'time',
  'type',
  'user_id',
  'username',
  'token',
  'group',
  'model',
  'stream',
  'seconds',
  'input_tokens',
  'output_tokens',
  'quota',
  'usd',
  'channel',
  'channel_name',
  'address',
  'request_id',
  'content',
  'details',
]

function cells(row: api.UsageLog, quotaPerUnit: number) {
  return [
    new Date(row.created_at * 1000).toISOString(),
    row.type,
    row.user_id,
    row.username,
    row.token_name,
    row.group,
    row.model_name,
    row.is_stream,
    row.use_time,
    row.prompt_tokens,
    row.completion_tokens,
    row.quota,
    (row.quota / quotaPerUnit).toFixed(6),
    row.channel,
    row.channel_name,
    row.client_ip,
    row.request_id,
    row.content,
    row.other,
  ]
}
