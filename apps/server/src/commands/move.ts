import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openCredit, reclaimExpiredLeases } from '@tidegate/ledger'
import {
  FrameReader,
  keyFingerprint,
  loadDump,
  raiseUsageLogFloor,
  readHeader,
  writeDump,
  type Db,
} from '@tidegate/storage'
import { journalDirectories } from '../data-directory.ts'
import type { Environment } from '../environment.ts'
import type { Logger } from '../observability/logging.ts'
import { openRootKey } from '../process/open-storage.ts'
import { VERSION } from '../version.ts'
import { requireOneRootKey } from './backup-key.ts'
import { verifyCopy, type SiteConnection, requireIdle, requireCurrent, withDatabaseAt, withSite } from './open-site.ts'
import type { CopyOptions } from './copy-options.ts'
import { CommandError } from './command-error.ts'
import { logRows } from './restore.ts'

/**
 * Copies the site to another PostgreSQL, compares all balances, and prints what to configure. Returns the exit code.
 */
export async function move(environment: Environment, log: Logger, options: CopyOptions): Promise<number> {
  const url = readTarget(environment, options)
  requireOneRootKey(environment)
  const rootKey = await openRootKey(environment)
  const problems = await withSite(environment, log, async (from) => {
    await requireCurrent(from.db)
    await requireIdle(from.db, 'this installation')
    await settleJournals(environment, from.db, log)
    const before = await verifyCopy(environment, from.db)
    const after = await withDatabaseAt(url, log, async (to) => {
      await copySite(from, to, { options, rootKey })
      return verifyCopy(environment, to.db)
    })
    return [...before.map((line) => `here: ${line}`), ...after.map((line) => `there: ${line}`)]
  })
  console.log(problems.length === 0 ? 'The books balance on both sides.' : problems.join('\n'))
  console.log(`Set DATABASE_URL to the new database and start Tidegate. Keep ${describeKey(environment)}.`)
  return problems.length === 0 ? 0 : 1
}

function readTarget({ DATABASE_URL }: Environment, { to }: CopyOptions): string {
  if (to === undefined || !/^postgres(ql)?:\/\//.test(to) || !URL.canParse(to)) {
    throw new CommandError(
      'The target database is missing. Use: tidegate move --to postgres://user:password@host/database',
    )
  }
  if (to === DATABASE_URL) throw new CommandError('This installation already uses that database. Choose another one.')
  return to
}

/** Settles journals of killed processes on this disk, so that the database holds everything. */
async function settleJournals(environment: Environment, db: Db, log: Logger): Promise<void> {
  const directories = journalDirectories(environment.TIDEGATE_DATA_DIR)
  const waiting = async () => (await Promise.all(Object.values(directories).map(listJournals))).flat()
  if ((await waiting()).length === 0) return
  const holder = `move-${process.pid}-${randomBytes(4).toString('hex')}`
  const credit = await openCredit({ db, holder, ...directories, log, keepLog: () => true })
  await credit.stop()
  const left = await waiting()
  if (left.length > 0) throw new CommandError(`${left[0]!} could not be settled yet. Try again in two minutes.`)
}

async function listJournals(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(() => [])
  return names.map((name) => join(directory, name))
}

interface MoveContext {
  options: CopyOptions
  rootKey: Uint8Array
}

async function copySite(from: SiteConnection, to: SiteConnection, { options, rootKey }: MoveContext): Promise<void> {
  await requireIdle(to.db, 'the other database')
  const dump = writeDump(from.client, {
    version: VERSION,
    logs: !options['without-logs'],
    keyFingerprint: keyFingerprint(rootKey),
  })
  const reader = new FrameReader(dump)
  try {
    // Balances of all accounts are compared with the source before the commit.
    const { rows } = await loadDump(to.client, await readHeader(reader), reader, {
      replace: options.replace ?? false,
      beforeCommit: () => requireIdle(from.db, 'this installation'),
    })
    if (rows.usage_log === undefined) await raiseUsageLogFloor(to.db, new Date())
    await reclaimExpiredLeases(to.db, { wait: async () => {} })
    console.log(
      `Moved ${rows.user} users, ${rows.channel} channels, ${logRows(rows)}; every balance is the same to the unit.`,
    )
  } finally {
    await reader.close()
  }
}

function describeKey({ TIDEGATE_SECRET, TIDEGATE_DATA_DIR }: Environment): string {
  return TIDEGATE_SECRET === undefined ? `secret.key in ${TIDEGATE_DATA_DIR}` : 'TIDEGATE_SECRET as it is'
}
