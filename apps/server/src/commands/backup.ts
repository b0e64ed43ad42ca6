import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import { keyFingerprint, writeDump, type DumpFooter, type DumpOrder } from '@tidegate/storage'
import type { Environment } from '../environment.ts'
import type { Logger } from '../logging.ts'
import { openRootKey } from '../node/open-storage.ts'
import { VERSION } from '../version.ts'
import { sealKey } from './backup-key.ts'
import { readPassphrase, type CopyOrder } from './copy-options.ts'
import { Mistake, mistakeWith } from './mistake.ts'
import { requireCurrent, withSite, type CopiedSite } from './open-site.ts'

/** Writes the whole site into one file, as it is at one moment, while it goes on serving. Gives the exit code. */
export async function backup(environment: Environment, log: Logger, order: CopyOrder): Promise<number> {
  const [file] = order.words
  if (file === undefined) throw new Mistake('Say where to: tidegate backup FILE, or - for the standard output.')
  const rootKey = await openRootKey(environment)
  const dumpOrder: DumpOrder = {
    version: VERSION,
    logs: !order['without-logs'],
    keyFingerprint: keyFingerprint(rootKey),
    ...(order['with-key'] && { sealedKey: await sealKey(rootKey, await readPassphrase(environment, order)) }),
  }
  const { rows } = await withSite(environment, log, async (site) => {
    await requireCurrent(site.db)
    return file === '-' ? writeTo(process.stdout, site, dumpOrder) : writeFileWhole(file, site, dumpOrder)
  })
  // Not on the standard output: that may be the backup.
  console.error(`${rows.user} users, ${rows.channel} channels, ${rows.usage_log ?? 0} log rows saved to ${file}.`)
  console.error(
    order['with-key']
      ? 'The key of its secrets is in it, sealed: keep the passphrase.'
      : 'Its secrets are sealed with the key of this installation: keep secret.key or TIDEGATE_SECRET as well, or use --with-key.',
  )
  return 0
}

/** Written aside and renamed: whatever happens, a file of this name is a whole backup. */
async function writeFileWhole(file: string, site: CopiedSite, order: DumpOrder): Promise<DumpFooter> {
  const partial = `${file}.${process.pid}.partial`
  try {
    const footer = await writeTo(createWriteStream(partial, { mode: 0o600, flush: true }), site, order)
    await rename(partial, file).catch(mistakeWith(file))
    return footer
  } catch (error) {
    await rm(partial, { force: true })
    throw (error as { syscall?: string }).syscall ? new Mistake((error as Error).message) : error
  }
}

async function writeTo(target: NodeJS.WritableStream, { client }: CopiedSite, order: DumpOrder): Promise<DumpFooter> {
  let footer: DumpFooter | undefined
  const frames = async function* () {
    footer = yield* writeDump(client, order)
  }
  const params = { [constants.ZSTD_c_checksumFlag]: 1 }
  await pipeline(frames, createZstdCompress({ params }), target)
  return footer!
}
