import { type Part, readSignature, type Signature, type ThinkingPart, writeSignature } from '../canonical/index.ts'
import { asCount, asList, asText, asJsonObject, type JsonObject } from '../json/json-object.ts'

/**
 * Where thoughts and their signatures live on the messages of a chat client: a list beside `reasoning_content`, which
 * clients that know it hand back. `index` is the thought's place among the parts of the answer, for a chat message has
 * its text, its calls and its thoughts in separate fields, and some vendors insist on the order.
 */
export function writeDetail({ text, signature, redacted }: Omit<ThinkingPart, 'type'>, index: number): JsonObject {
  const written = signature && writeSignature(signature, 'openai-chat')
  const common = { ...(signature?.id !== undefined && { id: signature.id }), index }
  if (redacted) return { type: 'reasoning.encrypted', data: written ?? '', ...common }
  return { type: 'reasoning.text', text, ...(written !== undefined && { signature: written }), ...common }
}

interface Thought {
  readonly index: number
  readonly part: ThinkingPart
}

export function decodeThoughts(message: JsonObject): Thought[] {
  const details = asList(message.reasoning_details)
  if (details.length > 0) return details.map((detail, place) => decodeDetail(asJsonObject(detail) ?? {}, place))
  const usual = asText(message.reasoning_content)
  const text = usual || asText(message.reasoning)
  if (text === '') return []
  const signature: Signature = { dialect: 'openai-chat', value: usual === '' ? 'reasoning' : '' }
  return [{ index: 0, part: { type: 'thinking', text, signature } }]
}

function decodeDetail(detail: JsonObject, place: number): Thought {
  const index = typeof detail.index === 'number' ? asCount(detail.index) : place
  const redacted = detail.type === 'reasoning.encrypted'
  const text = redacted ? '' : asText(detail.text) || asText(detail.summary)
  const kept = readSignature(asText(redacted ? detail.data : detail.signature), 'openai-chat')
  // One of a vendor of this dialect goes back whole: it may say more than we understand.
  const signature = kept.dialect === 'openai-chat' ? { ...kept, value: JSON.stringify([detail]) } : kept
  return { index, part: { type: 'thinking', text, signature, ...(redacted && { redacted }) } }
}

/** Puts the thoughts at their places, and everything else in order around them. */
export function placeThoughts(thoughts: readonly Thought[], said: readonly Part[]): Part[] {
  if (thoughts.length === 0) return [...said]
  const rest = [...said]
  const parts: Part[] = []
  for (const { index, part } of thoughts) {
    while (parts.length < index && rest.length > 0) parts.push(rest.shift()!)
    parts.push(part)
  }
  return [...parts, ...rest]
}
