import { readFile } from 'node:fs/promises'
import { formatDigest, listDigests, parseDigest, verifyBooks, type Digest } from '@tidegate/ledger'
import { checkDump, readHeader } from '@tidegate/storage'
import type { Environment } from '../environment.ts'
import type { Logger } from '../logging.ts'
import { openStorage } from '../node/open-storage.ts'
import { Mistake } from './mistake.ts'
import { readBackup } from './read-backup.ts'
import { logRows } from './restore.ts'

export const VERIFY_OPTIONS = {
  digest: { type: 'boolean' },
  against: { type: 'string' },
  backup: { type: 'string' },
} as const

interface VerifyCommand {
  /** Print the signed digests instead. */
  digest?: boolean | undefined
  /** A file with digests that were kept outside of the database. */
  against?: string | undefined
  /** A backup file to check instead of the database. */
  backup?: string | undefined
  'passphrase-file'?: string | undefined
}

/** Checks the books and lists what does not agree. Returns the exit code. */
export async function verify(environment: Environment, log: Logger, command: VerifyCommand): Promise<number> {
  if (command.backup !== undefined) return verifyBackup(environment, command.backup, command)
  const digests = command.against === undefined ? [] : await readDigests(command.against)
  const storage = await openStorage(environment, log)
  try {
    const { db } = storage.database
    if (command.digest) return printDigests(await listDigests(db))
    const { problems, notes } = await verifyBooks(db, { vault: storage.vault, digests })
    for (const note of notes) console.log(note)
    console.log(problems.length === 0 ? 'The books balance.' : problems.join('\n'))
    return problems.length === 0 ? 0 : 1
  } finally {
    await storage.close()
  }
}

/** Reads a backup to its end without a database. */
async function verifyBackup(environment: Environment, file: string, command: VerifyCommand): Promise<number> {
  const passphraseFile = command['passphrase-file']
  const order = { words: [], ...(passphraseFile !== undefined && { 'passphrase-file': passphraseFile }) }
  const { reader, isEncrypted } = await readBackup(environment, file, order)
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

function printDigests(digests: readonly Digest[]): number {
  for (const digest of digests) console.log(formatDigest(digest))
  if (digests.length === 0) console.error('There is no digest yet: the worker signs one a day.')
  return digests.length === 0 ? 1 : 0
}

/** One digest a line, as `--digest` prints them. A log file works as well: other lines are skipped. */
async function readDigests(file: string): Promise<Digest[]> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new Mistake(`The digests cannot be read: ${error.message}`)
  })
  const digests = text.split('\n').flatMap((line) => parseDigest(line) ?? [])
  if (digests.length === 0) throw new Mistake(`${file} holds no digest.`)
  return digests
}
