import type { Signature } from './content.ts'
import { type DialectId, DIALECT_IDS } from './dialect-id.ts'

const WRAPPED_PREFIX = 'tg1.'

/**
 * A signature as a client of another dialect keeps it for us. Clients hand such texts back unread, so a vendor's proof
 * survives a conversation in a protocol that has no place for it.
 */
export function wrapSignature({ dialect, value, id }: Signature): string {
  return WRAPPED_PREFIX + toBase64Url(JSON.stringify(id === undefined ? [dialect, value] : [dialect, value, id]))
}

/** What a client handed back: one we wrapped, or else its own dialect's. */
export function readSignature(text: string, own: DialectId): Signature {
  return unwrap(text) ?? { dialect: own, value: text }
}

/** The text for a client: as it is when the client speaks the vendor's dialect, wrapped when it does not. */
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

/** What browsers and Node both have, and the language alone does not know. */
const { btoa, atob, TextEncoder, TextDecoder } = globalThis as unknown as {
  btoa(binary: string): string
  atob(base64: string): string
  TextEncoder: new () => { encode(text: string): Uint8Array }
  TextDecoder: new () => { decode(bytes: Uint8Array): string }
}

function toBase64Url(text: string): string {
  let binary = ''
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

function fromBase64Url(text: string): string {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return new TextDecoder().decode(Uint8Array.from(binary, (character: string) => character.charCodeAt(0)))
}
