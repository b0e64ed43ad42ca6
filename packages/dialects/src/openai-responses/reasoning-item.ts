import type { Signature, ThinkingPart } from '../canonical/index.ts'
import { asList, asText, asJsonObject, type JsonObject } from '../json/json-object.ts'
import { readSeal } from './signatures.ts'

/** What stands between the sections of a summary once they are one text. */
export const BETWEEN_SECTIONS = '\n\n'

/** The thought in an item a client handed back; `undefined` when it holds neither words nor a seal on any. */
export function readThought(item: JsonObject): ThinkingPart | undefined {
  const text = wordsOf(item).join(BETWEEN_SECTIONS)
  const sealed = asText(item.encrypted_content)
  if (text === '' && sealed === '') return undefined
  const seal = readSeal(sealed)
  if (seal.of === 'call') return undefined
  return {
    type: 'thinking',
    text,
    signature: withIdOf(item, seal.signature),
    ...(seal.redacted === true && { redacted: true }),
  }
}

/**
 * A vendor's mark on a thought: its seal, or only that the words are its own where it does not seal them. A seal of our
 * making is no different when a vendor sends it: another gateway made it, and that one wants it back.
 */
export function ownSignature(item: JsonObject): Signature {
  return withIdOf(item, { dialect: 'openai-responses', value: asText(item.encrypted_content) })
}

function withIdOf(item: JsonObject, signature: Signature): Signature {
  const id = asText(item.id)
  return signature.dialect !== 'openai-responses' || signature.id !== undefined || id === ''
    ? signature
    : { ...signature, id }
}

/** The sections of a thought: the thought itself where a vendor shows it, else the summary of it. */
export function wordsOf(item: JsonObject, from?: 'summary' | 'content'): string[] {
  if (from !== undefined) return textsIn(item[from])
  const content = textsIn(item.content)
  return content.length > 0 ? content : textsIn(item.summary)
}

function textsIn(list: unknown): string[] {
  return asList(list)
    .map((section) => asText(asJsonObject(section)?.text))
    .filter((text) => text !== '')
}

/**
 * A thought handed back to a vendor. What came without a seal came from a vendor that shows its thoughts themselves, and
 * takes them back the same way. `undefined` for the thoughts of others, which mean nothing to this vendor.
 */
export function writeThoughtForVendor({ text, signature }: ThinkingPart): JsonObject | undefined {
  if (signature?.dialect !== 'openai-responses') return undefined
  const identity = { type: 'reasoning', ...(signature.id !== undefined && { id: signature.id }) }
  if (signature.value !== '') {
    return { ...identity, summary: summaryOf(text), encrypted_content: signature.value }
  }
  return text === '' ? undefined : { ...identity, summary: [], content: [{ type: 'reasoning_text', text }] }
}

export function summaryOf(text: string): JsonObject[] {
  return text === '' ? [] : [{ type: 'summary_text', text }]
}
