import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto'

export type Purpose =
  | 'channel-key'
  | 'token-key'
  | 'token-hash'
  | 'session'
  | 'access-token'
  | 'option'
  | 'setup-code'
  | 'webhook-secret'
  | 'mail-code'
  | 'human-pass'
  | 'device'
  | 'auth-flow'
  | 'totp'
  | 'recovery-code'
  | 'passkey-user'
  | 'automation-token'
  | 'idempotent-answer'
  | 'ledger-seal'
  | 'ledger-digest'
  | 'audit-seal'
  | 'audit-digest'

/** Seals secrets for storage. Each purpose has a key of its own, so a value sealed for one opens for no other. */
export interface Vault {
  /** `context` names the row the secret belongs to; the sealed text opens only with the same one. */
  seal(purpose: Purpose, context: string, plain: string): string
  /** Throws a VaultError, which never holds any part of the secret. */
  open(purpose: Purpose, context: string, sealed: string): string
  /** Hex HMAC-SHA256: finds a row by a secret without storing the secret. */
  keyedHash(purpose: Purpose, text: string): string
}

export class VaultError extends Error {
  override readonly name = 'VaultError'
}

/** Names the format and the key generation, so that a later one can live beside it while rows are sealed again. */
const VERSION = 'v1'
const NONCE_BYTES = 12
const TAG_BYTES = 16

export function openVault(rootKey: Uint8Array): Vault {
  if (rootKey.byteLength !== 32) throw new VaultError('the root key must be 32 bytes')
  const keys = new Map<string, KeyObject>()

  function keyFor(use: 'seal' | 'hash', purpose: Purpose): KeyObject {
    const info = `tidegate/${VERSION}/${use}/${purpose}`
    const known = keys.get(info)
    if (known) return known
    const key = createSecretKey(Buffer.from(hkdfSync('sha256', rootKey, new Uint8Array(), info, 32)))
    keys.set(info, key)
    return key
  }

  return {
    seal(purpose, context, plain) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keyFor('seal', purpose), nonce)
      cipher.setAAD(associatedData(purpose, context))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `${VERSION}.${Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url')}`
    },
    open(purpose, context, sealed) {
      const bytes = sealedBytes(sealed)
      const decipher = createDecipheriv('aes-256-gcm', keyFor('seal', purpose), bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(associatedData(purpose, context))
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      try {
        const body = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
        return Buffer.concat([body, decipher.final()]).toString('utf8')
      } catch {
        throw new VaultError(
          `a sealed ${purpose} of "${context}" does not open: another root key, another row, or damaged data`,
        )
      }
    },
    keyedHash: (purpose, text) => createHmac('sha256', keyFor('hash', purpose)).update(text, 'utf8').digest('hex'),
  }
}

function associatedData(purpose: Purpose, context: string): Buffer {
  return Buffer.from(`${purpose}\0${context}`, 'utf8')
}

function sealedBytes(sealed: string): Buffer {
  const [version, body = ''] = sealed.split('.', 2)
  if (version !== VERSION) throw new VaultError('a sealed value has a version this build does not know')
  const bytes = Buffer.from(body, 'base64url')
  if (bytes.byteLength < NONCE_BYTES + TAG_BYTES) throw new VaultError('a sealed value is cut short')
  return bytes
}
