import { hostname } from 'node:os'
import { logEvent } from '@tidegate/contract'
import {
  type AuthFailures,
  type Deps as ControlDeps,
  createClientAddress,
  disableChannel,
  recordImplausibleUsage,
  authenticateConsoleUser,
} from '@tidegate/control'
import { createGateway, type Gateway, type Ports } from '@tidegate/gateway'
import { openCredit, type JournalDisk } from '@tidegate/ledger'
import {
  createFileClient,
  createMediaFetcher,
  createRequestSigner,
  createUpstreamClient,
  requireEgressUnresolved,
  type UpstreamClient,
} from '@tidegate/providers'
import { balances, type QueueMetrics, type SharedListener } from '@tidegate/storage'
import { createBatchStore } from '../adapters/batch-store.ts'
import { createCallers, toUserRecord } from '../adapters/callers.ts'
import { createConversationStore } from '../adapters/conversation-store.ts'
import { createFileStore } from '../adapters/file-store.ts'
import { createResponseStore } from '../adapters/response-store.ts'
import { createTaskStore } from '../adapters/task-store.ts'
import { journalDirectories } from '../data-directory.ts'
import { joinExchanges, shareRouting } from '../process/share-routing.ts'
import type { Environment } from '../environment.ts'
import { writeBehindLogs } from '../observability/write-behind-logs.ts'
import { writeBehindMetrics } from '../observability/write-behind-metrics.ts'
import { limiterOf, type ServerNode } from '../process/node.ts'
import { keepCallersSnapshot, readKnownCallers } from '../process/snapshots.ts'

/** Access to providers for channel tests and jobs. */
export interface UpstreamAccess extends Pick<Gateway, 'probe'> {
  readonly explainRoutes: NonNullable<ControlDeps['explainRoutes']>
  readonly upstream: UpstreamClient
  /** Sends to URLs that users configure. */
  readonly webhookClient: UpstreamClient
  stop(): Promise<void>
}

export interface RunningGateway
  extends
    UpstreamAccess,
    Pick<Gateway, 'handle' | 'acceptsUpgrade' | 'upgrade' | 'matches' | 'openRequests' | 'drain' | 'runBatches'> {
  /** Settlements that are not in the database yet. */
  journal(): { settlements: number; bytes: number; limitBytes: number }
  /** The disk of the journal. */
  disk(): JournalDisk
  /** Whether new requests are accepted: the journal has room, and leases are valid. */
  canServe(): boolean
  /** Quota that accounts could not pay since the start of the process. */
  uncovered(): number
  /** Write-behind queues by name. */
  queues(): Record<string, QueueMetrics>
  openCircuits(): number
}

/** A request gets 503 within 3 seconds when the database does not respond. */
const REQUEST_QUERY_MS = 2_000
/** Once a provider has accepted a task, a lost record would cost the operator the task. */
const RECORD_QUERY_MS = 15_000

/** Connects the data plane to storage and ledger. First settles journals of processes that died on this machine. */
export async function startGateway(
  node: ServerNode,
  environment: Environment,
  authFailures: AuthFailures,
): Promise<RunningGateway> {
  const { db, withDeadline } = node.storage.database
  const requestDb = withDeadline(REQUEST_QUERY_MS)
  const settings = () => node.feed.current().settings
  const clients = openUpstreamClients(node, environment)
  const logs = writeBehindLogs(node)
  const limiter = limiterOf(node)
  const credit = await openCredit({
    db,
    holder: node.creditHolder,
    ...journalDirectories(environment.TIDEGATE_DATA_DIR),
    listener: node.listener,
    keepLog: () => settings().LogConsumeEnabled,
    logs: node.storage.logs.outbox?.writer,
    isLogFull: node.storage.logs.outbox?.rejectsRequests,
    log: node.log,
    syncEach: environment.TIDEGATE_JOURNAL_SYNC === 'always',
    journalLimitBytes: environment.TIDEGATE_JOURNAL_LIMIT_MB * 1024 ** 2,
    outageSeconds: environment.TIDEGATE_OUTAGE_SECONDS,
    keepAppliedSeconds: environment.TIDEGATE_JOURNAL_KEEP_SECONDS,
    settleIntervalMs: node.family?.settleIntervalMs,
    withoutDatabase: node.startedWithoutDatabase,
    outageCredit: () => settings().OutageCredit,
  })
  const ports = commonPorts(node, environment, clients)
  const recordsDb = withDeadline(RECORD_QUERY_MS)
  const responses = createResponseStore({ db: requestDb, recordsDb, vault: node.storage.vault, log: node.log })
  const callers = createCallers({
    db: requestDb,
    vault: node.storage.vault,
    listener: node.listener,
    log: node.log,
    outageMs: environment.TIDEGATE_OUTAGE_SECONDS * 1000,
  })
  if (node.startedWithoutDatabase) callers.restore(await readKnownCallers(node.snapshots))
  const stopSnapshot = keepCallersSnapshot(node, callers)
  const { redis } = node.storage
  const routing = redis && shareRouting({ redis, from: machineOf(node), log: node.log })
  const gatewayPorts: Ports = {
    ...ports,
    callers,
    users: {
      async identify(request) {
        const deps = {
          db: requestDb,
          vault: node.storage.vault,
          now: node.clock.now,
          catalog: () => node.feed.current(),
          authFailures,
        }
        const origin = { clientIp: ports.clientAddress(request), requestId: '' }
        return toUserRecord(await authenticateConsoleUser(deps, request.headers, origin))
      },
    },
    credit,
    accounts: { amountsOf: (account) => balances.findBalances(requestDb, account) },
    tasks: createTaskStore({ db: requestDb, recordsDb, vault: node.storage.vault }),
    responses,
    conversations: createConversationStore({ db: requestDb, vault: node.storage.vault }),
    files: createFileStore({ db: requestDb, recordsDb, vault: node.storage.vault }),
    batches: createBatchStore({
      db: requestDb,
      recordsDb,
      vault: node.storage.vault,
      holder: node.id,
      keepLog: () => settings().LogConsumeEnabled,
      logs: node.storage.logs.outbox?.writer,
      log: node.log,
    }),
    limiter,
    recordError: logs.recordError,
    recordContent: logs.recordContent,
    recordShadow: logs.recordShadow,
    routingState: joinExchanges([...(node.family ? [node.family.bus] : []), ...(routing ? [routing] : [])]),
    observe: (event) => node.observers.forEach((observer) => observer(event)),
    recordRejectedAddress: ({ userId, tokenName, clientAddress, requestId }) =>
      authFailures.record({
        kind: 'ip_not_allowed',
        userId,
        origin: { clientIp: clientAddress, requestId, tokenName },
      }),
  }
  const gateway = createGateway(gatewayPorts, { fastPath: environment.TIDEGATE_FAST_PATH === 'on' })
  logs.start(gateway)
  const access = recheckAccess(node.listener, { gateway, callers }) // subscribes after the caller cache, which must drop changed entries first
  const metrics = writeBehindMetrics(node, gateway.openRequests)
  const tracing = await startTracing(node, environment)
  return {
    handle: gateway.handle,
    acceptsUpgrade: gateway.acceptsUpgrade,
    upgrade: gateway.upgrade,
    matches: gateway.matches,
    openRequests: gateway.openRequests,
    drain: gateway.drain,
    runBatches: gateway.runBatches,
    probe: gateway.probe,
    explainRoutes: (question) => gateway.explainRoutes({ ...question, useCircuits: true }),
    upstream: clients.upstream,
    webhookClient: clients.files,
    journal: credit.waiting,
    disk: credit.disk,
    canServe: credit.isAvailable,
    uncovered: credit.uncovered,
    queues: () => ({ ...logs.queues(), ...metrics.queues(), stored_responses: responses.metrics() }),
    openCircuits: gateway.openCircuits,
    async stop() {
      access.stop()
      await stopSnapshot()
      callers.stop()
      routing?.stop()
      await limiter.close().catch(() => {}) // unused shares expire by themselves
      await clients.close()
      await Promise.all([logs.stop(gateway), metrics.stop(), responses.stop(), tracing?.stop()])
      await credit.stop()
    },
  }
}

/** The processes of a family have one name, because they share routing state by themselves. */
function machineOf({ id, family }: ServerNode): string {
  return family ? `${hostname()} ${process.ppid}` : id
}

/** Loads OpenTelemetry only if it is configured. */
async function startTracing(node: ServerNode, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: Environment) {
  if (endpoint === undefined) return undefined
  requireEgressUnresolved(endpoint)
  const { exportTraces } = await import('../observability/tracing.ts')
  return exportTraces(node, endpoint)
}

/** For a process without the gateway role: channel tests use the same code, without billing. */
export function openUpstreamAccess(node: ServerNode, environment: Environment): UpstreamAccess {
  const clients = openUpstreamClients(node, environment)
  const { probe, explainRoutes } = createGateway({
    ...commonPorts(node, environment, clients),
    callers: { find: () => Promise.resolve(undefined), findById: () => Promise.resolve(undefined) },
    credit: { reserve: () => Promise.reject(new Error('this process serves no requests')) },
  })
  return {
    probe,
    // Circuits of this process would show its own tests only.
    explainRoutes: (question) => explainRoutes({ ...question, useCircuits: false }),
    upstream: clients.upstream,
    webhookClient: clients.files,
    stop: clients.close,
  }
}

type UpstreamClients = ReturnType<typeof openUpstreamClients>

/** HTTP clients: to providers configured by the operator, and to files and webhooks configured by users. */
function openUpstreamClients({ feed }: Pick<ServerNode, 'feed'>, environment: Environment) {
  const upstream = createUpstreamClient({ allowPrivateAddresses: environment.TIDEGATE_ALLOW_PRIVATE_UPSTREAMS })
  const files = createUpstreamClient({ allowPrivateAddresses: environment.TIDEGATE_ALLOW_PRIVATE_FETCHES })
  const media = createFileClient({ direct: files, toWorker: upstream }, () => {
    const { WorkerUrl: url, WorkerValidKey: key } = feed.current().settings
    return url === '' ? undefined : { url, key }
  })
  const maxBytes = environment.MAX_FILE_DOWNLOAD_MB * 1024 ** 2
  return {
    upstream,
    files,
    fetchMedia: createMediaFetcher(media, { maxBytes, timeoutMs: 20_000 }),
    close: async () => void (await Promise.all([upstream.close(), files.close()])),
  }
}

function commonPorts(
  node: ServerNode,
  environment: Environment,
  { upstream, fetchMedia }: UpstreamClients,
): Omit<Ports, 'callers' | 'credit'> {
  const { db } = node.storage.database
  const clientAddress = createClientAddress(environment.TIDEGATE_TRUSTED_PROXIES)
  const mayFlag = oncePer(FLAG_MS)
  const { STREAMING_TIMEOUT, RELAY_TIMEOUT, TIDEGATE_FIRST_TOKEN_TIMEOUT } = environment
  return {
    catalog: () => node.feed.current(),
    upstream,
    signing: createRequestSigner(upstream),
    fetchMedia,
    clientAddress: (request) => clientAddress(request, node.feed.current().settings),
    now: node.clock.time,
    random: Math.random,
    log: node.log,
    disable(target) {
      const deps = { db, vault: node.storage.vault, log: node.log, now: node.clock.now }
      disableChannel(deps, target).catch((error: unknown) => {
        logEvent(node.log, 'channel.disable_failed', { err: error, channelId: target.channelId })
      })
    },
    flag(target) {
      if (!mayFlag(target.channelId)) return
      recordImplausibleUsage({ db, now: node.clock.now }, target).catch((error: unknown) => {
        logEvent(node.log, 'channel.flag_failed', { err: error, channelId: target.channelId })
      })
    },
    deadlines: {
      firstTokenMs: TIDEGATE_FIRST_TOKEN_TIMEOUT * 1000,
      idleMs: STREAMING_TIMEOUT * 1000,
      ...(RELAY_TIMEOUT > 0 && { responseMs: RELAY_TIMEOUT * 1000 }),
    },
  }
}

/** A provider with implausible usage reports it with every response. */
const FLAG_MS = 60_000

function oncePer(milliseconds: number): (channelId: number) => boolean {
  const last = new Map<number, number>()
  return (channelId) => {
    const now = Date.now()
    if (now - (last.get(channelId) ?? -Infinity) < milliseconds) return false
    last.set(channelId, now)
    return true
  }
}

/**
 * Together with the cache time of callers, this bounds how long a request outlives its credential when a change
 * notification is lost.
 */
const RECHECK_MS = 30_000

/**
 * Aborts requests of this node whose credential was revoked: at once on a change notification, otherwise at the next
 * recheck.
 */
function recheckAccess(
  listener: SharedListener,
  {
    gateway,
    callers,
  }: {
    gateway: Pick<Gateway, 'recheck' | 'recheckAll'>
    callers: Pick<ReturnType<typeof createCallers>, 'recheckAll'>
  },
) {
  const unsubscribe = listener.subscribe({
    onNotification(notification) {
      if (notification.kind === 'caller' || notification.kind === 'session') void gateway.recheck(notification)
    },
    onGap: () => void callers.recheckAll().then(() => gateway.recheckAll()),
  })
  const timer = setInterval(() => void gateway.recheckAll(), RECHECK_MS)
  return {
    stop() {
      clearInterval(timer)
      unsubscribe()
    },
  }
}
