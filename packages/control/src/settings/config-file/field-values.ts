import type { Phrase } from '@tidegate/contract'
import { type FieldChanges, splitNames } from '../../channels/check-fields.ts'
import type { StoredChannel } from '../../channels/channel.ts'
import { isScalar, NEEDS } from './option-values.ts'

type Kind = 'text' | 'integer' | 'flag' | 'names' | 'json' | 'textOrJson'
type Column = Exclude<keyof FieldChanges, 'name'>

interface ChannelField {
  /** What the file calls it. */
  readonly name: string
  readonly column: Column
  readonly kind: Kind
  /** What a channel has without it; `null` in a file means this. */
  readonly initial: string | number | boolean
  /** Every channel must say it. */
  readonly needed?: true
}

/** Everything about a channel that a file can say beside its name, status and keys, in the order it is written. */
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

/** A column as the file has it; undefined when it need not be said. */
export function columnToFile({ column, kind, initial, needed }: ChannelField, channel: StoredChannel): unknown {
  const stored = channel[column]
  if (stored === initial && !needed) return undefined
  if (kind === 'names') return splitNames(String(stored))
  if (kind === 'json' || kind === 'textOrJson') return structureIn(String(stored)) ?? stored
  return stored
}

/** The field as the calls of the API take it, or what the file should have said. */
export function columnFromFile(
  { kind, initial }: ChannelField,
  value: unknown,
): { value: string | number } | { problem: Phrase } {
  const given = value ?? initial
  switch (kind) {
    case 'integer':
      return Number.isSafeInteger(given) ? { value: given as number } : { problem: WHOLE }
    case 'flag':
      return typeof given === 'boolean' ? { value: given ? 1 : 0 } : { problem: NEEDS.boolean }
    case 'names':
      if (value === null) return { value: String(initial) }
      if (!Array.isArray(given) || !given.every(isScalar)) return { problem: NEEDS.list }
      return { value: given.join(',') }
    case 'json':
    case 'textOrJson':
      if (typeof given === 'object') return { value: JSON.stringify(given) }
      return typeof given === 'string' ? { value: given } : { problem: kind === 'json' ? NEEDS.map : NEEDS.text }
    default:
      return typeof given === 'string' ? { value: given } : { problem: NEEDS.text }
  }
}

/** The object or list in a JSON text; undefined for anything else. */
export function structureIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

const WHOLE: Phrase = { zh: '应为整数', en: 'this must be a whole number' }
