import { logEvent } from '@tidegate/contract'
import { isInitialized, setupCode } from '@tidegate/control'
import { limitEgress } from '@tidegate/providers'
import type { Environment, FamilyMember } from '../environment.ts'
import type { Logger } from '../observability/logging.ts'
import { serveMember } from '../supervise/serve-member.ts'
import { VERSION } from '../version.ts'
import { openNode, type ServerNode } from './node.ts'
import { createNotifyService } from './notify-service.ts'
import type { RoleName } from './roles.ts'
import { hasDataPlane, logSetupCode, serve } from './serve.ts'

/** Serves as a process of a family until its supervisor ends it. */
export async function startMember(environment: Environment, log: Logger, member: FamilyMember): Promise<void> {
  limitEgress(environment.TIDEGATE_EGRESS_ALLOW)
  await serveMember(environment, log, { member, announce: (node, port) => announceSite(node, environment, port) })
}

/** Serves until a signal stops it gracefully. A second signal exits immediately. */
export async function startAlone(environment: Environment, log: Logger, roles: ReadonlySet<RoleName>): Promise<void> {
  limitEgress(environment.TIDEGATE_EGRESS_ALLOW)
  const notify = createNotifyService(environment, log)
  const node = await openNode(environment, log, { holdsCredit: hasDataPlane(roles) })
  const stopped = untilSignal()
  try {
    const site = await serve(node, environment, roles)
    if (roles.has('control')) await printWelcome(node, environment, site.port!)
    void notify('READY=1')
    logEvent(log, 'server.stop_requested', { signal: await stopped })
    void notify('STOPPING=1')
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

/** In a family, the process with the control role learns the port when all processes serve. */
async function announceSite(node: ServerNode, environment: Environment, port: number): Promise<void> {
  await logSetupCode(node, port)
  await printWelcome(node, environment, port)
}

/**
 * Prints the address to open. On standard error: standard output is the log, which must not contain the setup code in a
 * URL.
 */
async function printWelcome(
  { storage, startedWithoutDatabase }: ServerNode,
  environment: Environment,
  port: number,
): Promise<void> {
  const address = `http://${displayHost(environment.HOST)}:${port}`
  const open =
    startedWithoutDatabase || (await isInitialized(storage.database.db))
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
