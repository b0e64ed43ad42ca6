import type { UsageLog } from '@tidegate/contract/api'

/** What the free-form part of a log row says, as far as it can be read. */
export interface LogDetails {
  firstTokenMilliseconds: number | null
  modelRatio: number | null
  /** Dollars per call; null when billed per token. */
  modelPrice: number | null
  completionRatio: number | null
  groupRatio: number | null
  cacheTokens: number
  cacheRatio: number
  cacheWriteTokens: number
  cacheWriteRatio: number
  /** The prompt count leaves cached tokens out, as Anthropic counts. */
  promptExcludesCache: boolean
  /** Text and audio are priced apart; the plain sum would not hold. */
  isAudio: boolean
  upstreamModel: string
  reasoningEffort: string
  usedChannels: string
  errorCode: string
  statusCode: string
}

export function readDetails({ other }: Pick<UsageLog, 'other'>): LogDetails {
  const record = parsed(other)
  const price = number(record.model_price)
  return {
    firstTokenMilliseconds: positive(number(record.frt)),
    modelRatio: number(record.model_ratio),
    modelPrice: price !== null && price >= 0 ? price : null,
    completionRatio: number(record.completion_ratio),
    groupRatio: number(record.user_group_ratio) ?? number(record.group_ratio),
    cacheTokens: number(record.cache_tokens) ?? 0,
    cacheRatio: number(record.cache_ratio) ?? 1,
    cacheWriteTokens: number(record.cache_creation_tokens) ?? 0,
    cacheWriteRatio: number(record.cache_creation_ratio) ?? 1,
    promptExcludesCache: record.claude === true,
    isAudio: record.audio === true || record.ws === true,
    upstreamModel: record.is_model_mapped === true ? text(record.upstream_model_name) : '',
    reasoningEffort: text(record.reasoning_effort),
    usedChannels: channels(record.admin_info),
    errorCode: text(record.error_code),
    statusCode: text(record.status_code),
  }
}

function parsed(other: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(other)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function channels(adminInfo: unknown): string {
  const used = (adminInfo as { use_channel?: unknown } | null | undefined)?.use_channel
  return Array.isArray(used) ? used.map(String).join(' → ') : ''
}

const number = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : null)
const positive = (value: number | null) => (value !== null && value > 0 ? value : null)
const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
