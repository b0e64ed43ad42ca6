import { ApiError, withoutZeros, type Settings } from '@tidegate/contract'
import { splitNames } from './split-names.ts'

const NAME_LIMIT = 255
const TAG_LIMIT = 64
const MODEL_LIMIT = 255
const LOWEST_PRIORITY = -999
const HIGHEST_WEIGHT = 1_000_000_000

export function checkName(name: string): string {
  const trimmed = withoutZeros(name).trim()
  if (lengthOf(trimmed) > NAME_LIMIT) throw new ApiError('channel_name_too_long', { limit: NAME_LIMIT })
  return trimmed
}

/** A comma would make the tag impossible to search for. */
export function checkTag(tag: string): string {
  const trimmed = withoutZeros(tag).trim()
  if (lengthOf(trimmed) > TAG_LIMIT || trimmed.includes(',')) {
    throw new ApiError('channel_tag_too_long', { limit: TAG_LIMIT })
  }
  return trimmed
}

export function checkModels(text: string): string {
  const models = splitNames(text)
  if (models.length === 0) throw new ApiError('channel_models_required')
  const long = models.find((model) => lengthOf(model) > MODEL_LIMIT)
  if (long !== undefined) {
    throw new ApiError('channel_model_name_too_long', { limit: MODEL_LIMIT, model: [...long].slice(0, 32).join('') })
  }
  return models.join(',')
}

/** Groups exist by having a ratio. */
export function checkGroups(text: string, { GroupRatio }: Pick<Settings, 'GroupRatio'>): string {
  const groups = splitNames(text)
  const unknown = groups.find((group) => !Object.hasOwn(GroupRatio, group))
  if (unknown !== undefined || groups.length === 0) throw new ApiError('group_unknown', { group: unknown ?? '' })
  return groups.join(',')
}

export function checkPriority(priority: number): number {
  if (priority < LOWEST_PRIORITY) throw new ApiError('channel_priority_invalid', { min: LOWEST_PRIORITY })
  return priority
}

export function checkWeight(weight: number): number {
  if (weight < 0 || weight > HIGHEST_WEIGHT) throw new ApiError('channel_weight_invalid', { max: HIGHEST_WEIGHT })
  return weight
}

/** For text that is sent as a header: undici rejects the request otherwise. */
export function checkHeaderText(field: string, text: string): string {
  if (/[\p{Cc}\u2028\u2029]/u.test(text)) throw new ApiError('channel_line_break', { field })
  return text
}

/** People count characters, not UTF-16 units. */
function lengthOf(text: string): number {
  return [...text].length
}
