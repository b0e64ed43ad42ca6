import { createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto'
import { decrypt, encrypt, VaultError } from './aead.ts'
import { HASH_KEYS, RETAINED_PURPOSES, type HashPurpose, type SealPurpose } from './purposes.ts'

/**
 * `prepared` keys open but do not seal, so that every node knows a key before it is used. One key is `active`. A
 * `retired` key keeps only the hash keys that past records are verified with.
 */
export type KeyState = 'prepared' | 'active' | 'old' | 'retired'

export interface WrappedKey {
  id: number
  state: KeyState
  /** The key, or its remaining parts, encrypted with the root key. */
  wrapped: string
}

export interface KeyRows {
  /** The catalog version of the rows. Every change of a key increments it. */
  version: number
  keys: readonly WrappedKey[]
}

/** The data keys, each encrypted ("wrapped") with the root key. Without rows the root key is the first data key. */
export interface KeyRing {
  /**
   * Replaces the keys unless a later version is loaded, because concurrent reads finish in any order. Throws a
   * VaultError when a key cannot be unwrapped, and keeps the current keys.
   */
  load(keys: KeyRows): void
  activeId(): number
  sealKey(id: number, purpose: SealPurpose): KeyObject | undefined
  /** The key for new hashes of this purpose. */
  hashId(purpose: HashPurpose): number
  /** The keys whose hashes are accepted for this purpose, the current one first. */
  hashIds(purpose: HashPurpose): number[]
  hashKey(id: number, purpose: HashPurpose): KeyObject | undefined
  /** A new random key in the state `prepared`. */
  wrapNew(id: number): WrappedKey
  /** The first key, which has no row until the first rotation. */
  wrapFirst(): WrappedKey
  /**
   * Wraps a key in another state with the current root key. A retired key keeps only its hash keys. Takes a row instead
   * of a key of the ring, because a load of older rows may replace the ring during a transaction.
   */
  wrapAs(row: WrappedKey, state: KeyState): WrappedKey
}

const KEY_BYTES = 32
/** The ID of the root key when it was the only key. */
const FIRST_ID = 1

type KeyContents = { key: string } | { hashKeys: Partial<Record<HashPurpose, string>> }
type Derive = (use: 'seal' | 'hash', purpose: SealPurpose | HashPurpose) => KeyObject | undefined

interface RingKey {
  state: KeyState
  /** Undefined for the first key until it has a row. */
  wrapped?: string
  contents: KeyContents
  derive: Derive
}

export function createKeyRing(rootKey: Uint8Array, previousRootKey?: Uint8Array): KeyRing {
  const roots = previousRootKey ? [rootKey, previousRootKey] : [rootKey]
  for (const root of roots) if (root.byteLength !== KEY_BYTES) throw new VaultError('the root key must be 32 bytes')
  let keys = withFirstKey(new Map())
  let active = FIRST_ID
  let loadedVersion = 0

  function firstKey(): KeyContents {
    return { key: Buffer.from(previousRootKey ?? rootKey).toString('base64') }
  }

  function withFirstKey(known: Map<number, RingKey>): Map<number, RingKey> {
    if (known.has(FIRST_ID)) return known
    const contents = firstKey()
    return known.set(FIRST_ID, { state: known.size === 0 ? 'active' : 'old', contents, derive: deriveFrom(contents) })
  }

  function unwrap(row: WrappedKey): KeyContents {
    for (const root of roots) {
      const text = decrypt(wrappingKey(root), associatedWith(row), row.wrapped)
      if (text !== undefined) return JSON.parse(text) as KeyContents
    }
    throw new VaultError(
      `key ${row.id} of the key ring does not open with this root key: give the root key that the site was used with, ` +
        'or set TIDEGATE_SECRET_PREVIOUS to it beside a new one',
    )
  }

  const wrapContents = (id: number, state: KeyState, contents: KeyContents): WrappedKey => {
    const wrapped = encrypt(wrappingKey(rootKey), associatedWith({ id, state }), JSON.stringify(contents))
    return { id, state, wrapped }
  }

  return {
    load({ version, keys: rows }) {
      if (version < loadedVersion) return
      const next = new Map<number, RingKey>()
      for (const row of rows) {
        // Most loads change nothing, so known keys are not unwrapped again.
        const known = keys.get(row.id)
        const isSame = known?.wrapped === row.wrapped && known.state === row.state
        const contents = isSame ? known.contents : unwrap(row)
        const derive = isSame ? known.derive : deriveFrom(contents)
        next.set(row.id, { state: row.state, wrapped: row.wrapped, contents, derive })
      }
      keys = withFirstKey(next)
      loadedVersion = version
      active = [...keys].find(([, { state }]) => state === 'active')?.[0] ?? FIRST_ID
    },
    activeId: () => active,
    sealKey: (id, purpose) => keys.get(id)?.derive('seal', purpose),
    hashId: (purpose) => (HASH_KEYS[purpose] === 'first' ? FIRST_ID : active),
    hashIds(purpose) {
      if (HASH_KEYS[purpose] === 'first') return [FIRST_ID]
      const others = [...keys.keys()].filter((id) => id !== active && keys.get(id)!.derive('hash', purpose))
      return [active, ...others.toSorted((a, b) => b - a)]
    },
    hashKey: (id, purpose) => keys.get(id)?.derive('hash', purpose),
    wrapNew: (id) => wrapContents(id, 'prepared', { key: randomBytes(KEY_BYTES).toString('base64') }),
    wrapFirst: () => wrapContents(FIRST_ID, 'active', firstKey()),
    wrapAs(row, state) {
      const { id } = row
      const contents = unwrap(row)
      const derive = deriveFrom(contents)
      if (state !== 'retired' || 'hashKeys' in contents) return wrapContents(id, state, contents)
      const hashKeys = Object.fromEntries(
        RETAINED_PURPOSES.map((purpose) => [purpose, derive('hash', purpose)!.export().toString('base64')]),
      )
      return wrapContents(id, state, { hashKeys })
    },
  }
}

/** Derivation is one-way: the key of a purpose reveals neither the ring key nor other derived keys. */
function deriveFrom(contents: KeyContents): Derive {
  const derived = new Map<string, KeyObject | undefined>()
  return (use, purpose) => {
    const info = `tidegate/v1/${use}/${purpose}`
    if (!derived.has(info)) derived.set(info, deriveKey(contents, { use, purpose, info }))
    return derived.get(info)
  }
}

function deriveKey(
  contents: KeyContents,
  { use, purpose, info }: { use: 'seal' | 'hash'; purpose: SealPurpose | HashPurpose; info: string },
): KeyObject | undefined {
  if ('key' in contents) {
    const key = Buffer.from(contents.key, 'base64')
    return createSecretKey(Buffer.from(hkdfSync('sha256', key, new Uint8Array(), info, KEY_BYTES)))
  }
  const retained = use === 'hash' ? contents.hashKeys[purpose as HashPurpose] : undefined
  return retained === undefined ? undefined : createSecretKey(Buffer.from(retained, 'base64'))
}

/** Authenticates ID and state: a row with a changed state does not decrypt. */
const associatedWith = ({ id, state }: Omit<WrappedKey, 'wrapped'>) => `key ${id} ${state}`

function wrappingKey(rootKey: Uint8Array): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', rootKey, new Uint8Array(), 'tidegate/key-ring', KEY_BYTES)))
}
