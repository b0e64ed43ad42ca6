import type { OptionFacts, OptionKey } from '@tidegate/contract/api'
import type { OptionChange, OptionTexts } from '../../api/options.ts'
import { formatJson } from '../../lib/json-text.ts'
import type { Field } from './sections/index.ts'

/** What a control holds: a switch, a figure, a list of entries, or a text. Null is a blank figure or a secret to clear. */
export type FieldValue = boolean | number | string | string[] | null
export type FormValues = Partial<Record<OptionKey, FieldValue>>

export type { OptionChange, OptionTexts }

/** A field together with what the server says of its option. */
export interface KnownField extends Field {
  readonly facts: OptionFacts
}

/** What the control of a field shows for a stored text. A secret is never known, so its control begins blank. */
export function valueOf({ facts }: Pick<KnownField, 'facts'>, text: string): FieldValue {
  switch (facts.kind) {
    case 'boolean':
      return text === 'true'
    case 'integer':
    case 'number':
      return text === '' ? null : Number(text)
    case 'list':
      return text.split(',').filter((entry) => entry !== '')
    case 'json':
      return formatJson(text)
    default:
      return text
  }
}

/** The other way round; JSON without the blanks that only help to read it. */
export function textOf({ facts }: Pick<KnownField, 'facts'>, value: FieldValue | undefined): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.join(',')
  if (facts.kind === 'json') return compactJson(String(value))
  return String(value)
}

/** What differs between the controls and the texts they were filled with, in the order of the fields. */
export function changesOf(fields: readonly KnownField[], base: OptionTexts, values: FormValues): OptionChange[] {
  return fields.flatMap((field) => {
    const value = values[field.key]
    if (field.facts.secret) {
      // Blank is "as it was": to clear a secret is a wish of its own.
      return value === '' || value === undefined ? [] : [{ key: field.key, value: textOf(field, value) }]
    }
    const text = textOf(field, value)
    return text === (base[field.key] ?? '') ? [] : [{ key: field.key, value: text }]
  })
}

function compactJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}
