import { DialectError } from '../canonical/errors.ts'
import { asJsonObject, asList, asText, type JsonObject } from '../json/json-object.ts'

/**
 * Begins the `encrypted_content` of a provider in a response that is forwarded: `tga1.<account>.<content>`. Only the
 * account that encrypted it can read it, so it is removed from requests to any other one.
 */
const SEALED_PREFIX = 'tga1.'

/** A quote in a text is escaped, so this finds members only. */
const ENCRYPTED = /("encrypted_content"\s*:\s*")(?=[^"])/g

/** Names the account in all encrypted content of a response, or of an event of its stream. */
export function sealContent(text: string, account: string): string {
  return text.replaceAll(ENCRYPTED, `$1${SEALED_PREFIX}${account}.`)
}

/** Items with the content that the account can read. Undefined if no content is sealed. */
export function openSealedItems(input: unknown, account: string | undefined): readonly unknown[] | undefined {
  const items = asList(input)
  return items.some(isSealed) ? items.flatMap((item) => openSealedItem(item, account)) : undefined
}

export function isSealed(item: unknown): boolean {
  return asText(asJsonObject(item)?.encrypted_content).startsWith(SEALED_PREFIX)
}

/** Empty for reasoning of another account. */
export function openSealedItem(item: unknown, account: string | undefined): unknown[] {
  if (!isSealed(item)) return [item]
  const object = item as JsonObject
  const [owner, content] = split(asText(object.encrypted_content).slice(SEALED_PREFIX.length))
  if (owner === account) return [{ ...object, encrypted_content: content }]
  if (object.type === 'reasoning') return []
  throw new DialectError('cannot_express', `only the account that made the item ${asText(object.id)} can read it`)
}

function split(text: string): [string, string] {
  const at = text.indexOf('.')
  return [text.slice(0, at), text.slice(at + 1)]
}
