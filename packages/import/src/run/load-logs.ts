import { importedRows, jsonText, postgresLogStore, type Db } from '@tidegate/storage'
import type { Product } from '../products/product.ts'
import type { Report } from '../report.ts'
import { count, flag, MAX_INTEGER, text, unixTime } from '../sources/cells.ts'
import type { Row, SinceTime, Source } from '../sources/source.ts'
import type { ImportedIds } from '../plan/site-state.ts'

const BATCH = 1_000
const MAX_CONTENT_LENGTH = 10_000

interface LogOptions {
  readonly name: string
  readonly product: Product
  readonly imported: ImportedIds
  readonly since: Date | undefined
  readonly report: Report
}

/** Counts the log rows to import. */
export async function countLogs(source: Source, { imported, since, report }: LogOptions): Promise<void> {
  if ((await source.columnsOf('logs')).size === 0) return
  const total = await source.countRows('logs', { ...sinceTime(since) })
  const left = await source.countRows('logs', { after: imported.idOf('log', '') ?? 0, ...sinceTime(since) })
  Object.assign(report.counts.logs, { found: total, carried: left, present: total - left })
}

/**
 * Copies the log for reading only: no roll-up counts it, because the imported balances include it. Each batch commits
 * with its position, so that the next run continues after an interruption.
 */
export async function loadLogs(db: Db, source: Source, options: LogOptions): Promise<void> {
  const { imported, since, report, name } = options
  await countLogs(source, options)
  if (report.counts.logs.carried === 0) return
  report.counts.logs.carried = 0
  let batch: Row[] = []
  const write = async () => {
    const rows = batch.flatMap((row) => toLogRow(row, options) ?? [])
    for (const day of new Set(rows.map(({ created_at }) => created_at.toISOString().slice(0, 10)))) {
      await postgresLogStore(db).prepare({ from: new Date(day), days: 1 })
    }
    await db.transaction().execute(async (transaction) => {
      await postgresLogStore(transaction).append(rows)
      await importedRows.saveProgress(transaction, name, 'log', count(batch.at(-1)!, 'id'))
    })
    report.counts.logs.carried += rows.length
    batch = []
  }
  for await (const row of source.rows('logs', { after: imported.idOf('log', '') ?? 0, ...sinceTime(since) })) {
    batch.push(row)
    if (batch.length === BATCH) await write()
  }
  if (batch.length > 0) await write()
}

function sinceTime(since: Date | undefined): { since?: SinceTime } {
  return since ? { since: { column: 'created_at', seconds: Math.floor(since.getTime() / 1000) } } : {}
}

function toLogRow(row: Row, { product, imported, report }: LogOptions) {
  const note = (reason: string) => report.note('logs', 'left', reason, `row ${text(row, 'id')}`)
  const user = imported.idOf('user', text(row, 'user_id'))
  const created_at = unixTime(row, 'created_at')
  const type = product.logTypes[count(row, 'type')]
  if (user === undefined) return note('its user is not imported')
  if (!created_at) return note('has no timestamp')
  if (type === undefined) return note(`log type ${count(row, 'type')} is not supported`)
  const { column, unitMs } = product.logDuration
  return {
    created_at,
    type,
    user_id: user,
    username: text(row, 'username'),
    token_id: imported.idOf('token', text(row, 'token_id')) ?? 0,
    token_name: text(row, 'token_name'),
    model_name: text(row, 'model_name'),
    quota: count(row, 'quota'),
    prompt_tokens: count(row, 'prompt_tokens'),
    completion_tokens: count(row, 'completion_tokens'),
    use_time_ms: Math.min(Math.max(0, count(row, column) * unitMs), MAX_INTEGER),
    is_stream: flag(row, 'is_stream'),
    channel_id: imported.idOf('channel', text(row, 'channel_id')) ?? 0,
    group: text(row, 'group'),
    client_ip: text(row, 'ip'),
    request_id: text(row, 'request_id'),
    content: text(row, 'content').slice(0, MAX_CONTENT_LENGTH),
    other: jsonText({ imported: product.name }),
  }
}
