import type { Part, ThinkingPart, ToolCallPart } from '../../canonical/index.ts'
import { DialectError } from '../../canonical/errors.ts'
import { asList, type JsonObject } from '../../json/json-object.ts'
import { callSignatureForVendor } from '../signatures.ts'

/** An assistant message for a vendor; none when nothing of it means anything to this one. */
export function encodeAssistant(parts: readonly Part[], idOf: (id: string) => string): JsonObject[] {
  refuseWhatModelsDoNotSay(parts)
  // What it drew follows in the next user message, and must not seem to come from nowhere.
  const text = parts.map(wordsOf).join('') || (parts.some(({ type }) => type === 'image') ? '(an image)' : '')
  const calls = parts.filter((part) => part.type === 'tool-call').map((call) => encodeCall(call, idOf))
  const thoughts = encodeThoughts(parts.filter((part) => part.type === 'thinking'))
  if (text === '' && calls.length === 0) return []
  return [
    {
      role: 'assistant',
      content: text === '' ? null : text,
      ...thoughts,
      ...(calls.length > 0 && { tool_calls: calls }),
    },
  ]
}

function refuseWhatModelsDoNotSay(parts: readonly Part[]): void {
  const odd = parts.find(({ type }) => type === 'audio' || type === 'document')
  if (odd) throw new DialectError('cannot_express', `${odd.type} in an assistant message`)
}

/** A refusal is said in plain words: the field for it is OpenAI's alone. */
function wordsOf(part: Part): string {
  return part.type === 'text' || part.type === 'refusal' ? part.text : ''
}

function encodeCall({ id, name, arguments: text, signature }: ToolCallPart, idOf: (id: string) => string): JsonObject {
  return {
    id: idOf(id),
    type: 'function',
    function: { name, arguments: text === '' ? '{}' : text },
    ...callSignatureForVendor(signature),
  }
}

/** Thoughts go back to vendors of this dialect only, in the field they came in; see `read-reasoning.ts`. */
function encodeThoughts(thoughts: readonly ThinkingPart[]): JsonObject {
  const fields: Record<string, string> = {}
  const details: unknown[] = []
  for (const { text, signature } of thoughts) {
    if (signature?.dialect !== 'openai-chat') continue
    const { value } = signature
    if (value.startsWith('[')) details.push(...detailsIn(value))
    else if (text !== '') {
      const field = value === 'reasoning' ? 'reasoning' : 'reasoning_content'
      fields[field] = (fields[field] ?? '') + text
    }
  }
  return { ...fields, ...(details.length > 0 && { reasoning_details: details }) }
}

/** Clients keep the signature for us and may bring back anything. */
function detailsIn(value: string): readonly unknown[] {
  try {
    return asList(JSON.parse(value))
  } catch {
    return []
  }
}
