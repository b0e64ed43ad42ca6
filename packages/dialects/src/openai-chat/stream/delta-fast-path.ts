import type { CanonicalEvent } from '../../canonical/index.ts'
import { asList, asJsonObject, type JsonObject } from '../../json/json-object.ts'

type TextDelta = Extract<CanonicalEvent, { type: 'text-delta' }>

/** Common text of chunks that differ only in their content, which most chunks of a stream do. */
export interface DeltaTemplate {
  readonly name: string | undefined
  readonly before: string
  readonly after: string
  readonly block: number
}

interface DecodedChunk {
  readonly name?: string
  readonly data: string
  readonly chunk: JsonObject
  /** Events decoded from the chunk. */
  readonly events: readonly CanonicalEvent[]
}

const CONTENT_KEY = '"content":'

/**
 * Creates a template from a chunk that has only a text delta. `undefined` if the position of the text is not certain.
 */
export function createTemplate({ name, data, chunk, events }: DecodedChunk): DeltaTemplate | undefined {
  const textDelta = events[0]
  if (events.length !== 1 || textDelta?.type !== 'text-delta') return undefined
  const delta = asJsonObject(asJsonObject(asList(chunk.choices)[0])?.delta)
  // Reasoning details produce no event, so such a chunk has more than its text.
  if (delta?.content !== textDelta.text || delta.reasoning_details !== undefined) return undefined
  // Quotes inside strings are escaped, so a single match of the key is the one that was parsed.
  const key = data.indexOf(CONTENT_KEY)
  if (key === -1 || key !== data.lastIndexOf(CONTENT_KEY)) return undefined
  const opening = data.indexOf('"', key + CONTENT_KEY.length)
  const before = data.slice(0, opening + 1)
  const after = data.slice(before.length + textDelta.text.length)
  const isPlain = data.startsWith(textDelta.text, before.length) && after.startsWith('"')
  return isPlain ? { name, before, after, block: textDelta.block } : undefined
}

/** Decodes a chunk that matches the template of the previous one without parsing it. */
export function matchTemplate(
  { name, before, after, block }: DeltaTemplate,
  chunk: { readonly name?: string; readonly data: string },
): TextDelta | undefined {
  const { data } = chunk
  const end = data.length - after.length
  if (chunk.name !== name || end <= before.length) return undefined
  // Slices are ten times faster than `startsWith` and `endsWith`, which compare character by character.
  if (data.slice(0, before.length) !== before || data.slice(end) !== after) return undefined
  const text = data.slice(before.length, end)
  return NEEDS_PARSING.test(text) ? undefined : { type: 'text-delta', block, text }
}

/** Characters that JSON escapes, or that end a string. */
// oxlint-disable-next-line no-control-regex -- JSON forbids these very characters
const NEEDS_PARSING = /["\\\u0000-\u001F]/
