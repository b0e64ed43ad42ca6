import type { OptionFacts, OptionKey } from '@tidegate/contract/api'
import type { OptionChange, OptionTexts } from '../../api/options.ts'
import { formatJson } from '../../lib/json-text.ts'
import type { Field } from './sections/index.ts'

/** The value of a control. Null is a blank number, or a secret to clear. */
export type FieldValue = boolean | number | string | string[] | null
export type FormValues = Partial<Record<OptionKey, FieldValue>>

export type { OptionChange, OptionTexts }

/** A field with the metadata of its option from the server. */
export interface KnownField extends Field {
  readonly facts: OptionFacts
}

/** The form value of a stored text. */
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

/** The text to store for a form value. JSON is stored without whitespace. */
export function textOf({ facts }: Pick<KnownField, 'facts'>, value: FieldValue | undefined): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.join(',')
  if (facts.kind === 'json') return compactJson(String(value))
  return String(value)
}

/** The options whose form value differs from the stored text, in the order of the fields. */
export function changesOf(fields: readonly KnownField[], base: OptionTexts, values: FormValues): OptionChange[] {
  return fields.flatMap((field) => {
    const value = values[field.key]
    if (field.facts.secret) {
      // A blank field keeps the secret; null clears it.
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

type WithoutDots<Key extends string> = Key extends `${infer Start}.${infer Rest}`
  ? WithoutDots<`${Start}_${Rest}`>
  : Key

/** The key of an option under `options` of the texts, where a dot would start a nested key. */
type TextKey = WithoutDots<OptionKey>

export const textKeyOf = (key: OptionKey): TextKey => key.replaceAll('.', '_') as TextKey

/** The element ID of an option or a section, for links to it. */
export const anchorOf = (target: string): string => `setting-${target}`
