import { chmod, lchown, mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** The user that the server runs as. PostgreSQL does not run as root, so root starts it as "nobody". */
export interface ServerUser {
  uid: number
  gid: number
  /** True when it is not the user of this process: files must be handed over with chown. */
  foreign: boolean
}

const NOBODY = 65_534

export function serverUser(): ServerUser {
  const uid = process.getuid?.() ?? 0
  const gid = process.getgid?.() ?? 0
  return uid === 0 ? { uid: NOBODY, gid: NOBODY, foreign: true } : { uid, gid, foreign: false }
}

/** The options of `spawn` that run a child as this user. */
export function spawnAs(user: ServerUser): { uid?: number; gid?: number } {
  return user.foreign ? { uid: user.uid, gid: user.gid } : {}
}

/** Changes the owner of a file, or of a directory and its contents, to the server's user. */
export async function chownAll(user: ServerUser, path: string): Promise<void> {
  if (!user.foreign) return
  const entries = await readdir(path, { recursive: true }).catch(() => [])
  for (const entry of entries) await lchown(join(path, entry), user.uid, user.gid)
  await lchown(path, user.uid, user.gid)
}

/** Creates a directory that only the server's user and root can read. */
export async function makePrivateDirectory(user: ServerUser, path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  await chmod(path, 0o700)
  if (user.foreign) await lchown(path, user.uid, user.gid)
}

/** Throws with the directory that the server's user cannot pass. The server's own error would not name it. */
export async function assertReachable(user: ServerUser, path: string): Promise<void> {
  if (!user.foreign) return
  for (const directory of ancestors(resolve(path))) {
    const { mode, uid, gid } = await stat(directory)
    const canPass = uid === user.uid ? mode & 0o100 : gid === user.gid ? mode & 0o010 : mode & 0o001
    if (!canPass) {
      throw new Error(
        `the embedded database runs as user ${user.uid} when Tidegate runs as root, and that user cannot pass through ` +
          `${directory}: choose another data directory, run \`chmod o+x ${directory}\`, or start Tidegate as a normal user`,
      )
    }
  }
}

/** From the root down to the path itself. */
function ancestors(path: string): string[] {
  const parent = dirname(path)
  return parent === path ? [path] : [...ancestors(parent), path]
}
