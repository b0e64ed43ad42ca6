import type { AuditEvent } from '@tidegate/contract/api'
import type { TFunction } from 'i18next'
import { formatBalance, formatCount, formatExactTime } from '../../lib/format.ts'
import { i18n } from '../../lib/i18n.ts'
import { typeName } from '../channel-type-name.ts'
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
    return isRecord(parsed) ? (readVirtualModels(parsed) ?? parsed) : value
  } catch {
    return value
  }
}

const PRIORITY = 'priority'

/** Virtual models by name, then their targets by model, so that one changed priority is one change. */
function readVirtualModels({ mapping, ...rest }: Record<string, unknown>): Record<string, unknown> | undefined {
  if (!isRecord(mapping) || Object.keys(rest).length > 0) return undefined
  return Object.fromEntries(
    Object.entries(mapping).map(([name, targets]) => [
      name,
      isTargets(targets)
        ? Object.fromEntries(targets.map(({ model, priorities }) => [model, { [PRIORITY]: priorities }]))
        : targets,
    ]),
  )
}

const isTargets = (value: unknown): value is { model: string; priorities: number }[] =>
  Array.isArray(value) &&
  value.every((part) => isRecord(part) && typeof part.model === 'string' && typeof part.priorities === 'number')

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
  'accept_unset_model_ratio_model',
  'allow_ips',
  'amount',
  'asked',
  'auto_ban',
  'base_url',
  'budget_period',
  'budget_quota',
  'budget_zone',
  'call',
  'channels',
  'characters',
  'config_file',
  'count',
  'delivered',
  'destination',
  'disabled',
  'display_name',
  'expires_at',
  'fields',
  'format',
  'from',
  'group',
  'hash',
  'header_override',
  'host',
  'ids',
  'is_gift',
  'key',
  'keys',
  'label',
  'left',
  'matched',
  'max_concurrency',
  'max_input_tokens',
  'max_uses',
  'method',
  'model_limits',
  'model_limits_enabled',
  'model_mapping',
  'model_prefix',
  'model',
  'models',
  'money',
  'name',
  'notification_email',
  'notify_type',
  'openai_organization',
  'options',
  'other',
  'param_override',
  'passkey',
  'password',
  'priority',
  'quota',
  'quota_warning_threshold',
  'rate_limit_count',
  'rate_limit_enabled',
  'rate_limit_period',
  'rate_limit_success',
  'reason',
  'remain_quota',
  'removed',
  'restored_from',
  'role',
  'scopes',
  'second',
  'seen',
  'send_at',
  'service',
  'session',
  'setting',
  'show_ip_in_logs',
  'state',
  'status',
  'status_code_mapping',
  'store_responses',
  'system_prompt',
  'tag',
  'target',
  'test_model',
  'title',
  'tokens_per_minute',
  'type',
  'unlimited_quota',
  'user_id',
  'username',
  'valid_from',
  'valid_until',
  'webhook_bearer',
  'webhook_host',
  'webhook_secret',
  'weight',
] as const

/** Fields of an option event that are not entries of the option. */
const OPTION_FIELDS: ReadonlySet<string> = new Set(['config_file', 'restored_from'])

/** The translated name of a field. Parts without a translation keep their name. */
export function fieldName(t: Translate, action: string, path: readonly string[]): string {
  if (path.length === 0) return action === 'user.balance' ? t('fields.balance') : t('fields.value')
  // Operators choose the names of an option's entries.
  if (isOption(action) && !OPTION_FIELDS.has(path[0]!)) {
    return path.map((part, depth) => (depth === 2 && part === PRIORITY ? t('fields.priority') : part)).join(' › ')
  }
  const translated = path.map((part) => {
    const known = FIELD_NAMES.find((name) => name === part)
    return known ? t(`fields.${known}`) : part
  })
  return translated.join(' › ')
}

const isOption = (action: string) => areaOf(action) === 'option'

/** The most important fields, which a summary shows first. */
const MAIN_FIELDS: ReadonlySet<string | undefined> = new Set(['status', 'state', 'role'])
/** Values by which people recognize what was created. */
const NAMES: ReadonlySet<string> = new Set(['title', 'name', 'username'])
const SUMMARY_PARTS = 2
const SUMMARY_LENGTH = 40

/** The changes in one line, such as "Role changed from User to Admin"; other values if nothing changed. Can be blank. */
export function summaryOf(t: Translate, { action, details }: Pick<AuditEvent, 'action' | 'details'>): string {
  const { changes, facts } = readDetails(details)
  const isShort = changes.length > SUMMARY_PARTS
  const isMain = ({ path }: Change) => MAIN_FIELDS.has(path[0])
  const sorted = [...changes.filter(isMain), ...changes.filter((change) => !isMain(change))]
  const texts =
    changes.length > 0
      ? sorted.map((change) => changeText(t, { action, change, isShort }))
      : namesFirst(facts).map(({ name, value }) => factText(t, { action, path: [name], value }))
  if (texts.length <= SUMMARY_PARTS) return texts.join(' · ')
  return t('summary.more', { text: texts[0]!, count: texts.length - 1 })
}

/** Each change and each other value in a line of its own. */
export function linesOf(t: Translate, { action, details }: Pick<AuditEvent, 'action' | 'details'>): string[] {
  const { changes, facts } = readDetails(details)
  const write = (name: string, value: unknown) => valueText(t, { action, name, value })
  return [
    ...changes.map(({ path, before, after }) => {
      const name = fieldName(t, action, path)
      const last = path.at(-1) ?? ''
      if (before === undefined) return t('summary.value', { name, value: write(last, after) })
      if (after === undefined) return t('summary.removed', { name, before: write(last, before) })
      return t('summary.changed', { name, before: write(last, before), after: write(last, after) })
    }),
    ...facts.map(({ name, value }) =>
      t('summary.value', { name: fieldName(t, action, [name]), value: write(name, value) }),
    ),
  ]
}

/** Names come first. Blank values say nothing in a summary. */
function namesFirst(facts: EventValues['facts']): EventValues['facts'] {
  const known = facts.filter(({ value }) => value !== '' && value !== false)
  return [...known.filter(({ name }) => NAMES.has(name)), ...known.filter(({ name }) => !NAMES.has(name))]
}

interface ChangeTextOptions {
  action: string
  change: Change
  /** Without the previous value. */
  isShort: boolean
}

function changeText(t: Translate, { action, change, isShort }: ChangeTextOptions): string {
  const { path } = change
  if (change.before === undefined) return factText(t, { action, path, value: change.after })
  const write = (value: unknown) => oneLine(valueText(t, { action, name: path.at(-1) ?? '', value }))
  const name = fieldName(t, action, path)
  const before = write(change.before)
  if (change.after === undefined) return t('summary.removed', { name, before })
  const after = write(change.after)
  return isShort || change.before === ''
    ? t('summary.changedTo', { name, after })
    : t('summary.changed', { name, before, after })
}

function factText(t: Translate, { action, path, value }: { action: string; path: readonly string[]; value: unknown }) {
  const text = oneLine(valueText(t, { action, name: path.at(-1) ?? '', value }))
  return t('summary.value', { name: fieldName(t, action, path), value: text })
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > SUMMARY_LENGTH ? `${line.slice(0, SUMMARY_LENGTH)}…` : line
}

/** Longer texts, such as the home page, are cut. */
const MAX_LENGTH = 2000

/** Fields that hold quota. */
const MONEY = new Set(['quota', 'asked', 'seen', 'remain_quota', 'budget_quota', 'quota_warning_threshold'])
/** Fields that hold a time, as a text or in Unix seconds. */
const TIMES = new Set(['send_at', 'expires_at', 'valid_from', 'valid_until'])
/** Fields that hold one of a few names. */
const WORDS = {
  state: ['scheduled', 'sending', 'sent'],
  target: ['users', 'group', 'all'],
  method: ['password', 'passkey'],
  second: ['totp', 'recovery_code', 'passkey'],
  budget_period: ['day', 'week', 'month'],
  password: ['changed'],
  webhook_secret: ['changed'],
} as const

type Translate = TFunction<'audit'>

interface Value {
  action: string
  /** Blank if the subject itself is the value. */
  name: string
  value: unknown
}

export function valueText(t: Translate, { action, name, value }: Value): string {
  if (value === null) return '–'
  const known = isOption(action) ? undefined : knownText(t, { action, name, value })
  if (known !== undefined) return known
  if (typeof value === 'number') return numberText(t, action, name, value)
  if (typeof value === 'string') return value === '' ? t('blank') : shorten(t, value)
  if (Array.isArray(value) && value.every((part) => typeof part !== 'object')) return shorten(t, value.join(', '))
  return shorten(t, JSON.stringify(value, null, 2))
}

/** The text of a value whose field has a fixed meaning. */
function knownText(t: Translate, { action, name, value }: Value): string | undefined {
  if (typeof value === 'boolean') return t(value ? 'values.yes' : 'values.no')
  if (name === 'fields' && Array.isArray(value)) {
    return value.map((field) => fieldName(t, action, [String(field)])).join(', ')
  }
  if (TIMES.has(name) && (typeof value === 'string' || typeof value === 'number')) return timeText(value)
  const words: readonly Word[] = Object.hasOwn(WORDS, name) ? WORDS[name as keyof typeof WORDS] : []
  const word = words.find((one) => one === value)
  return word && t(`values.${word}`)
}

type Word = (typeof WORDS)[keyof typeof WORDS][number]

/** Undefined for a text that is not a time. Zero means that there is none. */
function timeText(value: string | number): string | undefined {
  const seconds = typeof value === 'number' ? value : Date.parse(value) / 1000
  if (Number.isNaN(seconds)) return undefined
  return seconds > 0 ? formatExactTime(seconds) : '–'
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
  if (area === 'channel' && name === 'type') return typeName(value, i18n.getFixedT(null, 'channels'))
  if (area === 'token' && name === 'status')
    return nameOf(value, { 1: t('channelStatus.enabled'), 2: t('channelStatus.disabled') })
  if (area === 'redemption' && name === 'status')
    return nameOf(value, { 1: t('values.unused'), 2: t('channelStatus.disabled'), 3: t('values.used') })
  return String(value)
}

const nameOf = (value: number, names: Readonly<Record<number, string>>): string => names[value] ?? String(value)

function shorten(t: Translate, text: string): string {
  if (text.length <= MAX_LENGTH) return text
  return `${text.slice(0, MAX_LENGTH)}… ${t('longText', { count: text.length })}`
}
