import { execFile } from 'node:child_process'
import { hkdfSync, randomBytes, scrypt } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { hasCode } from '../connection/error-codes.ts'
import { VaultError } from './aead.ts'

const KEY_BYTES = 32

/** The source of a root key: text, a file, or a command that prints it, such as that of a KMS. */
export interface SecretSource {
  secret?: string | undefined
  file?: string | undefined
  command?: string | undefined
}

/** The key that encrypts all others: from the configured source, otherwise from a file created on the first start. */
export async function loadRootKey(source: SecretSource & { keyFile: string }): Promise<Uint8Array> {
  return (await configuredRootKey(source)) ?? keyFromFile(source.keyFile)
}

/** Undefined when no source is configured. */
export async function configuredRootKey({ secret, file, command }: SecretSource): Promise<Uint8Array | undefined> {
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

/** Runs the command in a shell. Errors include only its standard error. */
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

/** 32 bytes as hex or base64 are the key itself; any other long text is expanded with HKDF. */
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

/** Writes a temporary file and links it. When two processes start together, one wins and both read its key. */
async function createKeyFile(path: string): Promise<string> {
  // Passable but not listable: the embedded database may run as another user in a subdirectory.
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

/** The file name must survive a power failure, or the next start would create a second key. */
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

/** Fixed, so that a crafted file cannot request more work. */
const SCRYPT_COST = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 2 ** 20 }

const deriveKey = promisify<string, Buffer, number, typeof SCRYPT_COST, Buffer>(scrypt)

/** Derives a key of 32 bytes. Takes about 64 MB and 200 ms. */
export function keyFromPassphrase(passphrase: string, salt: Buffer): Promise<Buffer> {
  return deriveKey(passphrase.normalize('NFC'), salt, 32, SCRYPT_COST)
}
