import { isInitialized, setupCode } from '@tidegate/control'
import type { Environment } from '../environment.ts'
import type { Node } from '../process/node.ts'
import { VERSION } from '../version.ts'

/**
 * Tells whoever started it where to go on. On standard error: the log on standard output is for machines, and keeps codes
 * out of addresses.
 */
export async function greet({ storage }: Node, environment: Environment, port: number): Promise<void> {
  const address = `http://${reachable(environment.HOST)}:${port}`
  const open = (await isInitialized(storage.database.db))
    ? address
    : `${address}/setup?code=${setupCode(storage.vault)}   (sets the site up, once)`
  const lines = [`Tidegate ${VERSION}`, `  open  ${open}`, `  data  ${environment.TIDEGATE_DATA_DIR}`]
  if (storage.databaseType === 'embedded') {
    lines.push('  grow  stop it, then: tidegate move --to postgres://user:password@host/database')
  }
  console.error(lines.join('\n'))
}

/** Where to reach a server that listens everywhere, from here. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
