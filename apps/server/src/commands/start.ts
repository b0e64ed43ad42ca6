import cluster from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { logEvent } from '@tidegate/contract'
import { isInitialized, setupCode } from '@tidegate/control'
import { readFamilyMember, type Environment } from '../environment.ts'
import type { Logger } from '../observability/logging.ts'
import { type ServerNode, openNode } from '../process/node.ts'
import { readRoles, ROLE_NAMES, type RoleName } from '../process/roles.ts'
import { logSetupCode, serve } from '../process/serve.ts'
import { planFamily } from '../supervise/plan-family.ts'
import { runFamily } from '../supervise/run-family.ts'
import { serveMember } from '../supervise/serve-member.ts'
import { VERSION } from '../version.ts'

/** Serves in as many processes as the machine has cores, or in this one. Returns the exit code. */
export async function start(environment: Environment, log: Logger, { role }: { role?: string }): Promise<number> {
  const member = cluster.isWorker ? readFamilyMember() : undefined
  if (member) {
    await serveMember(environment, log, { member, announce: (node, port) => announceSite(node, environment, port) })
    return 0
  }
  const roles = readRoles(role)
  if (roles.size < ROLE_NAMES.length && environment.REDIS_URL === undefined) {
    logEvent(log, 'server.limits_not_shared', { roles: [...roles] })
  }
  const plan = planFamily({
    role,
    processes: environment.TIDEGATE_PROCESSES,
    pool: environment.TIDEGATE_DATABASE_POOL,
  })
  if (plan) {
    await checkPort(environment)
    return await runFamily(environment, log, plan)
  }
  await startAlone(environment, log, roles)
  return 0
}

/** Serves until a signal stops it gracefully. A second signal exits immediately. */
async function startAlone(environment: Environment, log: Logger, roles: ReadonlySet<RoleName>): Promise<void> {
  await checkPort(environment)
  const node = await openNode(environment, log)
  const stopped = untilSignal()
  try {
    const site = await serve(node, environment, roles)
    if (roles.has('control')) await printWelcome(node, environment, site.port!)
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

/** In a family, the process with the control role learns the port when all processes serve. */
async function announceSite(node: ServerNode, environment: Environment, port: number): Promise<void> {
  await logSetupCode(node, port)
  await printWelcome(node, environment, port)
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
