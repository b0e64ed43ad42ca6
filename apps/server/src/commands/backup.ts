import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import {
  encryptBackup,
  keyFingerprint,
  writeDump,
  type BackupSecret,
  type DumpFooter,
  type DumpOptions,
} from '@tidegate/storage'
import type { Environment } from '../environment.ts'
import type { Logger } from '../observability/logging.ts'
import { openRootKey } from '../process/open-storage.ts'
import { VERSION } from '../version.ts'
import { requireOneRootKey, encryptRootKey } from './backup-key.ts'
import { readPassphrase, usesPassphrase, type CopyOptions } from './copy-options.ts'
import { CommandError, throwFileError } from './command-error.ts'
import { requireCurrent, withSite, type SiteConnection } from './open-site.ts'

/** Writes a consistent snapshot of the whole site into one file, while the site serves. Returns the exit code. */
export async function backup(environment: Environment, log: Logger, options: CopyOptions): Promise<number> {
  const [file] = options.args
  if (file === undefined)
    throw new CommandError('The file is missing. Use: tidegate backup FILE, or - for standard output.')
  requireOneRootKey(environment)
  const rootKey = await openRootKey(environment)
  if (options.plain && usesPassphrase(options)) {
    throw new CommandError(
      '--plain writes the backup unencrypted: leave out the passphrase and --with-key, or --plain.',
    )
  }
  const passphrase = usesPassphrase(options) ? await readPassphrase(environment, options) : undefined
  const copy: BackupOptions = {
    dump: {
      version: VERSION,
      logs: !options['without-logs'],
      keyFingerprint: keyFingerprint(rootKey),
      ...(options['with-key'] && { sealedKey: await encryptRootKey(rootKey, passphrase!) }),
    },
    secret: options.plain ? undefined : (passphrase ?? rootKey),
  }
  const { rows } = await withSite(environment, log, async (site) => {
    await requireCurrent(site.db)
    return file === '-' ? writeTo(process.stdout, site, copy) : writeFileWhole(file, site, copy)
  })
  // On standard error: standard output may be the backup.
  console.error(`${rows.user} users, ${rows.channel} channels, ${rows.usage_log ?? 0} log rows saved to ${file}.`)
  console.error(explainKeys(options))
  return 0
}

interface BackupOptions {
  dump: DumpOptions
  /** Encrypts the file; undefined for an unencrypted backup. */
  secret: BackupSecret | undefined
}

/** Explains which keys a restore needs. */
function explainKeys(options: CopyOptions): string {
  if (options['with-key'])
    return 'It is encrypted with the passphrase and contains the key of its secrets: keep the passphrase.'
  const keep = 'keep secret.key or TIDEGATE_SECRET'
  if (options.plain) {
    return (
      'Warning: it is not encrypted. It contains mail addresses, password hashes and logs. ' +
      `Its secrets are encrypted with the key of this installation: ${keep}.`
    )
  }
  if (usesPassphrase(options)) return `It is encrypted with the passphrase: keep the passphrase, and ${keep}.`
  return `It is encrypted with the key of this installation: ${keep} in another place, or use --with-key.`
}

/** Writes to a temporary file and renames it, so that the file is always a complete backup. */
async function writeFileWhole(file: string, site: SiteConnection, copy: BackupOptions): Promise<DumpFooter> {
  const partial = `${file}.${process.pid}.partial`
  try {
    const footer = await writeTo(createWriteStream(partial, { mode: 0o600, flush: true }), site, copy)
    await rename(partial, file).catch(throwFileError(file))
    return footer
  } catch (error) {
    await rm(partial, { force: true })
    throw (error as { syscall?: string }).syscall ? new CommandError((error as Error).message) : error
  }
}

async function writeTo(
  target: NodeJS.WritableStream,
  { client }: SiteConnection,
  { dump, secret }: BackupOptions,
): Promise<DumpFooter> {
  let footer: DumpFooter | undefined
  const frames = async function* () {
    footer = yield* writeDump(client, dump)
  }
  const params = { [constants.ZSTD_c_checksumFlag]: 1 }
  const compress = createZstdCompress({ params })
  if (secret === undefined) await pipeline(frames, compress, target)
  else
    await pipeline(
      frames,
      compress,
      (source: AsyncIterable<Buffer>) => encryptBackup(source, { ...dump, secret }),
      target,
    )
  return footer!
}
