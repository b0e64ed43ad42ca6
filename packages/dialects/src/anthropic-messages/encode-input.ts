import type { ToolCallPart } from '../canonical/index.ts'
import { asText, asJsonObject } from '../json/json-object.ts'
import { parseExactly } from './parse-exactly.ts'

/**
 * A call's arguments as the object this dialect wants. What is no object is put into one as its `input`: models do
 * write broken JSON, and a call that is part of the conversation must not vanish or fail it. A tool that takes plain
 * text has its text there, too, as it was offered.
 */
export function encodeInput({ arguments: text }: Pick<ToolCallPart, 'arguments'>, takesText = false): unknown {
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = parseExactly(text)
  } catch {
    return { input: text }
  }
  const object = asJsonObject(value)
  if (takesText) return object && isWrapped(object) ? object : { input: text }
  return object ?? { input: value }
}

function isWrapped(object: object): boolean {
  return Object.keys(object).length === 1 && 'input' in object && asText(object.input) === object.input
}
