import type { AuditEvent } from '@tidegate/contract/api'
import type { TFunction } from 'i18next'
import { formatBalance, formatCount } from '../../lib/format.ts'
import { areaOf } from './audit-actions.ts'

/** A value that changed. `undefined` means that the value was added or removed. */
export interface Change {
  /** Names from the outermost to the innermost; empty if the subject itself is the value. */
  path: readonly string[]
  before: unknown
  after: unknown
}

interface EventValues {
  changes: Change[]
  /** Other values, by name. */
  facts: { name: string; value: unknown }[]
}

/** Splits the details of an event into single changes and other values. */
export function readDetails({ before, after, ...rest }: Readonly<Record<string, unknown>>): EventValues {
  const details: EventValues = { changes: differences(parseOption(before), parseOption(after)), facts: [] }
  for (const [name, value] of Object.entries(rest)) {
    if (isPair(value)) details.changes.push(...differences(value.before, value.after, [name]))
    else if (value !== null) details.facts.push({ name, value })
  }
  return details
}

function differences(before: unknown, after: unknown, path: readonly string[] = []): Change[] {
  if (isSame(before, after)) return []
  const [left, right] = [asRecord(before), asRecord(after)]
  if (!left || !right) return [{ path, before, after }]
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...names].flatMap((name) => differences(valueAt(left, name), valueAt(right, name), [...path, name]))
}

/** Many options are JSON texts. Changes of single entries are easier to read than two long texts. */
function parseOption(value: unknown): unknown {
  if (typeof value !== 'string' || !value.trimStart().startsWith('{')) return value
  try {
    const parsed: unknown = JSON.parse(value)
    return isRecord(parsed) ? parsed : value
  } catch {
    return value
  }
}

/** A missing value counts as an empty record, so that entries of added and removed records are listed one by one. */
function asRecord(value: unknown): Record<string, unknown> | undefined {
  if (value === undefined) return {}
  return isRecord(value) ? value : undefined
}

const valueAt = (record: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : undefined

function isPair(value: unknown): value is { before?: unknown; after?: unknown } {
  return isRecord(value) && Object.keys(value).length > 0 && Object.keys(value).every(isSideName)
}

const isSideName = (name: string) => name === 'before' || name === 'after'

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const isSame = (one: unknown, other: unknown): boolean => one === other || JSON.stringify(one) === JSON.stringify(other)

const FIELD_NAMES = [
  'amount',
  'asked',
  'call',
  'channels',
  'config_file',
  'count',
  'display_name',
  'fields',
  'from',
  'group',
  'hash',
  'ids',
  'keys',
  'label',
  'left',
  'matched',
  'method',
  'money',
  'name',
  'options',
  'passkey',
  'password',
  'quota',
  'reason',
  'removed',
  'restored_from',
  'role',
  'seen',
  'service',
  'session',
  'status',
  'type',
  'user_id',
  'username',
] as const

/** Fields of an option event that are not entries of the option. */
const OPTION_FIELDS: ReadonlySet<string> = new Set(['config_file', 'restored_from'])

/** The translated name of a field, or its path if it has none. */
export function fieldName(t: Translate, action: string, path: readonly string[]): string {
  if (path.length === 0) return action === 'user.balance' ? t('fields.balance') : t('fields.value')
  // Operators choose the names of an option's entries.
  const isEntry = action.startsWith('option.') && !OPTION_FIELDS.has(path[0]!)
  const known = isEntry ? undefined : FIELD_NAMES.find((name) => name === path[0])
  return path.length === 1 && known ? t(`fields.${known}`) : path.join(' › ')
}

const SUMMARY_PARTS = 2
const SUMMARY_LENGTH = 40

/** The first changes in one line, such as "Priority: 0 → 10"; other values if nothing changed. Blank without details. */
export function summaryOf(t: Translate, { action, details }: Pick<AuditEvent, 'action' | 'details'>): string {
  const { changes, facts } = readDetails(details)
  const write = (name: string, value: unknown) => oneLine(valueText(t, { action, name, value }))
  const changed = changes.map(({ path, before, after }) => {
    const name = path.at(-1) ?? ''
    const sides = [before, after].map((side) => (side === undefined ? null : write(name, side)))
    const isNew = (before === undefined || before === '') && after !== undefined
    return `${fieldName(t, action, path)}: ${isNew ? sides[1] : `${sides[0]} → ${sides[1] ?? '–'}`}`
  })
  const parts =
    changed.length > 0
      ? changed
      : facts.map(({ name, value }) => `${fieldName(t, action, [name])}: ${write(name, value)}`)
  const hidden = parts.length - SUMMARY_PARTS
  return [...parts.slice(0, SUMMARY_PARTS), ...(hidden > 0 ? [`+${hidden}`] : [])].join(' · ')
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > SUMMARY_LENGTH ? `${line.slice(0, SUMMARY_LENGTH)}…` : line
}

/** Longer texts, such as the home page, are cut. */
const MAX_LENGTH = 2000

/** Fields that hold quota. */
const MONEY = new Set(['quota', 'asked', 'seen'])

type Translate = TFunction<'audit'>

/** The text of a value. `name` is blank if the subject itself is the value. */
export function valueText(
  t: Translate,
  { action, name, value }: { action: string; name: string; value: unknown },
): string {
  if (value === null) return '–'
  if (typeof value === 'number') return numberText(t, action, name, value)
  if (typeof value === 'string') return value === '' ? t('blank') : shorten(t, value)
  if (Array.isArray(value) && value.every((part) => typeof part !== 'object')) return shorten(t, value.join(', '))
  return shorten(t, JSON.stringify(value, null, 2))
}

function numberText(t: Translate, action: string, name: string, value: number): string {
  const isBalance = action === 'user.balance' && name === ''
  if (name === 'amount') return `${value > 0 ? '+' : ''}${formatBalance(value)} (${formatCount(value)})`
  if (isBalance || MONEY.has(name)) return `${formatBalance(value)} (${formatCount(value)})`
  const area = areaOf(action)
  if (area === 'user' && name === 'role')
    return nameOf(value, { 1: t('roles.user'), 10: t('roles.admin'), 100: t('roles.root') })
  if (area === 'user' && name === 'status')
    return nameOf(value, { 1: t('userStatus.active'), 2: t('userStatus.banned') })
  if (area === 'channel' && name === 'status') {
    return nameOf(value, {
      1: t('channelStatus.enabled'),
      2: t('channelStatus.disabled'),
      3: t('channelStatus.autoDisabled'),
    })
  }
  return String(value)
}

const nameOf = (value: number, names: Readonly<Record<number, string>>): string => names[value] ?? String(value)

function shorten(t: Translate, text: string): string {
  if (text.length <= MAX_LENGTH) return text
  return `${text.slice(0, MAX_LENGTH)}… ${t('longText', { count: text.length })}`
}
