import cluster from 'node:cluster'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { logEvent } from '@tidegate/contract'
import { readFamilyMember, type Environment } from '../environment.ts'
import type { Logger } from '../observability/logging.ts'
import { readRoles, ROLE_NAMES } from '../process/roles.ts'
import { planFamily } from '../supervise/plan-family.ts'
import { CommandError } from './command-error.ts'

// A supervisor loads nothing of what serves requests: that would be two thirds of its memory.

/** Serves in as many processes as the machine has cores, or in this one. Returns the exit code. */
export async function start(environment: Environment, log: Logger, { role }: { role?: string }): Promise<number> {
  const member = cluster.isWorker ? readFamilyMember() : undefined
  if (member) {
    const { startMember } = await import('../process/start-process.ts')
    await startMember(environment, log, member)
    return 0
  }
  const roles = readRoles(role)
  if (roles.size < ROLE_NAMES.length && environment.REDIS_URL === undefined) {
    logEvent(log, 'server.limits_not_shared', { roles: [...roles] })
  }
  await checkPort(environment)
  const plan = planFamily({
    role,
    processes: environment.TIDEGATE_PROCESSES,
    pool: environment.TIDEGATE_DATABASE_POOL,
  })
  if (plan) {
    if (environment.TIDEGATE_LISTEN === 'reuseport') await checkReusePort(environment)
    const { runFamily } = await import('../supervise/run-family.ts')
    return await runFamily(environment, log, plan)
  }
  const { startAlone } = await import('../process/start-process.ts')
  await startAlone(environment, log, roles)
  return 0
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

const MIGRATE_REQUESTS = '/proc/sys/net/ipv4/tcp_migrate_req'

/**
 * Throws if gateways must not listen on one port each for themselves. Without the kernel setting, a process that stops
 * resets the connections that it has not accepted yet, in each reload.
 */
export async function checkReusePort(
  { PORT }: Pick<Environment, 'PORT'>,
  settingFile = MIGRATE_REQUESTS,
): Promise<void> {
  if (PORT === 0) throw new CommandError('TIDEGATE_LISTEN=reuseport needs a PORT other than 0')
  const setting = await readFile(settingFile, 'utf8').catch(() => undefined)
  if (setting === undefined) throw new CommandError('TIDEGATE_LISTEN=reuseport needs Linux 5.14 or later')
  if (setting.trim() === '1') return
  throw new CommandError(
    'TIDEGATE_LISTEN=reuseport would reset connections in a reload. Run: sysctl -w net.ipv4.tcp_migrate_req=1',
  )
}
