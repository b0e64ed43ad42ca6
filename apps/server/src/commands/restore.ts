import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { reclaimLapsed } from '@tidegate/ledger'
import { DumpError, FrameReader, loadDump, raiseUsageLogFloor, readHeader } from '@tidegate/storage'
import type { Environment } from '../environment.ts'
import type { Logger } from '../logging.ts'
import { ensureKey } from './backup-key.ts'
import { checkBooks } from './check-books.ts'
import type { CopyOrder } from './copy-options.ts'
import { Mistake } from './mistake.ts'
import { refuseServed, withSite } from './open-site.ts'

/** Makes this installation what a backup says, all of it or nothing, and proves the books. Gives the exit code. */
export async function restore(environment: Environment, log: Logger, order: CopyOrder): Promise<number> {
  const [file] = order.words
  if (file === undefined) throw new Mistake('Say where from: tidegate restore FILE, or - for the standard input.')
  const reader = new FrameReader(readPlain(file))
  try {
    const header = await readHeader(reader)
    await ensureKey(environment, header, order)
    return await withSite(environment, log, async ({ db, client }) => {
      await refuseServed(db, 'this database')
      const { rows } = await loadDump(client, header, reader, { replace: order.replace ?? false })
      if (rows.usage_log === undefined) await raiseUsageLogFloor(db, new Date())
      await reclaimLapsed(db, { wait: async () => {} }) // processes of the old place hold nothing here
      console.log(`Restored as of ${header.createdAt}: ${rows.user} users, ${rows.channel} channels, ${logRows(rows)}.`)
      const problems = await checkBooks(environment, db)
      console.log(problems.length === 0 ? 'The books balance.' : problems.join('\n'))
      return problems.length === 0 ? 0 : 1
    })
  } finally {
    await reader.close()
  }
}

export function logRows({ usage_log: rows }: Record<string, number>): string {
  return rows === undefined ? 'no log rows, which were left out' : `${rows} log rows`
}

/** The content of a backup, with errors in words. */
async function* readPlain(file: string): AsyncGenerator<Buffer> {
  const plain = createZstdDecompress()
  pipeline(file === '-' ? process.stdin : createReadStream(file), plain, () => {}) // reading tells of errors
  try {
    for await (const piece of plain) yield piece as Buffer
  } catch (error) {
    const { code = '', syscall } = error as { code?: string; syscall?: string }
    if (syscall !== undefined) throw new Mistake((error as Error).message)
    if (code === 'ZSTD_error_prefix_unknown') throw new DumpError('This is not a backup of Tidegate')
    if (/^Z(STD)?_/.test(code)) throw new DumpError(`The backup is cut short or damaged (${code})`)
    throw error
  }
}
