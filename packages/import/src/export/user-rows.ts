import type { Db, LogCursor, LogStore, Vault } from '@tidegate/storage'
import type { ExportRow } from './write-rows.ts'

const PAGE = 1_000

/** Reads the page after an ID. */
type ReadPage = (after: number) => Promise<(ExportRow & { id: number })[]>

async function* readPages(read: ReadPage): AsyncGenerator<ExportRow> {
  for (let last = -Number.MAX_SAFE_INTEGER; ;) {
    const rows = await read(last)
    yield* rows
    if (rows.length < PAGE) return
    last = rows.at(-1)!.id
  }
}

/** The lists of a user, by file name. Includes token keys only with `secrets`. */
export function userRows(
  { db, vault, logs }: { db: Db; vault: Vault; logs: LogStore },
  userId: number,
  { secrets }: { secrets: boolean },
): Record<string, AsyncIterable<ExportRow>> {
  return {
    tokens: tokensOf(db, vault, userId, secrets),
    ledger: readPages((after) =>
      db
        .selectFrom('ledger_entry')
        .select(['id', 'token_id', 'kind', 'amount', 'reference', 'created_at'])
        .where('user_id', '=', userId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(PAGE)
        .execute(),
    ),
    top_ups: readPages((after) =>
      db
        .selectFrom('top_up')
        .select(['id', 'trade_no', 'units', 'quota', 'money', 'currency', 'payment_method', 'status'])
        .select(['created_at', 'completed_at'])
        .where('user_id', '=', userId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(PAGE)
        .execute(),
    ),
    redemptions: readPages((after) =>
      db
        .selectFrom('redemption_use')
        .innerJoin('redemption', 'redemption.id', 'redemption_use.redemption_id')
        .select([
          'redemption.id',
          'redemption.name',
          'redemption.quota',
          'redemption.is_gift',
          'redemption_use.used_at',
        ])
        .where('redemption_use.user_id', '=', userId)
        .where('redemption.id', '>', after)
        .orderBy('redemption.id')
        .limit(PAGE)
        .execute(),
    ),
    logs: logsOf(logs, userId),
    tasks: readPages((after) =>
      db
        .selectFrom('task')
        .select(['id', 'kind', 'token_id', 'request_id', 'vendor_id', 'action', 'model', 'status', 'progress'])
        .select(['prompt', 'fail_reason', 'result_url', 'properties', 'quota', 'charged', 'refunded_at'])
        .select(['submitted_at', 'started_at', 'finished_at'])
        .where('user_id', '=', userId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(PAGE)
        .execute(),
    ),
    messages: readPages((after) =>
      db
        .selectFrom('message_recipient')
        .innerJoin('message', 'message.id', 'message_recipient.message_id')
        .select(['message.id', 'message.title', 'message.content', 'message.format', 'message_recipient.read_at'])
        .select('message_recipient.created_at')
        .where('message_recipient.user_id', '=', userId)
        .where('message.id', '>', after)
        .orderBy('message.id')
        .limit(PAGE)
        .execute(),
    ),
  }
}

const LOG_COLUMNS = [
  'id',
  'created_at',
  'type',
  'token_id',
  'token_name',
  'model_name',
  'quota',
  'prompt_tokens',
  'completion_tokens',
  'use_time_ms',
  'is_stream',
  'group',
  'client_ip',
  'request_id',
  'content',
] as const

/** Newest first, as the log store reads them. */
async function* logsOf(logs: LogStore, userId: number): AsyncGenerator<ExportRow> {
  for (let after: LogCursor | undefined; ;) {
    const { rows, next } = await logs.page({ userId }, { after, limit: PAGE })
    for (const row of rows) yield Object.fromEntries(LOG_COLUMNS.map((column) => [column, row[column]]))
    if (!next) return
    after = next
  }
}

async function* tokensOf(db: Db, vault: Vault, userId: number, secrets: boolean): AsyncGenerator<ExportRow> {
  const rows = readPages((after) =>
    db
      .selectFrom('token')
      .select(['id', 'name', 'status', 'hint', 'hash', 'sealed_key', 'remain_quota', 'used_quota', 'unlimited_quota'])
      .select(['model_limits_enabled', 'model_limits', 'allow_ips', 'group', 'rate_limit_enabled', 'rate_limit_period'])
      .select([
        'rate_limit_count',
        'rate_limit_success',
        'tokens_per_minute',
        'max_concurrency',
        'store_responses',
        'budget_period',
      ])
      .select(['budget_quota', 'budget_zone', 'created_at', 'accessed_at', 'expires_at'])
      .where('user_id', '=', userId)
      .where('deleted_at', 'is', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute(),
  )
  for await (const { hash, sealed_key, ...token } of rows) {
    yield secrets ? { ...token, key: `sk-${vault.open('token-key', String(hash), String(sealed_key))}` } : token
  }
}
