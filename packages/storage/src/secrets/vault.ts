import { createHmac, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { decrypt, encrypt, VaultError } from './aead.ts'
import { createKeyRing, type KeyRing } from './key-ring.ts'
import type { HashPurpose, SealPurpose } from './purposes.ts'

/**
 * Seals secrets for storage. Each purpose has a key of its own, so a value sealed for one opens for no other. Sealed
 * values and most hashes name the key of the ring that made them.
 */
export interface Vault {
  /** `context` names the row the secret belongs to; the sealed text opens only with the same one. */
  seal(purpose: SealPurpose, context: string, plain: string): string
  /** Throws a VaultError, which never holds any part of the secret. */
  open(purpose: SealPurpose, context: string, sealed: string): string
  /** HMAC-SHA256 of a text: finds a row by a secret without storing the secret, and signs what is stored elsewhere. */
  keyedHash(purpose: HashPurpose, text: string): string
  /** The hashes that a stored one can be equal to, with the key in use first. */
  keyedHashes(purpose: HashPurpose, text: string): string[]
  /** Whether a stored or presented hash is of this text, by the key that it names. */
  matches(purpose: HashPurpose, text: string, hash: string): boolean
  readonly ring: KeyRing
}

/** With a previous root key, keys that it still wraps open as well. */
export function openVault(rootKey: Uint8Array, previousRootKey?: Uint8Array): Vault {
  const ring = createKeyRing(rootKey, previousRootKey)

  const hashWith = (id: number, purpose: HashPurpose, text: string): string => {
    const hash = createHmac('sha256', ring.hashKey(id, purpose)!).update(text, 'utf8').digest('hex')
    return id === 1 ? hash : `v${id}.${hash}`
  }

  return {
    ring,
    seal(purpose, context, plain) {
      const id = ring.activeId()
      return `v${id}.${encrypt(ring.sealKey(id, purpose)!, `${purpose}\0${context}`, plain)}`
    },
    open(purpose, context, sealed) {
      const [, id, body = ''] = /^v(\d{1,9})\.(.*)$/s.exec(sealed) ?? []
      if (id === undefined) throw new VaultError('a sealed value has a format that this version does not know')
      const key = ring.sealKey(Number(id), purpose)
      if (!key) throw new VaultError(`a sealed ${purpose} names key ${id}, which is not in the key ring`)
      const plain = decrypt(key, `${purpose}\0${context}`, body)
      if (plain !== undefined) return plain
      throw new VaultError(
        `a sealed ${purpose} of "${context}" does not open: another root key, another row, or damaged data`,
      )
    },
    keyedHash: (purpose, text) => hashWith(ring.hashId(purpose), purpose, text),
    keyedHashes: (purpose, text) => ring.hashIds(purpose).map((id) => hashWith(id, purpose, text)),
    matches(purpose, text, hash) {
      const id = keyIdOfHash(hash)
      if (!ring.hashIds(purpose).includes(id)) return false
      const [given, expected] = [Buffer.from(hash), Buffer.from(hashWith(id, purpose, text))]
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}

/** The key of the ring that made a sealed value or a hash begins it; hashes of the first key have no such beginning. */
function keyIdOfHash(hash: string): number {
  return Number(/^v(\d{1,9})\./.exec(hash)?.[1] ?? 1)
}

/**
 * The same function, which remembers what it made of the latest secrets. It holds them as they are: another hash for each
 * call would cost more than all else that finds its caller, and whoever reads this memory finds the vendors' keys there.
 */
export function rememberHashes(compute: (secret: string) => string, max = 50_000): (secret: string) => string {
  const known = new LRUCache<string, string>({ max })
  return (secret) => {
    let hash = known.get(secret)
    if (hash !== undefined) return hash
    hash = compute(secret)
    if (secret.length <= MAX_CACHED_LENGTH) known.set(copyOf(secret), hash)
    return hash
  }
}

/** Keys are shorter; what is longer was made up by somebody, and would fill the memory. */
const MAX_CACHED_LENGTH = 256

/** Part of a text keeps all of it in memory, and a header can be long. */
function copyOf(text: string): string {
  return Buffer.from(text).toString()
}
