import type { UsageLog } from '@tidegate/contract/api'

/** The free-form part of a log row. Other versions may lack any field, so each value is read with a type check. */
export type Fields = Readonly<Record<string, unknown>>

export function fieldsOf({ other }: Pick<UsageLog, 'other'>): Fields {
  try {
    return record(JSON.parse(other))
  } catch {
    return {}
  }
}

export const record = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

export function numberIn(fields: Fields, name: string): number | null {
  const value = Object.hasOwn(fields, name) ? fields[name] : null
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** Converts numbers to text, because providers use both for error codes. Empty if missing. */
export function textIn(fields: Fields, name: string): string {
  const value = Object.hasOwn(fields, name) ? fields[name] : ''
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

export function listIn(fields: Fields, name: string): string[] {
  const value = fields[name]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

export const flagIn = (fields: Fields, name: string): boolean => fields[name] === true

/** Channel tests are not charged and not included in sums. */
export const isChannelTest = (log: Pick<UsageLog, 'other'>): boolean => flagIn(fieldsOf(log), 'test')

/** Milliseconds until the first token. Null for a request without tokens. */
export function firstTokenIn(fields: Fields): number | null {
  const milliseconds = numberIn(fields, 'frt')
  return milliseconds !== null && milliseconds > 0 ? milliseconds : null
}

/** The upstream name of a mapped model. Only administrators receive it. */
export const upstreamModelIn = (fields: Fields): string =>
  flagIn(fields, 'is_model_mapped') ? textIn(fields, 'upstream_model_name') : ''

/** The attempted channels, in order. Only administrators receive them. */
export function channelsIn(fields: Fields): string[] {
  const used = record(fields.admin_info).use_channel
  return Array.isArray(used) ? used.map(String) : []
}
