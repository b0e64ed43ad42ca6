import type { KnownField } from './option-values.ts'
import type { FieldValue } from './option-values.ts'
import type { Texts } from '../../locales/texts.ts'

/** A message under `errors` of the settings' texts, with what fills its blanks. */
export interface Problem {
  message: keyof Texts['settings']['errors']
  blanks?: { min?: number; max?: number; above?: number }
}

/** What keeps a value from being saved, as far as the form can tell; the server checks again. */
export function problemOf(field: KnownField, value: FieldValue | undefined): Problem | null {
  switch (field.facts.kind) {
    case 'integer':
    case 'number':
      return figureProblem(field, value)
    case 'json':
      return jsonProblem(field, String(value ?? ''))
    case 'url':
      return addressProblem(field, String(value ?? '').trim())
    case 'list':
      return patternProblem(field, Array.isArray(value) ? value : [])
    default:
      return typeof value === 'string' ? patternProblem(field, [value.trim()]) : null
  }
}

function figureProblem({ facts, message }: KnownField, value: FieldValue | undefined): Problem | null {
  const { min, max, above } = facts
  if (value === null || value === undefined || value === '') {
    // Blank is a value of its own where the option has none to begin with.
    return facts.default === '' ? null : { message: message ?? 'number' }
  }
  const figure = Number(value)
  if (!Number.isFinite(figure)) return { message: 'number' }
  if (facts.kind === 'integer' && !Number.isSafeInteger(figure)) return { message: 'integer' }
  if (above !== undefined && figure <= above) return { message: 'above', blanks: { above } }
  const isOut = figure < (min ?? -Infinity) || figure > (max ?? Infinity)
  if (!isOut) return null
  if (message) return { message }
  if (min !== undefined && max !== undefined && max < NOBODY_ENTERS) return { message: 'range', blanks: { min, max } }
  if (min !== undefined && figure < min) return { message: 'min', blanks: { min } }
  return { message: 'max', blanks: { max: max! } }
}

/** A limit that only keeps sums exact: told to those who go beyond it, not to those who stay below another. */
const NOBODY_ENTERS = 1e15

function jsonProblem({ isList }: KnownField, text: string): Problem | null {
  if (text.trim() === '') return null
  try {
    const value: unknown = JSON.parse(text)
    const fits = isList ? Array.isArray(value) : typeof value === 'object' && value !== null && !Array.isArray(value)
    return fits ? null : { message: 'json' }
  } catch {
    return { message: 'json' }
  }
}

function addressProblem({ takesPath, isImage }: KnownField, text: string): Problem | null {
  const isPath = (takesPath || isImage) && /^\/(?![/\\])\S*$/.test(text)
  const isAddress = (isImage ? /^https:\/\//i : /^https?:\/\//i).test(text) && URL.canParse(text)
  if (text === '' || isPath || isAddress) return null
  return { message: isImage ? 'image' : takesPath ? 'link' : 'url' }
}

function patternProblem({ pattern }: KnownField, entries: readonly string[]): Problem | null {
  return pattern && entries.some((entry) => !pattern.expression.test(entry)) ? { message: pattern.message } : null
}
