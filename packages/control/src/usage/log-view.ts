import { api } from '@tidegate/contract'
import { chatContents, type Db, type LogRow } from '@tidegate/storage'

/** A log row for administrators. */
export function logView(row: LogRow): api.UsageLog {
  return {
    ...ownLogView(row),
    ...attemptsOf(row),
    channel: row.channel_id,
    channel_name: row.channel_name ?? '',
    other: JSON.stringify(row.other),
  }
}

/** One attempt where the list is missing: rows of older versions have none if the first channel served. */
function attemptsOf({ type, channel_id, other }: LogRow): Pick<api.UsageLog, 'attempts'> {
  if (type !== api.LOG_TYPE.consumption && type !== api.LOG_TYPE.error) return {}
  const { use_channel: tried } = (other['admin_info'] ?? {}) as { use_channel?: unknown }
  return { attempts: Array.isArray(tried) ? tried.length : channel_id === 0 ? 0 : 1 }
}

/** Fields of `other` that users may see: an allow list, so that new fields stay hidden. */
const OWN_FIELDS = [
  'model_ratio',
  'model_price',
  'completion_ratio',
  'group_ratio',
  'user_group_ratio',
  'cache_tokens',
  'cache_ratio',
  'cache_creation_tokens',
  'cache_creation_ratio',
  'claude',
  'ws',
  'audio',
  'audio_input',
  'audio_output',
  'text_input',
  'text_output',
  'audio_ratio',
  'audio_completion_ratio',
  'quota_per_unit',
  'price_basis',
  'price_version',
  'cache_creation_1h_tokens',
  'cache_creation_1h_ratio',
  'reasoning_tokens',
  'image_tokens',
  'pieces',
  'piece_price',
  'image_size',
  'image_quality',
  'image_size_ratio',
  'image_quality_ratio',
  'interrupted',
  'stream_interrupted',
  'client_disconnected',
  'implausible_tokens',
  'lines',
  'tiers',
  'unpriced',
  'stripped',
  'dropped',
  'dropped_response',
  'output_limit',
  'output_limit_reason',
  'uncovered',
  'event',
  'test',
  'amount',
  'before',
  'after',
  'money',
  'percentage',
  'source',
  'redemption_id',
  'service',
  'task',
  'frt',
  'timing',
  'system_prompt',
  'context',
  'input_content',
  'output_content',
  'reasoning_effort',
  'estimated',
  'rejected',
  'not_recorded',
  'error_type',
  'error_code',
  'status_code',
  'operation',
  'traceparent',
]

/** The same row for its user, without channels, upstream names and retries. */
export function ownLogView(row: LogRow): api.UsageLog {
  const shown = OWN_FIELDS.filter((field) => Object.hasOwn(row.other, field)).map((field) => [field, row.other[field]])
  return {
    id: row.id,
    created_at: Math.floor(row.created_at.getTime() / 1000),
    type: row.type,
    content: row.content,
    user_id: row.user_id,
    username: row.username,
    token_id: row.token_id,
    token_name: row.token_name,
    model_name: row.model_name,
    quota: row.quota,
    prompt_tokens: row.prompt_tokens,
    completion_tokens: row.completion_tokens,
    use_time: Math.round(row.use_time_ms / 1000),
    use_time_ms: row.use_time_ms,
    ...firstTokenOf(row),
    ...errorCodeOf(row),
    is_stream: row.is_stream,
    channel: 0,
    channel_name: '',
    group: row.group,
    client_ip: row.client_ip,
    request_id: row.request_id,
    other: JSON.stringify(Object.fromEntries(shown)),
  }
}

/** A negative `frt` means that the response was not streamed. */
function firstTokenOf({ other }: LogRow): Pick<api.UsageLog, 'first_token_ms'> {
  const { frt } = other
  return typeof frt === 'number' && frt >= 0 ? { first_token_ms: Math.round(frt) } : {}
}

function errorCodeOf({ type, other }: LogRow): Pick<api.UsageLog, 'error_code'> {
  const { error_code: code } = other
  return type === api.LOG_TYPE.error && typeof code === 'string' && code !== '' ? { error_code: code } : {}
}

/** Adds stored chat content to the rows. */
export async function addChatContent<Row extends LogRow>(db: Db, rows: readonly Row[]): Promise<Row[]> {
  const ids = rows.map(({ request_id }) => request_id).filter((id) => id !== '')
  const contents: ReadonlyMap<string, object> = await chatContents.findByRequestIds(db, ids)
  return rows.map((row) => ({ ...row, other: { ...row.other, ...contents.get(row.request_id) } }))
}
