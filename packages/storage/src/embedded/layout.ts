import { createHash } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makePrivateDirectory, type ServerUser } from './server-user.ts'

/** Paths of the embedded database in the data directory. */
export interface Layout {
  readonly root: string
  /** The data of PostgreSQL. */
  readonly cluster: string
  readonly log: string
  readonly startLock: string
  /** Holds one file for each process that uses the server. */
  readonly attachments: string
  /** The binaries of one version. */
  binaries(version: string): string
}

export function embeddedLayout(dataDir: string): Layout {
  const root = join(dataDir, 'postgres')
  return {
    root,
    cluster: join(root, 'data'),
    log: join(root, 'server.log'),
    startLock: join(root, 'start.lock'),
    attachments: join(root, 'users'),
    binaries: (version) => join(root, version),
  }
}

/** Operating systems limit socket paths to about this many bytes. */
const MAX_SOCKET_PATH_BYTES = 100

/** Beside the data, or in the temporary directory when that path is too long for a socket. */
export function socketDirectoryFor(layout: Layout, temporary = tmpdir()): string {
  const beside = join(layout.root, 'run')
  const socket = join(beside, '.s.PGSQL.5432')
  if (Buffer.byteLength(socket) <= MAX_SOCKET_PATH_BYTES) return beside
  return join(temporary, `tidegate-${createHash('sha256').update(layout.root).digest('hex').slice(0, 16)}`)
}

/** Rejects a directory that another user created, because access to it means access to the database. */
export async function makeSocketDirectory(user: ServerUser, path: string): Promise<void> {
  const existing = await lstat(path).catch(() => undefined)
  if (existing && (!existing.isDirectory() || (existing.uid !== user.uid && existing.uid !== process.getuid?.()))) {
    throw new Error(`${path} belongs to another user: remove it, or use a data directory with a shorter path`)
  }
  await makePrivateDirectory(user, path)
}
