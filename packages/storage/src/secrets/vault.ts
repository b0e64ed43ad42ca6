import { createHmac, timingSafeEqual } from 'node:crypto'
import { cacheLimit } from '@tidegate/contract'
import { LRUCache } from 'lru-cache'
import { decrypt, encrypt, VaultError } from './aead.ts'
import { createKeyRing, type KeyRing } from './key-ring.ts'
import type { HashPurpose, SealPurpose } from './purposes.ts'

/**
 * Seals secrets for storage. Each purpose has its own key, so a value sealed for one cannot be opened for another.
 * Sealed values and most hashes name the key of the ring that made them.
 */
export interface Vault {
  /** `context` identifies the row of the secret. Opening needs the same context. */
  seal(purpose: SealPurpose, context: string, plain: string): string
  /** Throws a VaultError, which never contains any part of the secret. */
  open(purpose: SealPurpose, context: string, sealed: string): string
  /** HMAC-SHA256 of a text, for finding rows by a secret without storing it, and for signatures. */
  keyedHash(purpose: HashPurpose, text: string): string
  /** All hashes that a stored one can equal, with the current key first. */
  keyedHashes(purpose: HashPurpose, text: string): string[]
  /** Whether a hash belongs to this text, by the key that it names. */
  matches(purpose: HashPurpose, text: string, hash: string): boolean
  readonly ring: KeyRing
}

/** With a previous root key, keys wrapped with it also open. */
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
      const [actual, expected] = [Buffer.from(hash), Buffer.from(hashWith(id, purpose, text))]
      return actual.length === expected.length && timingSafeEqual(actual, expected)
    },
  }
}

/** Sealed values and hashes start with the ID of their key. Hashes of the first key have no prefix. */
function keyIdOfHash(hash: string): number {
  return Number(/^v(\d{1,9})\./.exec(hash)?.[1] ?? 1)
}

/**
 * Caches the hashes of the latest secrets. The secrets stay in memory in plain text: hashing on each request would cost
 * more than the rest of authentication, and this memory contains channel keys anyway.
 */
export function cacheHashes(compute: (secret: string) => string, max = 50_000): (secret: string) => string {
  const known = new LRUCache<string, string>(cacheLimit(max))
  return (secret) => {
    let hash = known.get(secret)
    if (hash !== undefined) return hash
    hash = compute(secret)
    if (secret.length <= MAX_CACHED_LENGTH) known.set(copyOf(secret), hash)
    return hash
  }
}

/** Real keys are shorter. Longer values would fill the memory. */
const MAX_CACHED_LENGTH = 256

/** A substring would keep the whole header in memory. */
function copyOf(text: string): string {
  return Buffer.from(text).toString()
}
