import type { Signature } from './content.ts'
import { type DialectId, DIALECT_IDS } from './dialect-id.ts'

const WRAPPED_PREFIX = 'tg1.'

/**
 * Wraps a signature for a client of another protocol. Clients send such values back unchanged, so a signature survives
 * a conversation in a protocol that has no field for it.
 */
export function wrapSignature({ dialect, value, id }: Signature): string {
  return WRAPPED_PREFIX + toBase64Url(JSON.stringify(id === undefined ? [dialect, value] : [dialect, value, id]))
}

/** Reads a signature that a client sent back: wrapped by us, or of the client's own protocol. */
export function readSignature(text: string, own: DialectId): Signature {
  return unwrap(text) ?? { dialect: own, value: text }
}

/** Signature text for a client: unchanged in the provider's own protocol, wrapped in any other. */
export function writeSignature(signature: Signature, own: DialectId): string {
  return signature.dialect === own ? signature.value : wrapSignature(signature)
}

function unwrap(text: string): Signature | undefined {
  if (!text.startsWith(WRAPPED_PREFIX)) return undefined
  try {
    const [dialect, value, id] = JSON.parse(fromBase64Url(text.slice(WRAPPED_PREFIX.length))) as unknown[]
    if (!DIALECT_IDS.includes(dialect as DialectId) || typeof value !== 'string') return undefined
    return { dialect: dialect as DialectId, value, ...(typeof id === 'string' && { id }) }
  } catch {
    return undefined
  }
}

/** Available in browsers and in Node, but missing in the language's type declarations. */
const { btoa, atob, TextEncoder, TextDecoder } = globalThis as unknown as {
  btoa(binary: string): string
  atob(base64: string): string
  TextEncoder: new () => { encode(text: string): Uint8Array }
  TextDecoder: new () => { decode(bytes: Uint8Array): string }
}

export function toBase64Url(text: string): string {
  let binary = ''
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

export function fromBase64Url(text: string): string {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return new TextDecoder().decode(Uint8Array.from(binary, (character: string) => character.charCodeAt(0)))
}
