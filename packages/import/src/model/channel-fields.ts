import { api, isHeaderOverride } from '@tidegate/contract'
import { splitKeys } from '@tidegate/storage'
import { readObject, text } from '../sources/cells.ts'
import type { Row } from '../sources/source.ts'

export type ChannelNote = (outcome: 'left' | 'changed', reason: string) => undefined

const AWS = 33
const VERTEX = 41
const DISABLED = new Set<unknown>([api.CHANNEL_STATUS.disabled, api.CHANNEL_STATUS.autoDisabled])

interface ChannelKeys {
  readonly keys: readonly string[]
  readonly statuses: ReadonlyMap<number, number>
}

/** The distinct keys of a channel, and the statuses of disabled ones. */
export function readChannelKeys(row: Row, type: number, note: ChannelNote): ChannelKeys {
  const all = type === VERTEX ? readServiceAccount(row, note) : splitKeys(type, keyText(row, type))
  const keys = [...new Set(all)]
  const kind = api.channelTypeOf(type)
  if (keys.length === 0) note('changed', 'has no key: imported as disabled')
  else if (kind?.keyPattern && !keys.every((key) => kind.keyPattern!.test(key))) {
    note('changed', `a key does not look like ${kind.keyHint}`)
  }
  return { keys, statuses: readStatuses(row, all, keys) }
}

/** one-api stores the parts of AWS keys in a JSON column. */
function keyText(row: Row, type: number): string {
  const key = text(row, 'key')
  if (type !== AWS || key.includes('|')) return key
  const { ak, sk, region } = readObject(text(row, 'config')) ?? {}
  return [ak, sk, region].every((part) => typeof part === 'string' && part !== '') ? [ak, sk, region].join('|') : key
}

/** One service account per channel. Several are stored as a JSON array. */
function readServiceAccount(row: Row, note: ChannelNote): string[] {
  const adc = (readObject(text(row, 'config')) ?? {}).vertex_ai_adc
  const key = (typeof adc === 'string' && adc.trim() !== '' ? adc : text(row, 'key')).trim()
  if (!key.startsWith('[')) return key === '' ? [] : [key]
  try {
    const list = JSON.parse(key) as unknown[]
    if (list.length > 1) note('changed', 'has several service accounts: only the first is imported')
    return list.slice(0, 1).map((document) => JSON.stringify(document))
  } catch {
    return [key]
  }
}

/** new-api stores the status of keys by their index. */
function readStatuses(row: Row, all: readonly string[], keys: readonly string[]): Map<number, number> {
  const info = readObject(text(row, 'channel_info')) ?? {}
  const list = info.multi_key_status_list
  if (info.is_multi_key !== true || typeof list !== 'object' || list === null) return new Map()
  const out = Object.entries(list).filter(([, status]) => DISABLED.has(status))
  return new Map(out.map(([place, status]) => [keys.indexOf(all[Number(place)] ?? ''), status as number]))
}

const STATUS = /^[1-5]\d\d$/

/** The valid entries of each field. A channel with an invalid field would not be rejected, but would work wrongly. */
const IS_VALID = {
  model_mapping: ([, to]: [string, unknown]) => typeof to === 'string',
  status_code_mapping: ([from, to]: [string, unknown]) => STATUS.test(from) && STATUS.test(String(to)),
  param_override: () => true,
}

/** The text of a JSON field; blank and reported when it is invalid. */
export function readJsonField(
  row: Row,
  column: keyof typeof IS_VALID,
  note: (outcome: 'changed', reason: string) => void,
): string {
  const written = text(row, column)
  const object = readObject(written)
  if (!object || !Object.entries(object).every(IS_VALID[column])) {
    note('changed', `${column} cannot be read: left blank`)
    return ''
  }
  if (column === 'param_override' && Array.isArray(object.operations)) {
    note('changed', 'param_override contains operations, which are not supported: left blank')
    return ''
  }
  return Object.keys(object).length === 0 ? '' : written.trim()
}

/** The headers that this product can send. Others are dropped and reported. */
export function readHeaderOverride(row: Row, note: (outcome: 'changed', reason: string) => void): string {
  const object = readObject(text(row, 'header_override'))
  if (!object) {
    note('changed', 'header_override cannot be read: left blank')
    return ''
  }
  const entries = Object.entries(object)
  const supported = entries.filter(([name, value]) => isHeaderOverride(name, value))
  const dropped = entries.filter(([name, value]) => !isHeaderOverride(name, value)).map(([name]) => name)
  if (dropped.length > 0) note('changed', `header overrides not supported here were dropped: ${dropped.join(', ')}`)
  return supported.length === 0 ? '' : JSON.stringify(Object.fromEntries(supported))
}
