import { execFile } from 'node:child_process'
import { hkdfSync, randomBytes, scrypt } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { hasCode } from '../connection/error-codes.ts'
import { VaultError } from './aead.ts'

const KEY_BYTES = 32

/** Where a root key comes from: a text, a file that holds it, or a command that prints it, such as that of a KMS. */
export interface SecretSource {
  secret?: string | undefined
  file?: string | undefined
  command?: string | undefined
}

/** The key that encrypts all others: the operator's when there is one, else a file made on the first start. */
export async function rootKeyFrom(source: SecretSource & { keyFile: string }): Promise<Uint8Array> {
  return (await givenRootKey(source)) ?? keyFromFile(source.keyFile)
}

/** Undefined when no source is named. */
export async function givenRootKey({ secret, file, command }: SecretSource): Promise<Uint8Array | undefined> {
  if (file !== undefined) return keyFromSecret(await readSecretFile(file))
  if (command !== undefined) return keyFromSecret(await runSecretCommand(command))
  const text = secret?.trim()
  return text ? keyFromSecret(text) : undefined
}

async function readSecretFile(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    throw new VaultError(`the file with the root key cannot be read: ${(error as Error).message}`)
  }
}

const COMMAND_LIMIT_MS = 30_000

/** The shell runs it, as the operator wrote it. Only what it prints to its error output is part of an error. */
async function runSecretCommand(command: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command], {
      timeout: COMMAND_LIMIT_MS,
      maxBuffer: 64 * 1024,
    })
    return stdout.trim()
  } catch (error) {
    const { code, signal, stderr = '' } = error as { code?: number | string; signal?: string; stderr?: string }
    const reason = signal ? `ended by ${signal}` : `exit code ${code}`
    throw new VaultError(`the command for the root key failed (${reason}): ${stderr.trim().slice(0, 500)}`)
  }
}

/** 32 bytes as hex or base64 are the key itself; any other long text is stretched to one. */
export function keyFromSecret(secret: string): Uint8Array {
  const exact = decodeKey(secret)
  if (exact) return exact
  if (secret.length < 32) {
    throw new VaultError('the secret is too short: give 32 bytes as hex or base64, or at least 32 characters')
  }
  return new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(), 'tidegate/root', KEY_BYTES))
}

async function keyFromFile(path: string): Promise<Uint8Array> {
  const text = (await readIfExists(path)) ?? (await createKeyFile(path))
  const key = decodeKey(text.trim())
  if (!key) {
    throw new VaultError(`the key file ${path} does not hold a key: restore it from a backup, sealed data needs it`)
  }
  return key
}

/** Writes a whole file aside and links it into place: of two processes starting together one wins, both read its key. */
async function createKeyFile(path: string): Promise<string> {
  // Passable, not listable: the embedded database may run as another user somewhere below.
  await mkdir(dirname(path), { recursive: true, mode: 0o711 })
  const temporary = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(`${randomBytes(KEY_BYTES).toString('base64')}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await link(temporary, path).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error
    })
    await syncDirectory(dirname(path))
  } finally {
    await rm(temporary, { force: true })
  }
  return readFile(path, 'utf8')
}

async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** The name must survive a power cut too, or the next start would make a second key. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

function decodeKey(text: string): Uint8Array | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return new Uint8Array(Buffer.from(text, 'hex'))
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64')
  return bytes.byteLength === KEY_BYTES ? new Uint8Array(bytes) : undefined
}

/** Fixed by the formats that use it: a made-up file cannot ask for more work. */
const SCRYPT_COST = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 2 ** 20 }

const deriveKey = promisify<string, Buffer, number, typeof SCRYPT_COST, Buffer>(scrypt)

/** A key of 32 bytes that takes about 64 MB and a fifth of a second to derive. */
export function passphraseKey(passphrase: string, salt: Buffer): Promise<Buffer> {
  return deriveKey(passphrase.normalize('NFC'), salt, 32, SCRYPT_COST)
}
