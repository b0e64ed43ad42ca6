import type { UsageLog } from '@tidegate/contract/api'

/** The free-form part of a log row. Rows of other versions may lack any of it, so every value is asked for by its kind. */
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

/** Numbers count as text too: vendors write codes either way. Blank when there is none. */
export function textIn(fields: Fields, name: string): string {
  const value = Object.hasOwn(fields, name) ? fields[name] : ''
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

export function listIn(fields: Fields, name: string): string[] {
  const value = fields[name]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

export const flagIn = (fields: Fields, name: string): boolean => fields[name] === true

/** A test of a channel: it is not charged, and sums leave it out. */
export const isChannelTest = (log: Pick<UsageLog, 'other'>): boolean => flagIn(fieldsOf(log), 'test')

/** Milliseconds until the first token; null for a call that had none. */
export function firstTokenIn(fields: Fields): number | null {
  const milliseconds = numberIn(fields, 'frt')
  return milliseconds !== null && milliseconds > 0 ? milliseconds : null
}

/** What the vendor calls the model, where it goes by another name here. Told to administrators only. */
export const upstreamModelIn = (fields: Fields): string =>
  flagIn(fields, 'is_model_mapped') ? textIn(fields, 'upstream_model_name') : ''

/** Every channel that was tried, in order. Told to administrators only. */
export function channelsIn(fields: Fields): string[] {
  const used = record(fields.admin_info).use_channel
  return Array.isArray(used) ? used.map(String) : []
}
