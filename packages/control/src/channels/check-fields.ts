import { api, ApiError, type Settings, stripNul } from '@tidegate/contract'
import { CHANNEL_TYPES } from '@tidegate/providers'
import type { ChannelUpdate } from '@tidegate/storage'
import {
  checkHeaderOverride,
  checkModelMapping,
  checkParamOverride,
  checkSetting,
  checkStatusCodeMapping,
} from './check-json.ts'

/** Requested field changes; absent fields stay. Keys and status are handled separately. */
export type FieldChanges = {
  [Field in keyof Omit<api.ChannelChanges, 'id' | 'key' | 'status'>]: api.ChannelChanges[Field]
}

/** Validates fields by the rules of the form and returns the columns to store; throws at the first error. */
export function checkFields(
  changes: FieldChanges,
  stored: { type: number; base_url: string; other: string },
  settings: Pick<Settings, 'GroupRatio'>,
): ChannelUpdate {
  const type = changes.type ?? stored.type
  const isOtherType = type !== stored.type
  if (isOtherType && !CHANNEL_TYPES.has(type)) throw new ApiError('channel_type_unknown', { type })
  return withoutUndefined({
    type: changes.type ?? undefined,
    name: map(changes.name, checkName),
    models: map(changes.models, checkModels),
    group: map(changes.group, (text) => checkGroups(text, settings)),
    base_url: map(changes.base_url ?? (isOtherType ? stored.base_url : undefined), (text) => checkBaseUrl(type, text)),
    other: map(changes.other ?? (isOtherType ? stored.other : undefined), (text) => checkOther(type, text)),
    model_mapping: map(changes.model_mapping, checkModelMapping),
    status_code_mapping: map(changes.status_code_mapping, checkStatusCodeMapping),
    setting: map(changes.setting, checkSetting),
    param_override: map(changes.param_override, checkParamOverride),
    header_override: map(changes.header_override, checkHeaderOverride),
    priority: map(changes.priority, checkPriority),
    weight: map(changes.weight, checkWeight),
    auto_ban: map(changes.auto_ban, (value) => value !== 0),
    test_model: map(changes.test_model, trim),
    tag: map(changes.tag, checkTag),
    model_prefix: map(changes.model_prefix, trim),
    system_prompt: map(changes.system_prompt, (text) => text),
    max_input_tokens: map(changes.max_input_tokens, (count) => count),
    openai_organization: map(changes.openai_organization, (text) => checkHeaderText('openai_organization', trim(text))),
  })
}

function map<Value, Result>(value: Value | null | undefined, check: (value: Value) => Result): Result | undefined {
  return value === null || value === undefined ? undefined : check(value)
}

function trim(text: string): string {
  return text.trim()
}

function withoutUndefined(columns: ChannelUpdate): ChannelUpdate {
  const input = Object.entries(columns).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(
    input.map(([column, value]) => [column, typeof value === 'string' ? stripNul(value) : value]),
  )
}

const LIMITS = api.CHANNEL_LIMITS

export function checkName(name: string): string {
  const trimmed = stripNul(name).trim()
  if (lengthOf(trimmed) > LIMITS.name) throw new ApiError('channel_name_too_long', { limit: LIMITS.name })
  return trimmed
}

/** A tag with a comma could not be searched. */
export function checkTag(tag: string): string {
  const trimmed = stripNul(tag).trim()
  if (lengthOf(trimmed) > LIMITS.tag || trimmed.includes(',')) {
    throw new ApiError('channel_tag_too_long', { limit: LIMITS.tag })
  }
  return trimmed
}

function checkModels(text: string): string {
  const models = splitNames(text)
  if (models.length === 0) throw new ApiError('channel_models_required')
  const long = models.find((model) => lengthOf(model) > LIMITS.model)
  if (long !== undefined) {
    throw new ApiError('channel_model_name_too_long', { limit: LIMITS.model, model: [...long].slice(0, 32).join('') })
  }
  return models.join(',')
}

/** A group exists if it has a ratio. */
function checkGroups(text: string, { GroupRatio }: Pick<Settings, 'GroupRatio'>): string {
  const groups = splitNames(text)
  const unknown = groups.find((group) => !Object.hasOwn(GroupRatio, group))
  if (unknown !== undefined || groups.length === 0) throw new ApiError('group_unknown', { group: unknown ?? '' })
  return groups.join(',')
}

function checkPriority(priority: number): number {
  if (priority < LIMITS.minPriority) throw new ApiError('channel_priority_invalid', { min: LIMITS.minPriority })
  return priority
}

function checkWeight(weight: number): number {
  if (weight < 0 || weight > LIMITS.maxWeight) throw new ApiError('channel_weight_invalid', { max: LIMITS.maxWeight })
  return weight
}

/** For header text: undici rejects control characters. */
export function checkHeaderText(field: string, text: string): string {
  if (/[\p{Cc}\u2028\u2029]/u.test(text)) throw new ApiError('channel_line_break', { field })
  return text
}

/** Length in characters, not UTF-16 units. */
function lengthOf(text: string): number {
  return [...text].length
}

/** Without trailing slashes; blank when the provider has a default address. */
export function checkBaseUrl(type: number, text: string): string {
  const address = text.trim().replace(/\/+$/, '')
  if (address === '') {
    if (!CHANNEL_TYPES.get(type)?.baseUrl && !hasRegionalAddress(type)) throw new ApiError('channel_base_url_required')
    return ''
  }
  // A custom address may contain `{model}`, outside the host.
  const url = URL.parse(address)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw new ApiError('channel_base_url_invalid')
  return address
}

/** Two clouds have one address per region and no default. */
function hasRegionalAddress(type: number): boolean {
  const kind = api.channelTypeOf(type)
  return kind !== undefined && !kind.baseUrlRequired && kind.baseUrl === ''
}

/** The free field of a channel; its meaning depends on the type. */
export function checkOther(type: number, text: string): string {
  const kind = api.channelTypeOf(type)
  if (kind?.other === 'region') return checkRegion(text)
  return text.trim() === '' ? (kind?.otherDefault ?? '') : text
}

/** A region, or a JSON map of models to regions with a default. */
function checkRegion(text: string): string {
  const region = text.trim()
  if (region === '') throw new ApiError('channel_region_required')
  const isName = REGION.test(region)
  if (!isName && !isRegionMap(region)) throw new ApiError('channel_region_invalid')
  return region
}

const REGION = /^[a-z][a-z0-9-]{0,62}$/

function isRegionMap(text: string): boolean {
  try {
    const map: unknown = JSON.parse(text)
    if (typeof map !== 'object' || map === null || Array.isArray(map)) return false
    const isRegion = (value: unknown) => typeof value === 'string' && REGION.test(value)
    return Object.hasOwn(map, 'default') && Object.values(map).every(isRegion)
  } catch {
    return false
  }
}

/** Splits comma-separated names and removes duplicates. */
export function splitNames(text: string): string[] {
  const names = text.split(',').map((name) => name.trim())
  return [...new Set(names.filter((name) => name !== ''))]
}
