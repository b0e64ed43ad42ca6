import { ch, raw, type ClickHouse } from './query.ts'

/**
 * One statement per version, applied in order. A statement that has shipped never changes. Two processes may apply one
 * at the same time, so each can run twice.
 */
const MIGRATIONS: readonly string[] = [
  // Granules are small because the rows of a page are far apart and wide. Integers have the types of PostgreSQL: a value
  // that ClickHouse rejects would block all later rows.
  `create table if not exists usage_log (
    id UInt64 codec(Delta, ZSTD(1)),
    created_at DateTime64(6, 'UTC') codec(Delta, ZSTD(1)),
    type Int16,
    user_id Int64,
    username LowCardinality(String),
    token_id Int64,
    token_name LowCardinality(String),
    model_name LowCardinality(String),
    quota Int64 codec(T64, ZSTD(1)),
    prompt_tokens Int64 codec(T64, ZSTD(1)),
    completion_tokens Int64 codec(T64, ZSTD(1)),
    use_time_ms Int32 codec(T64, ZSTD(1)),
    is_stream Bool,
    channel_id Int64,
    \`group\` LowCardinality(String),
    client_ip String codec(ZSTD(1)),
    request_id String codec(ZSTD(1)),
    content String codec(ZSTD(1)),
    other String codec(ZSTD(3)),
    parcel UUID codec(ZSTD(1)),
    series LowCardinality(String),
    batch UInt64 codec(Delta, ZSTD(1)),
    is_test Bool materialized JSONHas(other, 'test'),
    is_imported Bool materialized JSONHas(other, 'imported'),
    is_rejected Bool materialized JSONHas(other, 'rejected'),
    is_retried Bool materialized JSONLength(other, 'admin_info', 'use_channel') > 1,
    status LowCardinality(String) materialized multiIf(
      type = 2 and (JSONHas(other, 'interrupted') or JSONHas(other, 'stream_interrupted')
        or JSONHas(other, 'client_disconnected') or JSONHas(other, 'access_revoked')), 'interrupted',
      type = 2, 'success',
      type = 6 and not JSONHas(other, 'not_final'), 'error', ''),
    error_code LowCardinality(String) materialized JSONExtractString(other, 'error_code'),
    is_uncovered Bool materialized JSONHas(other, 'uncovered'),
    uncovered Int64 materialized JSONExtractInt(other, 'uncovered'),
    first_token_ms Float64 materialized
      if(is_stream and JSONType(other, 'frt') in ('Int64', 'UInt64', 'Double'), JSONExtractFloat(other, 'frt'), -1)
      codec(ZSTD(1)),
    index by_request request_id type bloom_filter(0.001) granularity 1,
    index by_id id type minmax granularity 1,
    projection by_user (select user_id, created_at, id order by user_id, created_at, id),
    projection by_token (select token_id, created_at, id order by token_id, created_at, id),
    projection by_channel (select channel_id, created_at, id order by channel_id, created_at, id),
    projection by_model (select model_name, created_at, id order by model_name, created_at, id)
  ) engine = MergeTree partition by toYYYYMMDD(created_at) order by (created_at, id)
  settings index_granularity = 1024, non_replicated_deduplication_window = 100000, lightweight_mutation_projection_mode = 'rebuild'`,
]

/** Creates the tables, or changes those of an earlier release. */
export async function migrateClickHouse(clickhouse: Pick<ClickHouse, 'rows' | 'run'>): Promise<void> {
  await clickhouse.run(
    raw(`create table if not exists schema_version (version UInt32) engine = MergeTree order by version`),
  )
  const [last] = await clickhouse.rows<{ version: number }>(raw('select max(version) as version from schema_version'))
  for (const [index, statement] of MIGRATIONS.entries()) {
    const version = index + 1
    if (version <= (last?.version ?? 0)) continue
    await clickhouse.run(raw(statement))
    await clickhouse.run(ch`insert into schema_version select ${version}`)
  }
}

/** Days with rows, oldest first, with the bytes that they take. */
export async function listDays(clickhouse: ClickHouse): Promise<{ day: string; bytes: number; rows: number }[]> {
  return clickhouse.rows(ch`
    select partition as day, sum(bytes_on_disk) as bytes, sum(rows) as rows from system.parts
    where database = ${clickhouse.database} and table = 'usage_log' and active group by partition order by partition`)
}

export async function dropDay(clickhouse: ClickHouse, day: string): Promise<void> {
  if (!/^\d{8}$/.test(day)) throw new Error(`${day} is not a day`)
  await clickhouse.run(raw(`alter table usage_log drop partition '${day}'`))
}

/** Midnight UTC of the day of a partition. */
export function startOfDay(day: string): Date {
  return new Date(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T00:00:00Z`)
}
