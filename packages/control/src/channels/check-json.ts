import { isHeaderOverride, ApiError, type LocalizedText } from '@tidegate/contract'

/** Keys that could change an object's prototype. */
const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/** A map of names to names. Prototype keys are dropped. */
export function checkModelMapping(text: string): string {
  const entries = readEntries('model_mapping', text)
  const safe = entries.filter(([from]) => !PROTOTYPE_KEYS.has(from))
  const wrong = safe.find(([, to]) => typeof to !== 'string')
  if (wrong) throw new ApiError('channel_model_mapping_invalid', { name: wrong[0].slice(0, 64) })
  return safe.length === entries.length ? text.trim() : JSON.stringify(Object.fromEntries(safe))
}

export function checkStatusCodeMapping(text: string): string {
  const wrong = readEntries('status_code_mapping', text).find(([from, to]) => !isStatus(from) || !isStatus(to))
  if (wrong) throw new ApiError('channel_status_code_mapping_invalid', { name: wrong[0].slice(0, 64) })
  return text.trim()
}

export function checkParamOverride(text: string): string {
  readEntries('param_override', text)
  return text.trim()
}

export function checkHeaderOverride(text: string): string {
  const wrong = readEntries('header_override', text).find(([name, value]) => !isHeaderOverride(name, value))
  if (wrong) throw new ApiError('channel_header_override_invalid', { name: wrong[0].slice(0, 64) })
  return text.trim()
}

/** Validates known settings; unknown ones stay for newer versions. */
export function checkSetting(text: string): string {
  for (const [name, value] of readEntries('setting', text)) {
    if (name === 'proxy') checkProxy(value)
    else if (Object.hasOwn(SWITCHES, name)) checkSwitch(name as keyof typeof SWITCHES, value)
  }
  return text.trim()
}

const YES_OR_NO = [true, false]
const SWITCHES = {
  force_format: YES_OR_NO,
  thinking_to_content: YES_OR_NO,
  stream_support: ['DEFAULT', 'NON_STREAM_ONLY', ''],
  openai_api: ['auto', 'chat', 'responses', ''],
  unpriced_options: ['remove', 'reject', ''],
  batch_api: ['auto', 'always', 'never', ''],
} as const

function checkSwitch(name: keyof typeof SWITCHES, value: unknown): void {
  const choices: readonly unknown[] = SWITCHES[name]
  if (!choices.includes(value)) throw new ApiError('channel_setting_invalid', { name, expected: listOf(choices) })
}

function checkProxy(value: unknown): void {
  const expected: LocalizedText = { zh: '代理地址', en: 'an address' }
  if (typeof value !== 'string') throw new ApiError('channel_setting_invalid', { name: 'proxy', expected })
  if (value.trim() === '') return
  const url = URL.parse(value.trim())
  if (!url?.hostname || !/^(https?|socks5):$/.test(url.protocol)) throw new ApiError('channel_proxy_invalid')
}

function listOf(choices: readonly unknown[]): string {
  return choices.filter((choice) => choice !== '').join(', ')
}

/** Entries of a JSON object; none for blank text. */
export function readEntries(field: string, text: string): [string, unknown][] {
  if (text.trim() === '') return []
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ApiError('channel_json_invalid', { field })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError('channel_json_invalid', { field })
  }
  return Object.entries(value)
}

function isStatus(value: unknown): boolean {
  if (typeof value !== 'number' && !(typeof value === 'string' && /^\d{3}$/.test(value))) return false
  return Number.isInteger(Number(value)) && Number(value) >= 100 && Number(value) <= 599
}
