import type { IncomingMessage } from 'node:http'
import { logEvent } from '@tidegate/contract'
import { createClientAddress, isInitialized, setupCode, type Deps } from '@tidegate/control'
import type { FastifyInstance } from 'fastify'
import type { Environment } from '../environment.ts'
import { createResponseDrain } from '../http/drain-responses.ts'
import { drainAfterHandover, drainBehindBalancer } from '../http/fail-readiness-before-stop.ts'
import { createReadiness, type ProcessReadiness } from '../http/health.ts'
import { createHttpServer, type HttpParts } from '../http/http-server.ts'
import { createMetrics, processGauges, recordEvents } from '../observability/prometheus.ts'
import { controlDeps, recordAuthFailures } from '../roles/control.ts'
import { openUpstreamAccess, startGateway, type RunningGateway } from '../roles/gateway.ts'
import { startJobs, watchJobs, type JobMetrics } from '../roles/worker.ts'
import type { ProcessMetrics } from '../supervise/family-metrics.ts'
import { VERSION } from '../version.ts'
import type { ServerNode } from './node.ts'
import type { RoleName } from './roles.ts'

export interface RunningSite {
  /** Undefined when it listens on a socket file. */
  readonly port: number | undefined
  readiness(): Promise<ProcessReadiness>
  metrics(): Promise<ProcessMetrics>
  /** Rejects new requests, lets streams finish up to the deadline, then stops all parts in order. */
  stop(reason?: StopReason, drainMs?: number): Promise<void>
}

/**
 * `stop`: the site stops, or a load balancer sends requests elsewhere. `leave`: another process of the family took over
 * the port. `orphaned`: the supervisor is gone, and with it the port.
 */
export type StopReason = 'stop' | 'leave' | 'orphaned'

/** How a process of a family listens, and what it reports about the family. */
export interface FamilyListener extends Pick<HttpParts, 'forward' | 'accept' | 'readMetrics' | 'readReadiness'> {
  readonly socketPath?: string | undefined
}

/** A worker runs batches through a data plane of its own, which accepts no connections. */
export function hasDataPlane(roles: ReadonlySet<RoleName>): boolean {
  return roles.has('gateway') || roles.has('worker')
}

/** Runs the roles of this process until `stop`. A failed start leaves nothing running. */
export async function serve(
  node: ServerNode,
  environment: Environment,
  roles: ReadonlySet<RoleName>,
  family?: FamilyListener,
): Promise<RunningSite> {
  const authFailures = recordAuthFailures(node)
  const dataPlane = hasDataPlane(roles) ? await startGateway(node, environment, authFailures) : undefined
  const gateway = roles.has('gateway') ? dataPlane : undefined
  const upstream = dataPlane ?? openUpstreamAccess(node, environment)
  const control = { ...controlDeps(node, environment, upstream), authFailures }
  const jobMetrics = roles.has('worker') ? watchJobs(node) : undefined
  const jobs = jobMetrics ? startJobs(node, control, { environment, metrics: jobMetrics }) : undefined
  const batches = roles.has('worker') ? dataPlane?.runBatches() : undefined
  const stopParts = async () => {
    await batches?.stop()
    await jobs?.stop()
    await upstream.stop()
    await authFailures.flush()
  }
  try {
    const parts = { gateway, dataPlane, batches, control: roles.has('control') ? control : undefined, jobMetrics }
    return await listen(node, environment, { roles, parts, family, stopParts })
  } catch (error) {
    await stopParts().catch(() => {}) // it would hide the error
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
  /** That of the gateway, or of the worker. */
  dataPlane: RunningGateway | undefined
  batches: ReturnType<RunningGateway['runBatches']> | undefined
  control: Deps | undefined
  jobMetrics: JobMetrics | undefined
}

interface ListenOptions {
  readonly roles: ReadonlySet<RoleName>
  readonly parts: Parts
  readonly family: FamilyListener | undefined
  readonly stopParts: () => Promise<void>
}

async function listen(
  node: ServerNode,
  environment: Environment,
  { roles, parts: { gateway, dataPlane, batches, control, jobMetrics }, family, stopParts }: ListenOptions,
): Promise<RunningSite> {
  const readiness = createReadiness({
    db: node.storage.database.withDeadline(PING_MS),
    isClockSkewed: node.clock.isSkewed,
    canServe: dataPlane?.canServe,
    disk: dataPlane?.disk,
    logDelaySeconds() {
      const { outbox } = node.storage.logs
      const unsent = outbox ? outbox.size()?.ageSeconds : jobMetrics?.outbox.read('ageSeconds')
      return typeof unsent === 'number' ? unsent : 0
    },
  })
  const responseDrain = createResponseDrain()
  const metrics = createMetrics(processGauges(node, dataPlane, jobMetrics))
  recordEvents(node, metrics)

  const app = await createHttpServer({
    gateway,
    control,
    responseDrain,
    metrics,
    metricsToken: environment.TIDEGATE_METRICS_TOKEN,
    cell: environment.TIDEGATE_CELL,
    addressOf: environment.TIDEGATE_LOG_CLIENT_ADDRESS ? addressReader(node, environment) : undefined,
    log: node.log,
    readMetrics: () => metrics.registry.metrics(),
    async readReadiness() {
      const { problems, degraded } = await readiness.read()
      return { isReady: problems.length === 0, problems, degraded }
    },
    ...family,
  })
  const port = await openPort(app, environment, { roles, family })
  logEvent(node.log, 'server.listening', { port, host: environment.HOST, roles: [...roles], version: VERSION })
  if (control && port !== undefined) await logSetupCode(node, port)

  return {
    port,
    readiness: readiness.read,
    metrics: async () => (await metrics.registry.getMetricsAsJSON()) as unknown as ProcessMetrics,
    async stop(reason = 'stop', drainMs = environment.TIDEGATE_DRAIN_SECONDS * 1000) {
      readiness.startStopping()
      logEvent(node.log, 'server.stopping', { openRequests: dataPlane?.openRequests() ?? 0 })
      batches?.pause()
      const keptConnections = responseDrain.start()
      const drain = dataPlane?.drain ?? (async () => {})
      const isBalanced = reason === 'stop' && isBehindBalancer(environment, roles)
      if (isBalanced) await drainBehindBalancer(app.server, { drain, drainMs, keptConnections })
      if (reason === 'leave') await drainAfterHandover(app.server, { drain, drainMs })
      await closeServer(app, drain, reason === 'stop' && !isBalanced ? drainMs : Math.min(drainMs, LAST_REQUESTS_MS))
      await stopParts()
      logEvent(node.log, 'server.stopped')
    },
  }
}

/** A worker of a family serves no requests, so it does not listen. */
async function openPort(
  app: FastifyInstance,
  { PORT: port, HOST: host, TIDEGATE_LISTEN }: Environment,
  { roles, family }: Pick<ListenOptions, 'roles' | 'family'>,
): Promise<number | undefined> {
  const reusePort = family !== undefined && TIDEGATE_LISTEN === 'reuseport'
  const options = { port, host, backlog: LISTEN_BACKLOG, reusePort }
  if (!family || roles.has('gateway')) await app.listen(options)
  else if (family.socketPath !== undefined) await app.listen({ path: family.socketPath, backlog: LISTEN_BACKLOG })
  else await app.ready()
  const address = app.server.address()
  return typeof address === 'object' ? address?.port : undefined
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
export async function logSetupCode(node: ServerNode, port: number): Promise<void> {
  // Without the database, there is a snapshot of a site that was set up.
  if (node.startedWithoutDatabase || (await isInitialized(node.storage.database.db))) return
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
