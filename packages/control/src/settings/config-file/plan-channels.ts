import { api, ApiError, type LocalizedText, type Settings } from '@tidegate/contract'
import { CHANNEL_TYPES } from '@tidegate/providers'
import type { ChannelUpdate, Vault } from '@tidegate/storage'
import { checkFields, type FieldChanges } from '../../channels/check-fields.ts'
import type { StoredChannel } from '../../channels/channel.ts'
import { checkKeys, readKeys, tryOpenKeys } from '../../channels/keys/stored-keys.ts'
import { CHANNEL_FIELDS, columnFromFile } from './field-values.ts'
import { isSameText } from './plan-options.ts'
import type { DesiredChannel } from './validate-file.ts'
import type { Problems } from './problems.ts'

/** Planned change of one channel. */
export interface ChannelStep {
  readonly name: string
  /** Undefined for a new channel. */
  readonly stored: StoredChannel | undefined
  /** Only changed columns. */
  readonly columns: ChannelUpdate
  readonly status: 1 | 2 | undefined
  readonly keys: readonly string[] | undefined
}

interface Site {
  readonly settings: Pick<Settings, 'GroupRatio'>
  /** Duplicate names are an error only if the file uses the name. */
  readonly channels: ReadonlyMap<string, readonly StoredChannel[]>
  readonly vault: Vault
}

/** Compares a channel of the file with the site's channel of that name; undefined if it is invalid. */
export function planChannel(desired: DesiredChannel, site: Site, problems: Problems) {
  const place = `channels.${desired.name}`
  const [stored, twin] = site.channels.get(desired.name) ?? []
  if (twin) {
    problems.add(desired.line, place, AMBIGUOUS_NAME)
    return undefined
  }
  if (!stored) rejectIncomplete(desired, place, problems)
  const columns = checkedColumns(desired, stored, site.settings, problems)
  const type = columns.type ?? stored?.type ?? 1
  const keys = changedKeys(desired, { stored, type }, site.vault, problems)
  const status = changedStatus(desired, stored)
  const step: ChannelStep = { name: desired.name, stored, columns: onlyChanged(columns, stored), status, keys }
  return { step, item: itemOf(step) }
}

function rejectIncomplete({ line, fields }: DesiredChannel, place: string, problems: Problems): void {
  const missing = ['type', 'models', 'keys'].filter((name) => !fields.has(name))
  if (missing.length > 0) problems.add(line, place, missingFields(missing.join(', ')))
}

/** Address and region depend on the type, so they are checked together; other fields separately. */
const BY_TYPE: ReadonlySet<string> = new Set(['type', 'base_url', 'other'])

function checkedColumns(
  { name, line, fields }: DesiredChannel,
  stored: StoredChannel | undefined,
  settings: Pick<Settings, 'GroupRatio'>,
  problems: Problems,
): ChannelUpdate {
  const byType: FieldChanges = stored ? {} : { base_url: '', other: '' }
  const alone: { changes: FieldChanges; line: number; place: string }[] = []
  for (const field of CHANNEL_FIELDS) {
    const input = fields.get(field.name)
    if (!input) continue
    const place = `channels.${name}.${field.name}`
    const read = columnFromFile(field, input.value)
    if ('problem' in read) problems.add(input.line, place, read.problem)
    else if (BY_TYPE.has(field.column)) Object.assign(byType, { [field.column]: read.value })
    else alone.push({ changes: { [field.column]: read.value }, line: input.line, place })
  }
  const type = byType.type ?? stored?.type ?? 1
  const base = stored ?? { type, base_url: '', other: '' }
  const typeLine = fields.get('type')?.line ?? line
  const columns = problems.catch(typeLine, `channels.${name}`, () => {
    if (!stored && !CHANNEL_TYPES.has(type)) throw new ApiError('channel_type_unknown', { type })
    return checkFields(byType, base, settings)
  })
  const others = alone.map(({ changes, line: at, place }) =>
    problems.catch(at, place, () => checkFields(changes, base, settings)),
  )
  return Object.assign({}, columns, ...others) as ChannelUpdate
}

function onlyChanged(columns: ChannelUpdate, stored: StoredChannel | undefined): ChannelUpdate {
  if (!stored) return columns
  const differs = ([column, value]: [string, unknown]) => {
    const now = stored[column as keyof StoredChannel]
    return typeof value === 'string' && typeof now === 'string' ? !isSameText(value, now) : value !== now
  }
  return Object.fromEntries(Object.entries(columns).filter(differs))
}

/** Undefined when the keys are unchanged. Another type may need another key format. */
function changedKeys(
  { name, line, keys }: DesiredChannel,
  { stored, type }: { stored: StoredChannel | undefined; type: number },
  vault: Vault,
  problems: Problems,
): string[] | undefined {
  const now = stored && tryOpenKeys(vault, stored)
  if (!keys) {
    if (now && stored.type !== type) problems.catch(line, `channels.${name}`, () => checkKeys(type, now))
    return undefined
  }
  const next = problems.catch(keys.line, `channels.${name}.keys`, () => readKeys(type, keys.text))
  return next && now && next.join('\n') === now.join('\n') ? undefined : next
}

/** An automatically disabled channel counts as enabled: a file does not override its health. */
function changedStatus({ status }: DesiredChannel, stored: StoredChannel | undefined): 1 | 2 | undefined {
  const { enabled, disabled } = api.CHANNEL_STATUS
  const isDisabled = stored?.status === disabled
  if (status === 'disabled') return isDisabled ? undefined : disabled
  return status === 'enabled' && isDisabled ? enabled : undefined
}

function itemOf({ name, stored, columns, status, keys }: ChannelStep): api.ConfigItem {
  const isSet = ({ column, initial, needed }: (typeof CHANNEL_FIELDS)[number]) =>
    column in columns && (stored !== undefined || needed || columns[column] !== initial)
  const changes: api.ConfigChange[] = CHANNEL_FIELDS.filter(isSet).map((field) => ({
    field: field.name,
    before: stored ? String(stored[field.column]) : null,
    after: String(columns[field.column]),
    secret: false,
  }))
  if (status !== undefined) {
    const word = (value: number) => (value === api.CHANNEL_STATUS.disabled ? 'disabled' : 'enabled')
    changes.push({ field: 'status', before: stored ? word(stored.status) : null, after: word(status), secret: false })
  }
  if (keys) changes.push({ field: 'keys', before: null, after: null, secret: true })
  return { kind: 'channel', name, action: !stored ? 'create' : changes.length > 0 ? 'update' : 'unchanged', changes }
}

const AMBIGUOUS_NAME: LocalizedText = {
  zh: '站点上有两个渠道叫这个名字，请先给其中一个改名',
  en: 'two channels of the site have this name; rename one of them first',
}

function missingFields(missing: string): LocalizedText {
  return {
    zh: `站点上没有这个渠道，新建还需要：${missing}`,
    en: `the site has no such channel; to make it, add: ${missing}`,
  }
}
