import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { LocalizedText } from '@tidegate/contract'
import { keyFromPassphrase } from '@tidegate/storage'
import type { Problems } from './problems.ts'

export interface SecretSources {
  passphrase?: string | undefined
  /** Reads an environment variable; command line only. */
  variable?: ((name: string) => string | undefined) | undefined
}

interface SecretLocation {
  /** Place that a sealed text must belong to. */
  sealedFor: string
  line: number
  place: string
}

export interface SecretReader {
  /** Returns the secret; undefined and a problem if it cannot be read. */
  read(text: string, where: SecretLocation): Promise<string | undefined>
}

/**
 * Binds a secret to its option, so moving it cannot send it to another service. Keys stay valid when a channel is
 * renamed.
 */
export const sealedOption = (key: string): string => `option ${key}`
export const SEALED_KEYS = 'channel keys'

const VARIABLE = 'env:'

/** Reads secrets given as plain text, `sealed:…` or `env:NAME`. */
export function readSecrets({ passphrase, variable }: SecretSources, problems: Problems): SecretReader {
  const open = passphrase === undefined ? undefined : createOpener(passphrase)
  const fail = ({ line, place }: SecretLocation, problem: LocalizedText): undefined => {
    problems.add(line, place, problem)
  }
  return {
    async read(text, where) {
      if (isSealed(text)) {
        if (!open) return fail(where, NEEDS_PASSPHRASE)
        try {
          return await open(where.sealedFor, text)
        } catch {
          return fail(where, DOES_NOT_OPEN)
        }
      }
      if (!text.startsWith(VARIABLE)) return text
      if (!variable) return fail(where, NO_VARIABLES)
      const name = text.slice(VARIABLE.length).trim()
      const value = variable(name)
      return value === undefined || value === '' ? fail(where, notSet(name)) : value
    },
  }
}

const NEEDS_PASSPHRASE: LocalizedText = {
  zh: '内容已加密，需要导出时使用的口令',
  en: 'this is sealed; give the passphrase it was sealed with',
}
const DOES_NOT_OPEN: LocalizedText = {
  zh: '无法解密：口令不对，或内容被改动、移动过',
  en: 'this does not open: another passphrase, or it was changed or moved',
}
const NO_VARIABLES: LocalizedText = { zh: 'env: 只能在命令行里使用', en: '"env:" works on the command line only' }

function notSet(name: string): LocalizedText {
  return { zh: `没有设置环境变量 ${name}`, en: `the environment has no ${name}` }
}

/** Names the format and key derivation. */
const PREFIX = 'sealed:v1:'
const SALT_BYTES = 16
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Our files have one salt. More salts would need one slow key derivation each. */
const MAX_SALTS = 8

export type Seal = (place: string, plain: string) => string
/** Throws for another passphrase or place. */
type Open = (place: string, sealed: string) => Promise<string>

function isSealed(text: string): boolean {
  return text.startsWith('sealed:')
}

/** Seals the secrets of one file. The path of the field is authenticated, so a secret opens at that path only. */
export async function createSealer(passphrase: string): Promise<Seal> {
  const salt = randomBytes(SALT_BYTES)
  const key = await keyFromPassphrase(passphrase, salt)
  return (place, plain) => {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', key, nonce)
    cipher.setAAD(Buffer.from(place, 'utf8'))
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
    return PREFIX + Buffer.concat([salt, nonce, body, cipher.getAuthTag()]).toString('base64url')
  }
}

export function createOpener(passphrase: string): Open {
  const keys = new Map<string, Promise<Buffer>>()
  const keyFor = (salt: Buffer): Promise<Buffer> => {
    const name = salt.toString('hex')
    const known = keys.get(name)
    if (known) return known
    if (keys.size >= MAX_SALTS) throw new Error('too many salts in one file')
    const key = keyFromPassphrase(passphrase, salt)
    keys.set(name, key)
    return key
  }
  return async (place, sealed) => {
    if (!sealed.startsWith(PREFIX)) throw new Error('unknown format')
    const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64url')
    if (bytes.byteLength < SALT_BYTES + NONCE_BYTES + TAG_BYTES) throw new Error('truncated')
    const key = await keyFor(bytes.subarray(0, SALT_BYTES))
    const nonce = bytes.subarray(SALT_BYTES, SALT_BYTES + NONCE_BYTES)
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(place, 'utf8'))
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    const body = decipher.update(bytes.subarray(SALT_BYTES + NONCE_BYTES, -TAG_BYTES))
    return Buffer.concat([body, decipher.final()]).toString('utf8')
  }
}
