import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { logEvent } from '@tidegate/contract'
import { createClientAddress, isInitialized, setupCode, type Deps } from '@tidegate/control'
import type { FastifyInstance } from 'fastify'
import type { Environment } from '../environment.ts'
import { createResponseDrain } from '../http/drain-responses.ts'
import { drainBehindBalancer } from '../http/fail-readiness-before-stop.ts'
import { createReadiness } from '../http/health.ts'
import { createHttpServer } from '../http/http-server.ts'
import { createMetrics, processGauges, recordEvents } from '../observability/prometheus.ts'
import { controlDeps, recordAuthFailures } from '../roles/control.ts'
import { openUpstreamAccess, startGateway, type RunningGateway } from '../roles/gateway.ts'
import { startJobs, watchAuditForwarding, type AuditForwarding } from '../roles/worker.ts'
import { VERSION } from '../version.ts'
import type { ServerNode } from './node.ts'
import type { RoleName } from './roles.ts'

export interface RunningSite {
  readonly port: number
  /** Rejects new requests, lets streams finish up to the deadline, then stops all parts in order. */
  stop(): Promise<void>
}

/** Runs the roles of this process until `stop`. A failed start leaves nothing running. */
export async function serve(
  node: ServerNode,
  environment: Environment,
  roles: ReadonlySet<RoleName>,
): Promise<RunningSite> {
  const authFailures = recordAuthFailures(node)
  const gateway = roles.has('gateway') ? await startGateway(node, environment, authFailures) : undefined
  const upstream = gateway ?? openUpstreamAccess(node, environment)
  const control = { ...controlDeps(node, environment, upstream), authFailures }
  const forwarding = roles.has('worker') ? watchAuditForwarding(node) : undefined
  const jobs = forwarding ? startJobs(node, control, { environment, forwarding }) : undefined
  const stopParts = async () => {
    await jobs?.stop()
    await upstream.stop()
    await authFailures.flush()
  }
  try {
    const parts = { gateway, control: roles.has('control') ? control : undefined, forwarding }
    return await listen(node, environment, roles, parts, stopParts)
  } catch (error) {
    await stopParts()
    throw error
  }
}

/**
 * Maximum number of pending connections, up to the kernel's `net.core.somaxconn`. With Node's default of 511, a burst
 * of a few hundred clients overflows the queue, and dropped clients retry only seconds later.
 */
const LISTEN_BACKLOG = 8192

/** Database timeout of `/readyz`. */
const PING_MS = 2_000

/** Parts that run in this process. */
interface Parts {
  gateway: RunningGateway | undefined
  control: Deps | undefined
  forwarding: AuditForwarding | undefined
}

async function listen(
  node: ServerNode,
  environment: Environment,
  roles: ReadonlySet<RoleName>,
  { gateway, control, forwarding }: Parts,
  stopParts: () => Promise<void>,
): Promise<RunningSite> {
  const readiness = createReadiness({ db: node.storage.database.withDeadline(PING_MS) })
  const responseDrain = createResponseDrain()
  const metrics = createMetrics(processGauges(node, gateway, forwarding))
  recordEvents(node, metrics)

  const app = await createHttpServer({
    gateway,
    control,
    readiness,
    responseDrain,
    metrics,
    metricsToken: environment.TIDEGATE_METRICS_TOKEN,
    addressOf: environment.TIDEGATE_LOG_CLIENT_ADDRESS ? addressReader(node, environment) : undefined,
    log: node.log,
  })
  await app.listen({ port: environment.PORT, host: environment.HOST, backlog: LISTEN_BACKLOG })
  const { port } = app.server.address() as AddressInfo
  logEvent(node.log, 'server.listening', { port, host: environment.HOST, roles: [...roles], version: VERSION })
  if (control) await logSetupCode(node, port)

  return {
    port,
    async stop() {
      readiness.startStopping()
      logEvent(node.log, 'server.stopping', { openRequests: gateway?.openRequests() ?? 0 })
      const keptConnections = responseDrain.start()
      const drainMs = environment.TIDEGATE_DRAIN_SECONDS * 1000
      const drain = gateway?.drain ?? (async () => {})
      const isBalanced = isBehindBalancer(environment, roles)
      if (isBalanced) await drainBehindBalancer(app.server, { drain, drainMs, keptConnections })
      await closeServer(app, drain, isBalanced ? LAST_REQUESTS_MS : drainMs)
      await stopParts()
      logEvent(node.log, 'server.stopped')
    },
  }
}

function addressReader(node: ServerNode, { TIDEGATE_TRUSTED_PROXIES }: Environment) {
  const clientAddress = createClientAddress(TIDEGATE_TRUSTED_PROXIES)
  return (request: IncomingMessage) => clientAddress(request, node.feed.current().settings)
}

/** Time for requests that arrive on connections kept by the load balancer. */
const LAST_REQUESTS_MS = 5_000

/**
 * A site with trusted proxies has load balancers, which send requests until they detect the failing readiness check.
 */
function isBehindBalancer({ TIDEGATE_TRUSTED_PROXIES }: Environment, roles: ReadonlySet<RoleName>): boolean {
  return TIDEGATE_TRUSTED_PROXIES !== undefined && (roles.has('gateway') || roles.has('control'))
}

/** Logs the setup code, which is required unless the page is opened on the machine itself. */
async function logSetupCode(node: ServerNode, port: number): Promise<void> {
  if (await isInitialized(node.storage.database.db)) return
  logEvent(node.log, 'server.setup_pending', {
    setupCode: setupCode(node.storage.vault),
    open: `http://localhost:${port}/setup`,
  })
}

/** Closes idle keep-alive connections repeatedly: otherwise `close` waits more than a minute for them. */
async function closeServer(app: FastifyInstance, drain: RunningGateway['drain'], deadlineMs: number): Promise<void> {
  const closed = app.close()
  const sweep = setInterval(() => app.server.closeIdleConnections(), 50)
  try {
    await drain(deadlineMs)
    const tooLong = setTimeout(() => app.server.closeAllConnections(), 2_000)
    await closed
    clearTimeout(tooLong)
  } finally {
    clearInterval(sweep)
  }
}
