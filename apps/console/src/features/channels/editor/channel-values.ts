import type { ChannelDetail, NewChannelInput } from '@tidegate/contract/api'
import { splitNames, withoutPrototypeKeys } from '../channel-text.ts'
import { joinKeys } from './key-text.ts'

/** Values of the form. Lists become comma-separated text in the request. */
export interface ChannelValues {
  type: number
  name: string
  base_url: string
  /** Blank keeps the stored keys. */
  key: string
  other: string
  openai_organization: string
  models: string[]
  model_mapping: string
  test_model: string
  model_prefix: string
  groups: string[]
  tag: string
  priority: number | null
  weight: number | null
  auto_ban: boolean
  max_input_tokens: number | null
  setting: string
  param_override: string
  header_override: string
  status_code_mapping: string
  system_prompt: string
}

export const INITIAL_CHANNEL: ChannelValues = {
  type: 1,
  name: '',
  base_url: '',
  key: '',
  other: '',
  openai_organization: '',
  models: [],
  model_mapping: '',
  test_model: '',
  model_prefix: '',
  groups: ['default'],
  tag: '',
  priority: 0,
  weight: 0,
  auto_ban: true,
  max_input_tokens: 0,
  setting: '',
  param_override: '',
  header_override: '',
  status_code_mapping: '',
  system_prompt: '',
}

/** The form values of an existing channel. */
export function valuesOf(channel: ChannelDetail): ChannelValues {
  return {
    type: channel.type,
    name: channel.name,
    base_url: channel.base_url,
    key: '',
    other: channel.other,
    openai_organization: channel.openai_organization,
    models: splitNames(channel.models),
    model_mapping: channel.model_mapping,
    test_model: channel.test_model,
    model_prefix: channel.model_prefix,
    groups: splitNames(channel.group),
    tag: channel.tag,
    priority: channel.priority,
    weight: channel.weight,
    auto_ban: channel.auto_ban === 1,
    max_input_tokens: channel.max_input_tokens,
    setting: channel.setting,
    param_override: channel.param_override,
    header_override: channel.header_override,
    status_code_mapping: channel.status_code_mapping,
    system_prompt: channel.system_prompt,
  }
}

/** New values of the fields that were not edited. */
export function untouchedValues(
  before: ChannelValues,
  now: ChannelValues,
  shown: Partial<ChannelValues>,
): Partial<ChannelValues> {
  const isUntouched = ([field]: [string, unknown]) => {
    const name = field as keyof ChannelValues
    return JSON.stringify(shown[name]) === JSON.stringify(before[name])
  }
  return Object.fromEntries(Object.entries(now).filter(isUntouched))
}

export type ChannelBody = NewChannelInput

/** Fields of one provider exist for its type only, and the key only while it is entered. */
type ShownValues = Omit<ChannelValues, 'key' | 'other' | 'openai_organization'> & Partial<ChannelValues>

/** The request body for the values of the form. */
export function bodyOf({ groups, ...values }: ShownValues, { singleKey }: { singleKey: boolean }): ChannelBody {
  return {
    ...values,
    name: values.name.trim(),
    base_url: withoutTrailingSlash(values.base_url),
    key: joinKeys(values.key ?? '', singleKey),
    other: values.other?.trim() ?? '',
    openai_organization: values.openai_organization?.trim() ?? '',
    models: values.models.join(','),
    model_mapping: withoutPrototypeKeys(values.model_mapping),
    group: groups.join(','),
    auto_ban: values.auto_ban ? 1 : 0,
    priority: values.priority ?? 0,
    weight: values.weight ?? 0,
    max_input_tokens: values.max_input_tokens ?? 0,
  }
}

export const withoutTrailingSlash = (url: string): string => url.trim().replace(/\/+$/, '')
