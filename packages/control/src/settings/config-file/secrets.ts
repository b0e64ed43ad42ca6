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
  /** Context that an encrypted value must belong to: authenticated, not stored. */
  context: string
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
export const optionContext = (key: string): string => `option ${key}`
export const CHANNEL_KEYS_CONTEXT = 'channel keys'

const VARIABLE = 'env:'

/** Reads secrets given as plain text, `sealed:…` or `env:NAME`. */
export function readSecrets({ passphrase, variable }: SecretSources, problems: Problems): SecretReader {
  const decrypt = passphrase === undefined ? undefined : createSecretDecryptor(passphrase)
  const fail = ({ line, place }: SecretLocation, problem: LocalizedText): undefined => {
    problems.add(line, place, problem)
  }
  return {
    async read(text, where) {
      if (isEncrypted(text)) {
        if (!decrypt) return fail(where, NEEDS_PASSPHRASE)
        try {
          return await decrypt(where.context, text)
        } catch {
          return fail(where, CANNOT_DECRYPT)
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
  en: 'this value is encrypted: enter the passphrase of the export',
}
const CANNOT_DECRYPT: LocalizedText = {
  zh: '无法解密：口令不对，或内容被改动、移动过',
  en: 'cannot decrypt this value: the passphrase is wrong, or the value was changed or moved',
}
const NO_VARIABLES: LocalizedText = { zh: 'env: 只能在命令行里使用', en: '"env:" works only on the command line' }

function notSet(name: string): LocalizedText {
  return { zh: `没有设置环境变量 ${name}`, en: `the environment variable ${name} is not set` }
}

/** Names the format and key derivation. */
const PREFIX = 'sealed:v1:'
const SALT_BYTES = 16
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Our files have one salt. More salts would need one slow key derivation each. */
const MAX_SALTS = 8

export type EncryptSecret = (context: string, plain: string) => string
/** Throws for another passphrase or context. */
type DecryptSecret = (context: string, sealed: string) => Promise<string>

function isEncrypted(text: string): boolean {
  return text.startsWith('sealed:')
}

/** Encrypts the secrets of one file. The context is authenticated, so a secret cannot be moved to another field. */
export async function createSecretEncryptor(passphrase: string): Promise<EncryptSecret> {
  const salt = randomBytes(SALT_BYTES)
  const key = await keyFromPassphrase(passphrase, salt)
  return (context, plain) => {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', key, nonce)
    cipher.setAAD(Buffer.from(context, 'utf8'))
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
    return PREFIX + Buffer.concat([salt, nonce, body, cipher.getAuthTag()]).toString('base64url')
  }
}

export function createSecretDecryptor(passphrase: string): DecryptSecret {
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
  return async (context, sealed) => {
    if (!sealed.startsWith(PREFIX)) throw new Error('unknown format')
    const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64url')
    if (bytes.byteLength < SALT_BYTES + NONCE_BYTES + TAG_BYTES) throw new Error('truncated')
    const key = await keyFor(bytes.subarray(0, SALT_BYTES))
    const nonce = bytes.subarray(SALT_BYTES, SALT_BYTES + NONCE_BYTES)
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(context, 'utf8'))
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    const body = decipher.update(bytes.subarray(SALT_BYTES + NONCE_BYTES, -TAG_BYTES))
    return Buffer.concat([body, decipher.final()]).toString('utf8')
  }
}
