import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { DumpError, FrameReader, openBackup } from '@tidegate/storage'
import type { Environment } from '../environment.ts'
import { secretOf } from './backup-key.ts'
import type { CopyOrder } from './copy-options.ts'
import { Mistake } from './mistake.ts'

interface ReadBackup {
  reader: FrameReader
  isEncrypted: boolean
}

/** Opens a backup file of any format, or the standard input for `-`. */
export async function readBackup(environment: Environment, file: string, order: CopyOrder): Promise<ReadBackup> {
  const source = file === '-' ? process.stdin : createReadStream(file)
  const { header, content } = await explained(
    openBackup(source, (encryption) => secretOf(environment, encryption, order)),
  )
  return { reader: new FrameReader(decompress(content)), isEncrypted: header !== undefined }
}

async function* decompress(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const plain = createZstdDecompress()
  pipeline(content, plain, () => {}) // the loop below sees its errors
  try {
    for await (const piece of plain) yield piece as Buffer
  } catch (error) {
    throw explain(error)
  }
}

function explained<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    throw explain(error)
  })
}

function explain(error: unknown): unknown {
  const { code = '', syscall, message } = error as Error & { code?: string; syscall?: string }
  if (syscall !== undefined) return new Mistake(message)
  if (code === 'ZSTD_error_prefix_unknown') return new DumpError('This is not a backup of Tidegate')
  if (/^Z(STD)?_/.test(code)) return new DumpError(`The backup is cut short or damaged (${code})`)
  return error
}
