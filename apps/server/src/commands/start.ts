import { once } from 'node:events'
import { createServer } from 'node:net'
import { logEvent } from '@tidegate/contract'
import { isInitialized, setupCode } from '@tidegate/control'
import type { Environment } from '../environment.ts'
import type { Logger } from '../observability/logging.ts'
import { type ServerNode, openNode } from '../process/node.ts'
import { readRoles, ROLE_NAMES } from '../process/roles.ts'
import { serve } from '../process/serve.ts'
import { VERSION } from '../version.ts'

/** Serves until a signal stops it gracefully. A second signal exits immediately. */
export async function start(environment: Environment, log: Logger, { role }: { role?: string }): Promise<void> {
  const roles = readRoles(role)
  if (roles.size < ROLE_NAMES.length && environment.REDIS_URL === undefined) {
    logEvent(log, 'server.limits_not_shared', { roles: [...roles] })
  }
  await checkPort(environment)
  const node = await openNode(environment, log)
  const stopped = untilSignal()
  try {
    const site = await serve(node, environment, roles)
    if (roles.has('control')) await printWelcome(node, environment, site.port)
    logEvent(log, 'server.stop_requested', { signal: await stopped })
    process.once('SIGTERM', exitNow).once('SIGINT', exitNow)
    await site.stop()
  } finally {
    await node.close()
  }
}

function untilSignal(): Promise<string> {
  return new Promise((resolve) => {
    process.once('SIGTERM', resolve).once('SIGINT', resolve)
  })
}

function exitNow(): never {
  process.exit(1)
}

/** Throws when the port cannot be used, before the start creates a data directory or a database. */
export async function checkPort({ PORT, HOST }: Pick<Environment, 'PORT' | 'HOST'>): Promise<void> {
  if (PORT === 0) return
  const server = createServer((socket) => socket.destroy())
  server.listen({ port: PORT, host: HOST })
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}

/**
 * Prints the address to open. On standard error: standard output is the log, which must not contain the setup code in a
 * URL.
 */
async function printWelcome({ storage }: ServerNode, environment: Environment, port: number): Promise<void> {
  const address = `http://${displayHost(environment.HOST)}:${port}`
  const open = (await isInitialized(storage.database.db))
    ? address
    : `${address}/setup?code=${setupCode(storage.vault)}   (sets the site up, once)`
  const lines = [`Tidegate ${VERSION}`, `  open  ${open}`, `  data  ${environment.TIDEGATE_DATA_DIR}`]
  if (storage.databaseType === 'embedded') {
    lines.push('  grow  stop it, then: tidegate move --to postgres://user:password@host/database')
  }
  console.error(lines.join('\n'))
}

/** A host name that works in a browser on this machine. */
function displayHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
