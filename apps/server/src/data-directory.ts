import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

interface StartContext {
  /** URL of the running program. */
  program?: string
  folder?: string
  isRoot?: boolean
}

/**
 * The data directory when none is configured. Installed from a package: in the working directory, so that a folder is a
 * site. From a checkout: a system directory for root, the home directory for other users.
 */
export function defaultDataDirectory({
  program = import.meta.url,
  folder = process.cwd(),
  isRoot = process.getuid?.() === 0,
}: StartContext = {}): string {
  const isInstalled = program.includes('/node_modules/tidegate/')
  if (isInstalled && !(isRoot && isClosed(folder))) return join(folder, 'tidegate-data')
  return isRoot ? '/var/lib/tidegate' : join(homedir(), '.local', 'share', 'tidegate')
}

/**
 * When root starts Tidegate, the embedded database runs as another user, who cannot enter directories such as `/root`.
 */
function isClosed(folder: string): boolean {
  const path = resolve(folder)
  if ((statSync(path).mode & 0o001) === 0) return true
  return path !== dirname(path) && isClosed(dirname(path))
}

/**
 * The journals have their own directory for each format. A process of the release before would take a journal that it
 * cannot read for an empty one, and remove it.
 */
export function journalDirectories(dataDirectory: string): { journals: string; oldJournals: string } {
  return { journals: join(dataDirectory, 'journal-2'), oldJournals: join(dataDirectory, 'journal') }
}
