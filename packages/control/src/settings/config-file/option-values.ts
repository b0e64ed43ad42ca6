import type { OptionKind, Phrase } from '@tidegate/contract'

/** An option as the file has it: a switch, a figure, a list or a structure in place of its text. */
export function optionToFile(kind: OptionKind, text: string): unknown {
  switch (kind) {
    case 'boolean':
      return text === 'true'
    case 'integer':
    case 'number':
      return text === '' ? null : Number(text)
    case 'lines':
      return text === '' ? [] : text.split('\n')
    case 'list':
      return text === '' ? [] : text.split(',')
    case 'json':
      return JSON.parse(text) as unknown
    default:
      return text
  }
}

/** The text of an option again, or what the file should have said. Its own rules come later. */
export function optionFromFile(kind: OptionKind, value: unknown): { text: string } | { problem: Phrase } {
  switch (kind) {
    case 'boolean':
      return typeof value === 'boolean' ? { text: String(value) } : { problem: NEEDS.boolean }
    case 'integer':
    case 'number':
      return typeof value === 'number' ? { text: String(value) } : { problem: NEEDS.number }
    case 'lines':
    case 'list':
      if (!Array.isArray(value) || !value.every(isScalar)) return { problem: NEEDS.list }
      return { text: value.join(kind === 'lines' ? '\n' : ',') }
    case 'json':
      return typeof value === 'object' ? { text: JSON.stringify(value) } : { problem: NEEDS.structure }
    default:
      return typeof value === 'string' ? { text: value } : { problem: NEEDS.text }
  }
}

/** What a file must hold in a place, for whoever wrote something else there. */
export const NEEDS = {
  boolean: { zh: '应为 true 或 false', en: 'this must be true or false' },
  number: { zh: '应为数字', en: 'this must be a number' },
  list: { zh: '应为列表，每行一项，以 “- ” 开头', en: 'this must be a list, an entry to a line after "- "' },
  structure: { zh: '应为映射或列表', en: 'this must be a map or a list' },
  map: { zh: '应为映射，即“名称: 值”', en: 'this must be a map of "name: value"' },
  text: {
    zh: '应为文本，数字和 true、false 请加引号',
    en: 'this must be a text; put numbers, true and false in quotes',
  },
} as const satisfies Record<string, Phrase>

export function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}
