import type { Environment } from '../environment.ts'
import type { Logger } from '../observability/logging.ts'
import { openNode } from '../process/node.ts'
import { readRoles, ROLE_NAMES } from '../process/roles.ts'
import { serve } from '../process/serve.ts'
import { checkPort } from './check-port.ts'
import { greet } from './greet.ts'

/** Serves until a signal asks for the end; a second signal does not wait. */
export async function start(environment: Environment, log: Logger, { role }: { role?: string }): Promise<void> {
  const roles = readRoles(role)
  if (roles.size < ROLE_NAMES.length && environment.REDIS_URL === undefined) {
    log.warn({ roles: [...roles] }, 'several processes without REDIS_URL: each counts limits for itself')
  }
  await checkPort(environment)
  const node = await openNode(environment, log)
  const stopped = untilSignal()
  try {
    const site = await serve(node, environment, roles)
    if (roles.has('control')) await greet(node, environment, site.port)
    log.info({ signal: await stopped }, 'asked to stop')
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
