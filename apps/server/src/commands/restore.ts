import { chmod, copyFile, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reclaimExpiredLeases } from '@tidegate/ledger'
import { loadDump, raiseUsageLogFloor, readHeader } from '@tidegate/storage'
import type { Environment } from '../environment.ts'
import type { Logger } from '../observability/logging.ts'
import { ensureKey } from './backup-key.ts'
import { verifyCopy, requireIdle, withSite } from './open-site.ts'
import type { CopyOptions } from './copy-options.ts'
import { CommandError, throwFileError } from './command-error.ts'
import { readBackup } from './read-backup.ts'

/** Replaces this installation with a backup in one transaction and verifies the ledger. Returns the exit code. */
export async function restore(environment: Environment, log: Logger, options: CopyOptions): Promise<number> {
  const [file] = options.args
  if (file === undefined)
    throw new CommandError('The file is missing. Use: tidegate restore FILE, or - for standard input.')
  const { reader, isEncrypted } = await readBackup(environment, file, options)
  if (!isEncrypted) console.error('This backup is not encrypted: changes to it cannot be detected.')
  try {
    const header = await readHeader(reader)
    await ensureKey(environment, header, options)
    return await withSite(environment, log, async ({ db, client }) => {
      await requireIdle(db, 'this database')
      const { rows } = await loadDump(client, header, reader, { replace: options.replace ?? false })
      if (rows.usage_log === undefined) await raiseUsageLogFloor(db, new Date())
      await reclaimExpiredLeases(db, { wait: async () => {} }) // leases of the old installation are void here
      console.log(`Restored as of ${header.createdAt}: ${rows.user} users, ${rows.channel} channels, ${logRows(rows)}.`)
      const problems = await verifyCopy(environment, db)
      console.log(problems.length === 0 ? 'The books balance.' : problems.join('\n'))
      return problems.length === 0 ? 0 : 1
    })
  } finally {
    await reader.close()
  }
}

export function logRows({ usage_log: rows }: Record<string, number>): string {
  return rows === undefined ? 'no log rows (left out)' : `${rows} log rows`
}

const DRILL_USAGE = 'Use: tidegate drill restore FILE, or a directory with backups.'

/**
 * Restores a backup into a database of its own and verifies it. The site is not touched. Returns the exit code.
 */
export async function drill(environment: Environment, log: Logger, options: CopyOptions): Promise<number> {
  const [kind, source] = options.args
  if (kind !== 'restore' || source === undefined) throw new CommandError(DRILL_USAGE)
  if (options.replace) throw new CommandError('A drill replaces nothing: leave out --replace.')
  if (options.to !== undefined && options.to === environment.DATABASE_URL)
    throw new CommandError('--to is the database of this site: name an empty one.')
  const file = await newestBackup(source)
  const directory = await mkdtemp(join(tmpdir(), 'tidegate-drill-'))
  const from = performance.now()
  try {
    await chmod(directory, 0o711) // the embedded database may run as another user
    // The key file must be found in the data directory of the drill, too.
    await copyFile(join(environment.TIDEGATE_DATA_DIR, 'secret.key'), join(directory, 'secret.key')).catch(() => {})
    const place = { ...environment, TIDEGATE_DATA_DIR: directory, DATABASE_URL: options.to }
    const code = await restore(place, log, { ...options, args: [file] })
    console.log(`${code === 0 ? 'The drill succeeded' : 'The drill failed'} after ${secondsSince(from)} s: ${file}`)
    return code
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

const secondsSince = (from: number) => Math.round((performance.now() - from) / 1000)

/** The file itself, or the newest file of a directory that ends in `.backup`. */
async function newestBackup(source: string): Promise<string> {
  if (!(await stat(source).catch(throwFileError(source))).isDirectory()) return source
  const files = (await readdir(source)).filter((name) => name.endsWith('.backup')).map((name) => join(source, name))
  const dated = await Promise.all(files.map(async (file) => ({ file, at: (await stat(file)).mtimeMs })))
  const newest = dated.toSorted((a, b) => b.at - a.at)[0]
  if (!newest) throw new CommandError(`${source} has no file that ends in .backup.`)
  return newest.file
}
