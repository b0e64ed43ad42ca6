import { execFile } from 'node:child_process'
import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hasCode } from '../connection/error-codes.ts'
import type { Binaries } from './binaries.ts'
import type { Layout } from './layout.ts'
import { makePrivateDirectory, spawnAs, type ServerUser } from './server-user.ts'

const run = promisify(execFile)

export const SUPERUSER = 'tidegate'

/**
 * The whole environment of the server programs. Ours is not passed on, because it may contain secrets or PG settings.
 */
export const serverEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/**
 * Creates the cluster if it does not exist. It is built under a temporary name, so that an incomplete one is never
 * opened.
 */
export async function ensureCluster(layout: Layout, binaries: Binaries, user: ServerUser): Promise<boolean> {
  if (await isCluster(layout.cluster)) return false
  const partial = `${layout.cluster}.partial`
  await rm(partial, { recursive: true, force: true })
  await makePrivateDirectory(user, partial)
  try {
    await run(join(binaries.directory, 'bin', 'initdb'), initArguments(partial), {
      ...spawnAs(user),
      cwd: layout.root,
      env: serverEnvironment,
    })
  } catch (error) {
    throw new Error(`the embedded database could not be created in ${layout.cluster}: ${explain(error)}`, {
      cause: error,
    })
  }
  await rename(partial, layout.cluster)
  return true
}

function initArguments(cluster: string): string[] {
  return [
    `--pgdata=${cluster}`,
    `--username=${SUPERUSER}`,
    '--auth=trust', // access to the socket directory controls access to the database
    '--no-instructions',
    '--encoding=UTF8',
    // Sorting by code point keeps indexes valid when system libraries change.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
  ]
}

async function isCluster(path: string): Promise<boolean> {
  return stat(join(path, 'PG_VERSION')).then(
    () => true,
    () => false,
  )
}

function explain(error: unknown): string {
  if (hasCode(error, 'ENOENT')) return 'its programs do not run here (they need glibc; on Alpine set DATABASE_URL)'
  const text = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
  if (text.includes('user does not exist')) return `${text} (give it a line in /etc/passwd, or set DATABASE_URL)`
  return text || (error instanceof Error ? error.message : String(error))
}
