import { chmod, lchown, mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** Who the server runs as. PostgreSQL refuses to run as root, so root hands it to the user "nobody". */
export interface ServerUser {
  uid: number
  gid: number
  /** Another user than this process: files must be given to it. */
  foreign: boolean
}

const NOBODY = 65_534

export function serverUser(): ServerUser {
  const uid = process.getuid?.() ?? 0
  const gid = process.getgid?.() ?? 0
  return uid === 0 ? { uid: NOBODY, gid: NOBODY, foreign: true } : { uid, gid, foreign: false }
}

/** Options of `spawn` that make the child run as this user. */
export function spawnAs(user: ServerUser): { uid?: number; gid?: number } {
  return user.foreign ? { uid: user.uid, gid: user.gid } : {}
}

/** Gives a file, or a directory and all in it, to the server's user. */
export async function chownAll(user: ServerUser, path: string): Promise<void> {
  if (!user.foreign) return
  const entries = await readdir(path, { recursive: true }).catch(() => [])
  for (const entry of entries) await lchown(join(path, entry), user.uid, user.gid)
  await lchown(path, user.uid, user.gid)
}

/** A directory only the server's user (and root) can look into. */
export async function makePrivateDirectory(user: ServerUser, path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  await chmod(path, 0o700)
  if (user.foreign) await lchown(path, user.uid, user.gid)
}

/** Throws when some directory on the way is closed to the server's user; the server's own error would not say which. */
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
