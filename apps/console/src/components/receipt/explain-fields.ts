import type { TFunction } from 'i18next'
import { dollars, formatCallPrice, formatCount, formatSeconds } from '../../lib/format.ts'
import { channelsIn, record, type Fields } from './fields.ts'
import { decimal } from './formula.ts'

/** The format of a value. */
type Kind = 'ratio' | 'tokens' | 'count' | 'dollars' | 'quota' | 'milliseconds' | 'percent' | 'flag' | 'text'

/** Fields with a label, in display order. */
const KINDS = {
  price_name: 'text',
  price_basis: 'text',
  price_version: 'text',
  model_price: 'dollars',
  model_ratio: 'ratio',
  completion_ratio: 'ratio',
  group_ratio: 'ratio',
  user_group_ratio: 'ratio',
  quota_per_unit: 'count',
  cache_tokens: 'tokens',
  cache_ratio: 'ratio',
  cache_creation_tokens: 'tokens',
  cache_creation_ratio: 'ratio',
  cache_creation_1h_tokens: 'tokens',
  cache_creation_1h_ratio: 'ratio',
  text_input: 'tokens',
  text_output: 'tokens',
  audio_input: 'tokens',
  audio_output: 'tokens',
  audio_ratio: 'ratio',
  audio_completion_ratio: 'ratio',
  reasoning_tokens: 'tokens',
  image_tokens: 'tokens',
  pieces: 'count',
  piece_price: 'dollars',
  image_size: 'text',
  image_quality: 'text',
  image_size_ratio: 'ratio',
  image_quality_ratio: 'ratio',
  image_model_ratio: 'ratio',
  frt: 'milliseconds',
  reasoning_effort: 'text',
  claude: 'flag',
  audio: 'flag',
  ws: 'flag',
  estimated: 'flag',
  interrupted: 'flag',
  access_revoked: 'text',
  client_disconnected: 'flag',
  implausible_tokens: 'tokens',
  output_limit: 'tokens',
  output_limit_reason: 'text',
  stripped: 'text',
  dropped: 'text',
  dropped_response: 'text',
  unpriced: 'text',
  token_limited: 'flag',
  uncovered: 'quota',
  is_model_mapped: 'flag',
  upstream_model_name: 'text',
  error_type: 'text',
  error_code: 'text',
  status_code: 'text',
  channel_id: 'text',
  channel_name: 'text',
  channel_type: 'text',
  amount: 'quota',
  before: 'quota',
  after: 'quota',
  money: 'text',
  percentage: 'percent',
  source: 'text',
  redemption_id: 'text',
  task: 'text',
  actor_id: 'text',
} as const satisfies Record<string, Kind>

type FieldName = keyof typeof KINDS
const NAMES = Object.keys(KINDS) as FieldName[]

/** Fields that the log details or the request page show in their own sections. */
const SHOWN_ELSEWHERE = new Set([
  'event',
  'system_prompt',
  'context',
  'input_content',
  'output_content',
  'admin_info',
  'timing',
  'lines',
  'tiers',
])

export interface ExplainedField {
  name: string
  label: string
  value: string
}

/** The fields of a row with labels. Fields of a newer version are shown by their key. */
export function explainFields(fields: Fields, t: TFunction<'logs'>): ExplainedField[] {
  const known = NAMES.filter((name) => hasValue(fields[name])).map((name) => ({
    name,
    label: t(`fields.${name}`),
    value: formatValue(name, fields[name], t),
  }))
  const unknown = Object.keys(fields)
    .filter((name) => !Object.hasOwn(KINDS, name) && !SHOWN_ELSEWHERE.has(name) && hasValue(fields[name]))
    .map((name) => ({ name, label: name, value: raw(fields[name]) }))
  return [...known, ...adminFields(fields, t), ...unknown]
}

function adminFields(fields: Fields, t: TFunction<'logs'>): ExplainedField[] {
  const channels = channelsIn(fields).join(' → ')
  const message = record(fields.admin_info).message
  return [
    { name: 'use_channel', label: t('fields.use_channel'), value: channels },
    { name: 'message', label: t('fields.message'), value: typeof message === 'string' ? message : '' },
  ].filter(({ value }) => value !== '')
}

function formatValue(name: FieldName, value: unknown, t: TFunction<'logs'>): string {
  if (name === 'model_price' && Number(value) < 0) return t('values.perToken')
  if (name === 'frt' && Number(value) < 0) return t('values.none')
  if (name === 'price_basis' && isOneOf(value, ['set', 'fallback', 'unset'])) return t(`values.basis.${value}`)
  if (name === 'source' && isOneOf(value, ['redemption', 'top_up'])) return t(`values.source.${value}`)
  const kind: Kind = KINDS[name]
  if (kind === 'flag') return value === true ? t('values.yes') : t('values.no')
  return typeof value === 'number' ? formatNumber(kind, value, t) : raw(value)
}

function formatNumber(kind: Kind, value: number, t: TFunction<'logs'>): string {
  if (kind === 'ratio') return `× ${decimal(value)}`
  if (kind === 'tokens') return t('values.tokens', { tokens: formatCount(value) })
  if (kind === 'count') return formatCount(value)
  if (kind === 'dollars') return dollars(value, 2, 6)
  if (kind === 'quota') return formatCallPrice(value)
  if (kind === 'percent') return `${decimal(value)}%`
  if (kind === 'milliseconds') return formatSeconds(value)
  return String(value)
}

function isOneOf<const Word extends string>(value: unknown, words: readonly Word[]): value is Word {
  return words.some((word) => word === value)
}

const hasValue = (value: unknown) => value !== undefined && value !== null && value !== ''
const raw = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
