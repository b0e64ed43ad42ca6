import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  auditJobs,
  type AuthFailures,
  channelJobs,
  createAuthFailures,
  createClientAddress,
  type Deps,
  isInitialized,
  logJobs,
  maintenanceJobs,
  messageJobs,
  noticeJobs,
  runJobs,
  type RunningJobs,
  setupCode,
  taskJobs,
} from '@tidegate/control'
import { createLimiter } from '@tidegate/storage'
import type { FastifyInstance } from 'fastify'
import type { Environment } from '../environment.ts'
import { createReadiness } from '../http/health.ts'
import { createHttpServer } from '../http/http-server.ts'
import { createLastAnswers } from '../http/last-answers.ts'
import { leaveBalancer } from '../http/leave-balancer.ts'
import { createMetrics } from '../http/metrics.ts'
import { VERSION } from '../version.ts'
import { watchAuditForwarding, type AuditForwarding } from './audit-forwarding.ts'
import type { Node } from './node.ts'
import type { RoleName } from './roles.ts'
import { openVendorAccess, startGateway, type RunningGateway, type VendorAccess } from './start-gateway.ts'
import { watchGateway } from './watch-gateway.ts'
import { watchedFigures } from './watched-figures.ts'

export interface RunningSite {
  readonly port: number
  /** Takes nothing new, lets streams finish up to the deadline, then ends everything in order. */
  stop(): Promise<void>
}

/** Runs the roles of this process until it is told to stop. A start that fails leaves nothing running. */
export async function serve(node: Node, environment: Environment, roles: ReadonlySet<RoleName>): Promise<RunningSite> {
  const authFailures = recordAuthFailures(node)
  const gateway = roles.has('gateway') ? await startGateway(node, environment, authFailures) : undefined
  const vendors = gateway ?? openVendorAccess(node, environment)
  const control = { ...controlDeps(node, environment, vendors), authFailures }
  const forwarding = roles.has('worker') ? watchAuditForwarding(node) : undefined
  const jobs = forwarding ? startJobs(node, control, { environment, forwarding }) : undefined
  const stopParts = async () => {
    await jobs?.stop()
    await vendors.stop()
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
 * Connections that may wait while the process is busy, as far as the kernel allows (`net.core.somaxconn`). With Node's
 * own 511, a second of a few hundred new clients is enough for the kernel to ignore some, who try again only seconds later.
 */
const MOST_UNGREETED = 8192

/** A probe of `/readyz` waits this long for the database. */
const PING_MS = 2_000

/** What this process runs of the site. */
interface Parts {
  gateway: RunningGateway | undefined
  control: Deps | undefined
  forwarding: AuditForwarding | undefined
}

async function listen(
  node: Node,
  environment: Environment,
  roles: ReadonlySet<RoleName>,
  { gateway, control, forwarding }: Parts,
  stopParts: () => Promise<void>,
): Promise<RunningSite> {
  const readiness = createReadiness({ db: node.storage.database.withDeadline(PING_MS) })
  const lastAnswers = createLastAnswers()
  const metrics = createMetrics(watchedFigures(node, gateway, forwarding))
  watchGateway(node, metrics)

  const app = await createHttpServer({
    gateway,
    control,
    readiness,
    lastAnswers,
    metrics,
    metricsToken: environment.TIDEGATE_METRICS_TOKEN,
    addressOf: environment.TIDEGATE_LOG_CLIENT_ADDRESS ? addressReader(node, environment) : undefined,
    log: node.log,
  })
  await app.listen({ port: environment.PORT, host: environment.HOST, backlog: MOST_UNGREETED })
  const { port } = app.server.address() as AddressInfo
  node.log.info({ port, host: environment.HOST, roles: [...roles], version: VERSION }, 'listening')
  if (control) await announceSetup(node, port)

  return {
    port,
    async stop() {
      readiness.startStopping()
      node.log.info({ openCalls: gateway?.openCalls() ?? 0 }, 'stopping')
      const kept = lastAnswers.begin()
      const drainMs = environment.TIDEGATE_DRAIN_SECONDS * 1000
      const drain = gateway?.drain ?? (async () => {})
      const leaves = isBehindBalancer(environment, roles)
      if (leaves) await leaveBalancer(app.server, { drain, drainMs, kept })
      await closeServer(app, drain, leaves ? LAST_CALLS_MS : drainMs)
      await stopParts()
      node.log.info({}, 'stopped')
    },
  }
}

function addressReader(node: Node, { TIDEGATE_TRUSTED_PROXIES }: Environment) {
  const clientAddress = createClientAddress(TIDEGATE_TRUSTED_PROXIES)
  return (request: IncomingMessage) => clientAddress(request, node.feed.current().settings)
}

/** Calls that came on a connection which the balancer had kept. */
const LAST_CALLS_MS = 5_000

/** A site that names its proxies has balancers, which send calls until they have seen that this process is not ready. */
function isBehindBalancer({ TIDEGATE_TRUSTED_PROXIES }: Environment, roles: ReadonlySet<RoleName>): boolean {
  return TIDEGATE_TRUSTED_PROXIES !== undefined && (roles.has('gateway') || roles.has('control'))
}

/** Queries that a page of the console waits for. */
const PAGE_QUERY_MS = 5_000
/** Reports, exports and clean-ups of large tables. */
const REPORT_QUERY_MS = 60_000

function recordAuthFailures(node: Node): AuthFailures {
  return createAuthFailures({
    db: node.storage.database.withDeadline(PAGE_QUERY_MS),
    limiter: createLimiter(node.storage.redis, node.log),
    catalog: () => node.feed.current(),
    log: node.log,
    now: () => new Date(),
    count: (failure) => node.observers.forEach((observer) => observer({ kind: 'auth-failure', failure })),
  })
}

function controlDeps(
  node: Node,
  environment: Environment,
  { probe, upstream, webhookClient }: VendorAccess,
): Omit<Deps, 'authFailures'> {
  const { withDeadline } = node.storage.database
  return {
    db: withDeadline(PAGE_QUERY_MS),
    reportsDb: withDeadline(REPORT_QUERY_MS),
    vault: node.storage.vault,
    catalog: () => node.feed.current(),
    catchUp: (version) => node.feed.whenVersion(version),
    notices: node.notices,
    limiter: createLimiter(node.storage.redis, node.log),
    log: node.log,
    now: () => new Date(),
    upstream,
    webhookClient,
    probe,
    site: {
      version: VERSION,
      startTime: new Date(),
      databaseType: node.storage.databaseType,
      trustedProxies: environment.TIDEGATE_TRUSTED_PROXIES,
      apiLimit: {
        count: environment.GLOBAL_API_RATE_LIMIT_ENABLE ? environment.GLOBAL_API_RATE_LIMIT : 0,
        windowSeconds: environment.GLOBAL_API_RATE_LIMIT_DURATION,
      },
      turnstileVerifyUrl: environment.TIDEGATE_TURNSTILE_VERIFY_URL,
      stripeUrl: environment.TIDEGATE_STRIPE_URL,
      signIn: {
        githubUrl: environment.TIDEGATE_GITHUB_URL,
        githubApiUrl: environment.TIDEGATE_GITHUB_API_URL,
        linuxDoUrl: environment.TIDEGATE_LINUXDO_URL,
      },
      generateDefaultToken: environment.GENERATE_DEFAULT_TOKEN,
      allowPrivateFetches: environment.TIDEGATE_ALLOW_PRIVATE_FETCHES,
      noticeLimit: {
        count: environment.NOTIFY_LIMIT_COUNT,
        minutes: environment.NOTIFICATION_LIMIT_DURATION_MINUTE,
      },
    },
  }
}

function startJobs(
  node: Node,
  pages: Deps,
  { environment, forwarding }: { environment: Environment; forwarding: AuditForwarding },
): RunningJobs {
  const { db } = node.storage.database
  const control = { ...pages, db } // nobody waits for a job
  const settings = () => node.feed.current().settings
  return runJobs({ db, holder: node.id, log: node.log }, [
    ...maintenanceJobs({ db, vault: node.storage.vault, log: node.log, now: () => new Date(), settings }),
    ...logJobs({ db, log: node.log, now: () => new Date(), settings }),
    ...channelJobs(control, {
      testMinutes: environment.CHANNEL_TEST_FREQUENCY,
      balanceMinutes: environment.CHANNEL_UPDATE_FREQUENCY,
    }),
    ...noticeJobs(control),
    ...messageJobs(control),
    ...taskJobs(control),
    ...auditJobs({ ...control, report: forwarding.report }),
  ])
}

/** Whoever can read the log may set the site up from anywhere; from a private network no code is asked for. */
async function announceSetup(node: Node, port: number): Promise<void> {
  if (await isInitialized(node.storage.database.db)) return
  node.log.info(
    { setupCode: setupCode(node.storage.vault), open: `http://localhost:${port}/setup` },
    'not initialised yet: open the setup page',
  )
}

/** Node waits for idle keep-alive connections for more than a minute; sweeping them ends the wait with the last stream. */
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
