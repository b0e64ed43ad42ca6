import { ApiError, withoutZeros, type api, type Settings } from '@tidegate/contract'
import { CHANNEL_TYPES } from '@tidegate/providers'
import type { ChannelUpdate } from '@tidegate/storage'
import { checkBaseUrl, checkOther } from './check-address.ts'
import {
  checkHeaderOverride,
  checkModelMapping,
  checkParamOverride,
  checkSetting,
  checkStatusCodeMapping,
} from './check-json.ts'
import {
  checkGroups,
  checkHeaderText,
  checkModels,
  checkName,
  checkPriority,
  checkTag,
  checkWeight,
} from './check-texts.ts'

/** Fields as somebody wants them; the absent ones are not touched. Keys and status are matters of their own. */
export type FieldChanges = {
  [Field in keyof Omit<api.ChannelChanges, 'id' | 'key' | 'status'>]: api.ChannelChanges[Field]
}

/** The rules of the form, held by the server: the first that is broken answers. Gives the columns to store. */
export function checkFields(
  changes: FieldChanges,
  stored: { type: number; base_url: string; other: string },
  settings: Pick<Settings, 'GroupRatio'>,
): ChannelUpdate {
  const type = changes.type ?? stored.type
  const isOtherType = type !== stored.type
  if (isOtherType && !CHANNEL_TYPES.has(type)) throw new ApiError('channel_type_unknown', { type })
  return onlyGiven({
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

function onlyGiven(columns: ChannelUpdate): ChannelUpdate {
  const given = Object.entries(columns).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(
    given.map(([column, value]) => [column, typeof value === 'string' ? withoutZeros(value) : value]),
  )
}
