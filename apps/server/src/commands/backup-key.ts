import { access, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSecretDecryptor, createSecretEncryptor } from '@tidegate/control'
import {
  configuredRootKey,
  keyFingerprint,
  type BackupSecret,
  type DumpHeader,
  type EncryptionHeader,
} from '@tidegate/storage'
import { previousSecretSource, type Environment } from '../environment.ts'
import { hasSecret, openRootKey } from '../process/open-storage.ts'
import { readPassphrase, type CopyOptions } from './copy-options.ts'
import { CommandError } from './command-error.ts'

/** A copy names one root key. Keys still wrapped with the previous root key could not be opened with it. */
export function requireOneRootKey(environment: Environment): void {
  if (Object.values(previousSecretSource(environment)).every((text) => text === undefined)) return
  throw new CommandError(
    'Run "tidegate secrets rewrap" first, and remove TIDEGATE_SECRET_PREVIOUS: the copy names one root key.',
  )
}

/** Context of the encrypted key: it cannot be decrypted in another context. */
const KEY_CONTEXT = 'root key of a backup'

export async function encryptRootKey(rootKey: Uint8Array, passphrase: string): Promise<string> {
  const encrypt = await createSecretEncryptor(passphrase)
  return encrypt(KEY_CONTEXT, Buffer.from(rootKey).toString('base64'))
}

/**
 * Ensures that this installation can open the secrets in the backup. The key is already here, or comes from the backup
 * and is written to the key file. Never creates a new key.
 */
export async function ensureKey(environment: Environment, header: DumpHeader, options: CopyOptions): Promise<void> {
  if (await findKey(environment, header)) return
  if (header.sealedKey === undefined) throw keyMissing(environment)
  if (hasSecret(environment)) {
    throw new CommandError(
      'TIDEGATE_SECRET is not the key of this backup: leave it out, and the key in the backup is used.',
    )
  }
  const keyFile = keyFileOf(environment)
  if (await currentKey(environment))
    throw new CommandError(`${keyFile} is not the key of this backup: move it away, and the key in the backup is used.`)
  const key = await decryptRootKey(header.sealedKey, await readPassphrase(environment, options))
  await mkdir(environment.TIDEGATE_DATA_DIR, { recursive: true, mode: 0o711 })
  await writeFile(keyFile, `${key}\n`, { mode: 0o600, flag: 'wx', flush: true })
}

/** Returns the secret of an encrypted backup: a passphrase, or the root key of the installation that wrote it. */
export async function backupSecret(
  environment: Environment,
  header: EncryptionHeader,
  options: CopyOptions,
): Promise<BackupSecret> {
  if (header.key === 'passphrase') return readPassphrase(environment, options)
  const key = await findKey(environment, header)
  if (!key) throw keyMissing(environment)
  return key
}

/** Returns the current or previous root key if the backup was made with it. */
async function findKey(
  environment: Environment,
  { keyFingerprint: wanted }: Pick<DumpHeader, 'keyFingerprint'>,
): Promise<Uint8Array | undefined> {
  const keys = [await currentKey(environment), await configuredRootKey(previousSecretSource(environment))]
  return keys.find((key) => key !== undefined && keyFingerprint(key) === wanted)
}

function keyMissing({ TIDEGATE_DATA_DIR }: Environment): CommandError {
  return new CommandError(
    'The root key of this backup is missing: ' +
      `put the secret.key of that installation into ${TIDEGATE_DATA_DIR}, or set TIDEGATE_SECRET as it was there.`,
  )
}

async function decryptRootKey(sealed: string, passphrase: string): Promise<string> {
  try {
    return await createSecretDecryptor(passphrase)(KEY_CONTEXT, sealed)
  } catch {
    throw new CommandError('The passphrase does not open the key in this backup.')
  }
}

/** Returns the root key of this installation; undefined if none is configured and no key file exists. */
export async function currentKey(environment: Environment): Promise<Uint8Array | undefined> {
  if (hasSecret(environment)) return openRootKey(environment)
  const isThere = await access(keyFileOf(environment)).then(
    () => true,
    () => false,
  )
  return isThere ? openRootKey(environment) : undefined
}

function keyFileOf({ TIDEGATE_DATA_DIR }: Environment): string {
  return join(TIDEGATE_DATA_DIR, 'secret.key')
}
