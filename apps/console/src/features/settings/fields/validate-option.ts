import type { Texts } from '../../../locales/texts.ts'
import type { FieldValue, KnownField } from '../option-values.ts'

/** A message under `errors` of the texts, with its values. */
export interface ValidationError {
  message: keyof Texts['settings']['errors']
  values?: { min?: number; max?: number; above?: number }
}

/** Validates a value before it is saved. The server validates it again. */
export function validateOption(field: KnownField, value: FieldValue | undefined): ValidationError | null {
  switch (field.facts.kind) {
    case 'integer':
    case 'number':
      return validateNumber(field, value)
    case 'json':
      return validateJson(field, String(value ?? ''))
    case 'url':
      return validateUrl(field, String(value ?? '').trim())
    case 'list':
      return validatePattern(field, Array.isArray(value) ? value : [])
    default:
      return typeof value === 'string' ? validatePattern(field, [value.trim()]) : null
  }
}

function validateNumber({ facts, message }: KnownField, value: FieldValue | undefined): ValidationError | null {
  const { min, max, above } = facts
  if (value === null || value === undefined || value === '') {
    // An option with a blank default can be blank.
    return facts.default === '' ? null : { message: message ?? 'number' }
  }
  const number = Number(value)
  if (!Number.isFinite(number)) return { message: 'number' }
  if (facts.kind === 'integer' && !Number.isSafeInteger(number)) return { message: 'integer' }
  if (above !== undefined && number <= above) return { message: 'above', values: { above } }
  const isOutside = number < (min ?? -Infinity) || number > (max ?? Infinity)
  if (!isOutside) return null
  if (message) return { message }
  if (min !== undefined && max !== undefined && max < TECHNICAL_MAX) return { message: 'range', values: { min, max } }
  if (min !== undefined && number < min) return { message: 'min', values: { min } }
  return { message: 'max', values: { max: max! } }
}

/** Larger limits only keep sums exact. They are not part of a message about the minimum. */
const TECHNICAL_MAX = 1e15

function validateJson({ isList }: KnownField, text: string): ValidationError | null {
  if (text.trim() === '') return null
  try {
    const value: unknown = JSON.parse(text)
    const isValid = isList ? Array.isArray(value) : typeof value === 'object' && value !== null && !Array.isArray(value)
    return isValid ? null : { message: 'json' }
  } catch {
    return { message: 'json' }
  }
}

function validateUrl({ takesPath, isImage }: KnownField, text: string): ValidationError | null {
  const isPath = (takesPath || isImage) && /^\/(?![/\\])\S*$/.test(text)
  const isUrl = (isImage ? /^https:\/\//i : /^https?:\/\//i).test(text) && URL.canParse(text)
  if (text === '' || isPath || isUrl) return null
  return { message: isImage ? 'image' : takesPath ? 'link' : 'url' }
}

function validatePattern({ pattern }: KnownField, entries: readonly string[]): ValidationError | null {
  return pattern && entries.some((entry) => !pattern.expression.test(entry)) ? { message: pattern.message } : null
}
