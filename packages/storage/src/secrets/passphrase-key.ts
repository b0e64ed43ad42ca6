import { scrypt } from 'node:crypto'
import { promisify } from 'node:util'

/** Fixed by the formats that use it: a made-up file cannot ask for more work. */
const COST = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 2 ** 20 }

const deriveKey = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt)

/** A key of 32 bytes that takes about 64 MB and a fifth of a second to derive. */
export function passphraseKey(passphrase: string, salt: Buffer): Promise<Buffer> {
  return deriveKey(passphrase.normalize('NFC'), salt, 32, COST)
}
