import { reclaimExpiredLeases } from '@tidegate/ledger'
import { loadDump, raiseUsageLogFloor, readHeader } from '@tidegate/storage'
import type { Environment } from '../environment.ts'
import type { Logger } from '../observability/logging.ts'
import { ensureKey } from './backup-key.ts'
import { verifyCopy, requireIdle, withSite } from './open-site.ts'
import type { CopyOptions } from './copy-options.ts'
import { CommandError } from './command-error.ts'
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
