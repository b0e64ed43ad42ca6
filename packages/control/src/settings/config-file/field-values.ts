import type { OptionKind, LocalizedText } from '@tidegate/contract'
import type { StoredChannel } from '../../channels/channel.ts'
import { type FieldChanges, splitNames } from '../../channels/check-fields.ts'

type Kind = 'text' | 'integer' | 'flag' | 'names' | 'json' | 'textOrJson'
type Column = Exclude<keyof FieldChanges, 'name'>

interface ChannelField {
  /** Name in the file. */
  readonly name: string
  readonly column: Column
  readonly kind: Kind
  /** Default value; `null` in a file means this. */
  readonly initial: string | number | boolean
  /** Required for every channel. */
  readonly needed?: true
}

/** All fields of a channel in a file besides name, status and keys, in output order. */
export const CHANNEL_FIELDS: readonly ChannelField[] = [
  { name: 'type', column: 'type', kind: 'integer', initial: 1, needed: true },
  { name: 'base_url', column: 'base_url', kind: 'text', initial: '' },
  { name: 'models', column: 'models', kind: 'names', initial: '', needed: true },
  { name: 'groups', column: 'group', kind: 'names', initial: 'default' },
  { name: 'tag', column: 'tag', kind: 'text', initial: '' },
  { name: 'priority', column: 'priority', kind: 'integer', initial: 0 },
  { name: 'weight', column: 'weight', kind: 'integer', initial: 0 },
  { name: 'auto_ban', column: 'auto_ban', kind: 'flag', initial: true },
  { name: 'test_model', column: 'test_model', kind: 'text', initial: '' },
  { name: 'model_prefix', column: 'model_prefix', kind: 'text', initial: '' },
  { name: 'model_mapping', column: 'model_mapping', kind: 'json', initial: '' },
  { name: 'status_code_mapping', column: 'status_code_mapping', kind: 'json', initial: '' },
  { name: 'setting', column: 'setting', kind: 'json', initial: '' },
  { name: 'param_override', column: 'param_override', kind: 'json', initial: '' },
  { name: 'header_override', column: 'header_override', kind: 'json', initial: '' },
  { name: 'system_prompt', column: 'system_prompt', kind: 'text', initial: '' },
  { name: 'max_input_tokens', column: 'max_input_tokens', kind: 'integer', initial: 0 },
  { name: 'openai_organization', column: 'openai_organization', kind: 'text', initial: '' },
  { name: 'other', column: 'other', kind: 'textOrJson', initial: '' },
]

/** Value for the file; undefined if it equals the default. */
export function columnToFile({ column, kind, initial, needed }: ChannelField, channel: StoredChannel): unknown {
  const stored = channel[column]
  if (stored === initial && !needed) return undefined
  if (kind === 'names') return splitNames(String(stored))
  if (kind === 'json' || kind === 'textOrJson') return parseStructure(String(stored)) ?? stored
  return stored
}

/** Value for the API, or a description of the expected type. */
export function columnFromFile(
  { kind, initial }: ChannelField,
  value: unknown,
): { value: string | number } | { problem: LocalizedText } {
  const input = value ?? initial
  switch (kind) {
    case 'integer':
      return Number.isSafeInteger(input) ? { value: input as number } : { problem: WHOLE }
    case 'flag':
      return typeof input === 'boolean' ? { value: input ? 1 : 0 } : { problem: NEEDS.boolean }
    case 'names':
      if (value === null) return { value: String(initial) }
      if (!Array.isArray(input) || !input.every(isScalar)) return { problem: NEEDS.list }
      return { value: input.join(',') }
    case 'json':
    case 'textOrJson':
      if (typeof input === 'object') return { value: JSON.stringify(input) }
      return typeof input === 'string' ? { value: input } : { problem: kind === 'json' ? NEEDS.map : NEEDS.text }
    default:
      return typeof input === 'string' ? { value: input } : { problem: NEEDS.text }
  }
}

/** Parses a JSON object or list; undefined for anything else. */
export function parseStructure(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

const WHOLE: LocalizedText = { zh: '应为整数', en: 'this must be a whole number' }

/** Value of an option for the file: boolean, number, list or structure instead of text. */
export function optionToFile(kind: OptionKind, text: string): unknown {
  switch (kind) {
    case 'boolean':
      return text === 'true'
    case 'integer':
    case 'number':
      return text === '' ? null : Number(text)
    case 'lines':
      return text === '' ? [] : text.split('\n')
    case 'list':
      return text === '' ? [] : text.split(',')
    case 'json':
      return JSON.parse(text) as unknown
    default:
      return text
  }
}

/** Text of an option from its file value, or a description of the expected type. Option rules are checked later. */
export function optionFromFile(kind: OptionKind, value: unknown): { text: string } | { problem: LocalizedText } {
  switch (kind) {
    case 'boolean':
      return typeof value === 'boolean' ? { text: String(value) } : { problem: NEEDS.boolean }
    case 'integer':
    case 'number':
      return typeof value === 'number' ? { text: String(value) } : { problem: NEEDS.number }
    case 'lines':
    case 'list':
      if (!Array.isArray(value) || !value.every(isScalar)) return { problem: NEEDS.list }
      return { text: value.join(kind === 'lines' ? '\n' : ',') }
    case 'json':
      return typeof value === 'object' ? { text: JSON.stringify(value) } : { problem: NEEDS.structure }
    default:
      return typeof value === 'string' ? { text: value } : { problem: NEEDS.text }
  }
}

/** Descriptions of expected types. */
export const NEEDS = {
  boolean: { zh: '应为 true 或 false', en: 'this must be true or false' },
  number: { zh: '应为数字', en: 'this must be a number' },
  list: { zh: '应为列表，每行一项，以 “- ” 开头', en: 'this must be a list, an entry to a line after "- "' },
  structure: { zh: '应为映射或列表', en: 'this must be a map or a list' },
  map: { zh: '应为映射，即“名称: 值”', en: 'this must be a map of "name: value"' },
  text: {
    zh: '应为文本，数字和 true、false 请加引号',
    en: 'this must be a text; put numbers, true and false in quotes',
  },
} as const satisfies Record<string, LocalizedText>

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}
