import { readFile } from 'node:fs/promises'
import { formatAuditDigest, parseAuditDigest, verifyAuditTrail } from '@tidegate/control'
import { findDamagedParcels, formatDigest, listDigests, parseDigest, verifyLedger, type Digest } from '@tidegate/ledger'
import { auditChain, checkDump, readHeader, repairParcel, type AuditDigest, type Db } from '@tidegate/storage'
import type { Environment } from '../environment.ts'
import type { Logger } from '../observability/logging.ts'
import { openStorage, type Storage } from '../process/open-storage.ts'
import { CommandError } from './command-error.ts'
import { readBackup } from './read-backup.ts'
import { logRows } from './restore.ts'

interface VerifyCommand {
  /** Print the signed digests instead. */
  digest?: boolean | undefined
  /** A file with digests that were stored outside the database. */
  against?: string | undefined
  /** A backup file to check instead of the database. */
  backup?: string | undefined
  'passphrase-file'?: string | undefined
  /** Send parcels of log rows again that the other store has lost. */
  'repair-log'?: boolean | undefined
}

/** Verifies ledger and audit trail, and prints differences. Returns the exit code. */
export async function verify(environment: Environment, log: Logger, command: VerifyCommand): Promise<number> {
  if (command.backup !== undefined) return verifyBackup(environment, command.backup, command)
  const expected = command.against === undefined ? { ledger: [], audit: [] } : await readDigests(command.against)
  const storage = await openStorage(environment, log)
  try {
    const { db } = storage.database
    if (command.digest) return await printDigests(db)
    const { vault } = storage
    const { books: stored } = storage.logs
    if (command['repair-log']) return await repairLog(storage)
    const logs = stored && { db, books: stored }
    const books = await verifyLedger(db, { vault, digests: expected.ledger, logs })
    const trail = await verifyAuditTrail(db, { vault, digests: expected.audit })
    for (const note of [...books.notes, ...trail.notes]) console.log(note)
    console.log(books.problems.length === 0 ? 'The books balance.' : books.problems.join('\n'))
    console.log(trail.problems.length === 0 ? 'The audit trail is intact.' : trail.problems.join('\n'))
    return books.problems.length + trail.problems.length === 0 ? 0 : 1
  } finally {
    await storage.close()
  }
}

/** Sends damaged parcels again. Returns the exit code. */
async function repairLog({ database: { db }, logs: { books, receiver } }: Storage): Promise<number> {
  if (!books || !receiver) throw new CommandError('There is no other log store: TIDEGATE_LOG_STORE is not set.')
  let lost = 0
  const damaged = await findDamagedParcels(db, books)
  for (const id of damaged) {
    const isRepaired = await repairParcel(db, receiver, id)
    console.log(isRepaired ? `Parcel ${id} was sent again.` : `Parcel ${id} is not kept any more.`)
    if (!isRepaired) lost += 1
  }
  if (damaged.length === 0) console.log('The log store has every parcel.')
  return lost === 0 ? 0 : 1
}

/** Reads a whole backup without a database. */
async function verifyBackup(environment: Environment, file: string, command: VerifyCommand): Promise<number> {
  const passphraseFile = command['passphrase-file']
  const options = { args: [], ...(passphraseFile !== undefined && { 'passphrase-file': passphraseFile }) }
  const { reader, isEncrypted } = await readBackup(environment, file, options)
  try {
    const header = await readHeader(reader)
    const rows = await checkDump(header, reader)
    console.log(
      `The backup of ${header.createdAt} is complete: ${rows.user} users, ${rows.channel} channels, ${logRows(rows)}.`,
    )
    console.log(isEncrypted ? 'It is encrypted and was not changed.' : 'It is not encrypted.')
    return 0
  } finally {
    await reader.close()
  }
}

async function printDigests(db: Db): Promise<number> {
  const lines = [
    ...(await listDigests(db)).map(formatDigest),
    ...(await auditChain.listDigests(db)).map(formatAuditDigest),
  ]
  for (const line of lines) console.log(line)
  if (lines.length === 0) console.error('There is no digest yet: the worker signs one a day.')
  return lines.length === 0 ? 1 : 0
}

/** Reads one digest per line, as `--digest` prints them. Other lines are skipped, so a log file works as well. */
async function readDigests(file: string): Promise<{ ledger: Digest[]; audit: AuditDigest[] }> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new CommandError(`The digests cannot be read: ${error.message}`)
  })
  const lines = text.split('\n')
  const ledger = lines.flatMap((line) => parseDigest(line) ?? [])
  const audit = lines.flatMap((line) => parseAuditDigest(line) ?? [])
  if (ledger.length + audit.length === 0)
    throw new CommandError(`${file} contains no digest. Create it with "tidegate verify --digest".`)
  return { ledger, audit }
}
