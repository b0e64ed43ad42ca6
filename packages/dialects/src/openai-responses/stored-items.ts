import { asJsonObjects, asText, type JsonObject } from '../json/json-object.ts'
import { isGatewaySignature } from './signatures.ts'

/** The items of `input`, which may be a text. */
export function readInputItems(input: unknown): JsonObject[] {
  return typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : asJsonObjects(input)
}

/** The id of the stored item that an item stands for. The type of a reference is optional. */
export function referencedId(item: JsonObject): string | undefined {
  if (item.type === 'item_reference') return asText(item.id)
  const isBare = (item.type === undefined || item.type === null) && item.role === undefined
  return isBare ? asText(item.id) || undefined : undefined
}

/** Items that a request can reference. */
export function itemsById(items: readonly unknown[]): Map<string, JsonObject> {
  const named = asJsonObjects(items).filter((item) => asText(item.id) !== '' && referencedId(item) === undefined)
  return new Map(named.map((item) => [asText(item.id), item]))
}

/** Items whose id names nothing that their provider needs. */
const NAMELESS_TYPES = new Set([
  'message',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
])

/**
 * An item of an earlier turn for any account: without the id, which only the account knows that produced it.
 * `undefined` for reasoning that only that account can read.
 */
export function portableItem(item: JsonObject): JsonObject | undefined {
  const type = asText(item.type) || 'message'
  if (type === 'reasoning') return isGatewaySignature(asText(item.encrypted_content)) ? item : undefined
  if (!NAMELESS_TYPES.has(type)) return item
  const { id: _, ...portable } = item
  return portable
}
