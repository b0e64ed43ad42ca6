import { type RawBuilder, sql } from 'kysely'
import { cleanJson } from '../connection/values.ts'

/** A charged row, as settlement batches build it. */
export interface ChargedLogRow {
  /** Unix milliseconds. */
  readonly created_at: number
  readonly type: number
  readonly quota: number
  readonly other: Readonly<Record<string, unknown>>
  readonly [column: string]: unknown
}

/** Identifies the settlement batch that rows belong to. */
export interface LogBatchId {
  readonly series: string
  readonly batch: number
  /** Requests that have a checkpoint in a journal, which must not be billed too. */
  readonly checkpointed?: readonly string[]
}

/** Collects the rows of one batch, so that none has to stay in memory as an object. */
export interface LogBatchWriter {
  add(row: ChargedLogRow): void
  /** Statements for the transaction that charges the batch: its rows are stored with it, or not at all. */
  statements(): Promise<RawBuilder<unknown>[]>
}

/** How charged rows reach the log. It always begins in PostgreSQL, in the transaction of the charge. */
export interface LogWriter {
  begin(id: LogBatchId): LogBatchWriter
}

/** Writes to the table `usage_log`. */
export const tableLogWriter: LogWriter = {
  begin() {
    const rows: string[] = []
    return {
      add: (row) => void rows.push(JSON.stringify(row)),
      async statements() {
        return rows.length === 0 ? [] : [insertRows(cleanJson(`[${rows.join(',')}]`))]
      },
    }
  },
}

/** Takes a JSON array of rows whose times are Unix milliseconds. */
function insertRows(rows: string): RawBuilder<unknown> {
  return sql`
    insert into usage_log (created_at, type, user_id, username, token_id, token_name, model_name, quota, prompt_tokens,
      completion_tokens, use_time_ms, is_stream, channel_id, "group", client_ip, request_id, content, other)
    select to_timestamp(created_at / 1000.0), type, user_id, username, token_id, token_name, model_name, quota,
      prompt_tokens, completion_tokens, use_time_ms, is_stream, channel_id, "group", client_ip, request_id, content,
      other
    from json_to_recordset(${rows}::json) as r(created_at bigint, type smallint, user_id bigint, username text,
      token_id bigint, token_name text, model_name text, quota bigint, prompt_tokens bigint, completion_tokens bigint,
      use_time_ms integer, is_stream boolean, channel_id bigint, "group" text, client_ip text, request_id text,
      content text, other jsonb)`
}
