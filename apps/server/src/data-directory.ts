import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

interface StartContext {
  /** Where the running program lies. */
  program?: string
  folder?: string
  isRoot?: boolean
}

/**
 * Where data is kept when nobody says: installed from a package, beside whoever starts it, so that a folder is a site; run
 * from a checkout, in a system directory for root and the user's own for everybody else.
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

/** Started by root, the embedded database runs as another user, who cannot pass through the likes of `/root`. */
function isClosed(folder: string): boolean {
  const path = resolve(folder)
  if ((statSync(path).mode & 0o001) === 0) return true
  return path !== dirname(path) && isClosed(dirname(path))
}
