import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { passphraseKey } from '@tidegate/storage'

/** Names the format and what the key is made with, so that a later one can live beside it. */
const PREFIX = 'sealed:v1:'
const SALT_BYTES = 16
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** A file of ours has one salt. A made-up one could keep the server busy with a key for every line. */
const MOST_SALTS = 8

export type Seal = (place: string, plain: string) => string
/** Throws when the passphrase is another one, or the text was sealed for another place. */
export type Open = (place: string, sealed: string) => Promise<string>

export function isSealed(text: string): boolean {
  return text.startsWith('sealed:')
}

/** Seals the secrets of one file. Each opens only in the place it was sealed for. */
export async function sealWith(passphrase: string): Promise<Seal> {
  const salt = randomBytes(SALT_BYTES)
  const key = await passphraseKey(passphrase, salt)
  return (place, plain) => {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', key, nonce)
    cipher.setAAD(Buffer.from(place, 'utf8'))
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
    return PREFIX + Buffer.concat([salt, nonce, body, cipher.getAuthTag()]).toString('base64url')
  }
}

export function openWith(passphrase: string): Open {
  const keys = new Map<string, Promise<Buffer>>()
  const keyFor = (salt: Buffer): Promise<Buffer> => {
    const name = salt.toString('hex')
    const known = keys.get(name)
    if (known) return known
    if (keys.size >= MOST_SALTS) throw new Error('too many salts in one file')
    const key = passphraseKey(passphrase, salt)
    keys.set(name, key)
    return key
  }
  return async (place, sealed) => {
    if (!sealed.startsWith(PREFIX)) throw new Error('a format this build does not know')
    const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64url')
    if (bytes.byteLength < SALT_BYTES + NONCE_BYTES + TAG_BYTES) throw new Error('cut short')
    const key = await keyFor(bytes.subarray(0, SALT_BYTES))
    const nonce = bytes.subarray(SALT_BYTES, SALT_BYTES + NONCE_BYTES)
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(place, 'utf8'))
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    const body = decipher.update(bytes.subarray(SALT_BYTES + NONCE_BYTES, -TAG_BYTES))
    return Buffer.concat([body, decipher.final()]).toString('utf8')
  }
}
