import type { LogRow } from '@tidegate/storage'
import { api } from '@tidegate/contract'
import { ownLogView } from '../usage/log-view.ts'

/** One request, as every kind of destination gets it. Optional fields are missing where the log has no value. */
export interface ExportRecord {
  /** The log row. */
  readonly id: number
  readonly request_id: string
  /** When the request ended. */
  readonly time: string
  readonly status: 'success' | 'interrupted' | 'error'
  /** `chat`, or another value of `gen_ai.operation.name`. */
  readonly operation: string
  /** The span of the client that the request belongs to, as the client sent it. */
  readonly traceparent?: string
  readonly model: string
  readonly stream: boolean
  readonly duration_ms: number
  readonly first_token_ms?: number
  readonly user: { readonly id: number; readonly name: string }
  readonly token: { readonly id: number; readonly name: string }
  readonly group: string
  readonly client_ip?: string
  /** Input includes cached tokens, output includes reasoning. */
  readonly usage: {
    readonly input_tokens: number
    readonly output_tokens: number
    readonly cache_read_tokens: number
    readonly cache_write_tokens: number
    readonly reasoning_tokens: number
  }
  readonly cost: { readonly quota: number; readonly usd: number }
  readonly error?: { readonly code: string; readonly type?: string; readonly status?: number; readonly message: string }
  /** Only for destinations of the site. */
  readonly channel?: {
    readonly id: number
    readonly name: string
    readonly provider: string
    readonly upstream_model?: string
  }
  /** Only if the destination includes content and the site stored it. */
  readonly content?: ExportContent
}

export interface ExportContent {
  readonly system_prompt: string
  readonly context: string
  readonly input: string
  readonly output: string
}

export interface RecordContext {
  /** Adds channels, which users must not see. */
  readonly forSite: boolean
  readonly quotaPerUnit: number
  providerOf(channelId: number): string
  contentOf(requestId: string): ExportContent | undefined
}

const INTERRUPTED = ['interrupted', 'stream_interrupted', 'client_disconnected', 'access_revoked']

/** Built from the view that users have of their own log, so that a destination of a user never gets more. */
export function toExportRecord(row: LogRow, context: RecordContext): ExportRecord {
  const view = ownLogView(row)
  const other = JSON.parse(view.other) as Record<string, unknown>
  const count = (name: string) => (typeof other[name] === 'number' ? other[name] : 0)
  const traceparent = textOf(other['traceparent'])
  const failed = row.type === api.LOG_TYPE.error
  const interrupted = INTERRUPTED.some((name) => other[name])
  const content = context.contentOf(row.request_id)
  return {
    id: view.id,
    request_id: view.request_id,
    time: row.created_at.toISOString(),
    status: failed ? 'error' : interrupted ? 'interrupted' : 'success',
    operation: textOf(other['operation']) ?? 'chat',
    ...(traceparent !== undefined && { traceparent }),
    model: view.model_name,
    stream: view.is_stream,
    duration_ms: view.use_time_ms,
    ...(view.first_token_ms !== undefined && { first_token_ms: view.first_token_ms }),
    user: { id: view.user_id, name: view.username },
    token: { id: view.token_id, name: view.token_name },
    group: view.group,
    ...(view.client_ip !== '' && { client_ip: view.client_ip }),
    usage: {
      input_tokens: view.prompt_tokens,
      output_tokens: view.completion_tokens,
      cache_read_tokens: count('cache_tokens'),
      cache_write_tokens: count('cache_creation_tokens'),
      reasoning_tokens: count('reasoning_tokens'),
    },
    cost: { quota: view.quota, usd: view.quota / (count('quota_per_unit') || context.quotaPerUnit) },
    ...(failed && { error: errorOf(view, other) }),
    ...(context.forSite && row.channel_id > 0 && { channel: channelOf(row, context) }),
    ...(content && { content }),
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function errorOf({ content }: api.UsageLog, other: Record<string, unknown>): NonNullable<ExportRecord['error']> {
  const { error_code: code, error_type: type, status_code: status } = other
  return {
    code: typeof code === 'string' && code !== '' ? code : 'unknown',
    ...(typeof type === 'string' && { type }),
    ...(typeof status === 'number' && { status }),
    message: content,
  }
}

function channelOf(row: LogRow, { providerOf }: RecordContext): NonNullable<ExportRecord['channel']> {
  const { upstream_model_name: model } = row.other
  return {
    id: row.channel_id,
    name: row.channel_name ?? '',
    provider: providerOf(row.channel_id),
    ...(typeof model === 'string' && { upstream_model: model }),
  }
}
