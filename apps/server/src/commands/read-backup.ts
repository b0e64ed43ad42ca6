import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { DumpError, FrameReader, openBackup } from '@tidegate/storage'
import type { Environment } from '../environment.ts'
import { backupSecret } from './backup-key.ts'
import type { CopyOptions } from './copy-options.ts'
import { CommandError } from './command-error.ts'

interface OpenBackup {
  reader: FrameReader
  isEncrypted: boolean
}

/** Opens a backup file of any format, or standard input for `-`. */
export async function readBackup(environment: Environment, file: string, options: CopyOptions): Promise<OpenBackup> {
  const source = file === '-' ? process.stdin : createReadStream(file)
  const { header, content } = await withErrors(
    openBackup(source, (encryption) => backupSecret(environment, encryption, options)),
  )
  return { reader: new FrameReader(decompress(content)), isEncrypted: header !== undefined }
}

async function* decompress(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const plain = createZstdDecompress()
  pipeline(content, plain, () => {}) // errors reach the loop below
  try {
    for await (const piece of plain) yield piece as Buffer
  } catch (error) {
    throw toCommandError(error)
  }
}

function withErrors<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    throw toCommandError(error)
  })
}

function toCommandError(error: unknown): unknown {
  const { code = '', syscall, message } = error as Error & { code?: string; syscall?: string }
  if (syscall !== undefined) return new CommandError(message)
  if (code === 'ZSTD_error_prefix_unknown') return new DumpError('This is not a backup of Tidegate')
  if (/^Z(STD)?_/.test(code)) return new DumpError(`The backup is cut short or damaged (${code})`)
  return error
}
