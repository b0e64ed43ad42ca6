import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** AES-256-GCM as base64url. `associated` is authenticated but not included: decryption needs the same value. */
export function encrypt(key: KeyObject, associated: string, plain: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(associated, 'utf8'))
  return Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/** Undefined for another key, another associated text, or damaged data. */
export function decrypt(key: KeyObject, associated: string, text: string): string | undefined {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.byteLength < NONCE_BYTES + TAG_BYTES) return undefined
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(associated, 'utf8'))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    const body = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
    return Buffer.concat([body, decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

/** Its message never contains any part of a secret. */
export class VaultError extends Error {
  override readonly name = 'VaultError'
}
