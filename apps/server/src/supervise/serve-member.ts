import { chmod } from 'node:fs/promises'
import cluster from 'node:cluster'
import { logEvent } from '@tidegate/contract'
import type { StateChange } from '@tidegate/gateway'
import type { Environment, FamilyMember } from '../environment.ts'
import type { ReadinessReport } from '../http/health.ts'
import type { Logger } from '../observability/logging.ts'
import { openNode, type FamilyServices, type ServerNode } from '../process/node.ts'
import { hasDataPlane, serve, type RunningSite, type StopReason } from '../process/serve.ts'
import { familyLimits } from './family-limits.ts'
import { acceptForwarded, createForwarder } from './forward-requests.ts'
import { createLink, type Link } from './link.ts'
import { createMessageBus } from './message-bus.ts'

/** Without its supervisor, a process cannot accept connections. It finishes what it has for this long. */
const ORPHAN_DRAIN_MS = 5_000

type Announce = (node: ServerNode, port: number) => Promise<void>

/** Serves as a process of a family until its supervisor ends it. */
export async function serveMember(
  environment: Environment,
  log: Logger,
  { member, announce }: { member: FamilyMember; announce: Announce },
): Promise<void> {
  process.title = `tidegate ${member.slot}`
  const stopping = Promise.withResolvers<StopReason>()
  const running = Promise.withResolvers<{ node: ServerNode; site: RunningSite }>()
  running.promise.catch(() => {}) // reported below
  const link = createLink(supervisorPort(), {
    leave: () => stopping.resolve('leave'),
    stop: () => stopping.resolve('stop'),
    bus: (changes: StateChange[]) => bus.receive(changes),
    metrics: async () => (await running.promise).site.metrics(),
    readiness: async () => (await running.promise).site.readiness(),
    announce: async (port: number) => announce((await running.promise).node, port),
  })
  const bus = createMessageBus(link.send)
  endWithSupervisor(link, () => {
    logEvent(log, 'supervisor.lost', { slot: member.slot })
    stopping.resolve('orphaned')
  })
  // Signals of a terminal reach all its processes. The supervisor decides what they mean.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  process.once('SIGTERM', () => stopping.resolve('stop'))

  const family: FamilyServices = {
    slot: member.slot,
    isReplacement: member.isReplacement ?? false,
    settleIntervalMs: member.settleIntervalMs,
    bus,
    limits: familyLimits(link.request),
  }
  try {
    const roles = new Set(member.roles)
    const node = await openNode(environment, log.child({ slot: member.slot }), {
      family,
      poolSize: member.poolSize,
      holdsCredit: hasDataPlane(roles),
    })
    try {
      const site = await serve(node, environment, roles, listenerOf(member, link))
      if (member.controlSocket !== undefined && member.roles.includes('control'))
        await chmod(member.controlSocket, 0o600)
      running.resolve({ node, site })
      await checkConnections(node, member)
      link.send('ready', { port: site.port })
      const reason = await stopping.promise
      await site.stop(reason, reason === 'orphaned' ? ORPHAN_DRAIN_MS : undefined)
      // The supervisor keeps counters of processes that ended.
      if (reason !== 'orphaned') await link.request('final-metrics', await site.metrics()).catch(() => {})
    } finally {
      await node.close()
    }
  } catch (error) {
    running.reject(error)
    throw error
  } finally {
    disconnect()
  }
}

function listenerOf({ roles, controlSocket }: FamilyMember, { request }: Link) {
  const isControl = roles.includes('control') && controlSocket !== undefined
  return {
    ...(roles.includes('gateway')
      ? { ...(controlSocket !== undefined && { forward: createForwarder(controlSocket) }) }
      : { socketPath: isControl ? controlSocket : undefined, accept: acceptForwarded }),
    readMetrics: () => request<string>('family-metrics'),
    readReadiness: () =>
      request<ReadinessReport>('family-readiness').catch((): ReadinessReport => ({
        isReady: false,
        problems: ['the supervisor does not respond'],
        degraded: [],
      })),
  }
}

/** Compares the connections of the family with the limit of the server: a start must not fail under load. */
async function checkConnections(node: ServerNode, { connectionSum }: FamilyMember): Promise<void> {
  if (connectionSum === undefined || node.startedWithoutDatabase) return
  const { rows } = await node.storage.database.pool.query<{ limit: number }>(
    `select current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer as limit`,
  )
  const { limit } = rows[0]!
  if (connectionSum > limit) logEvent(node.log, 'database.connections_short', { needed: connectionSum, limit })
}

function supervisorPort() {
  return {
    // A supervisor that is gone is reported by the end of the channel.
    send: (message: object) => void (process.connected && process.send!(message, () => {})),
    onMessage: (handle: (message: unknown) => void) => void process.on('message', handle),
  }
}

/** By default, Node exits at once when the supervisor is gone. */
function endWithSupervisor(link: Link, onLost: () => void): void {
  cluster.worker!.on('disconnect', () => {
    link.close()
    if (cluster.worker!.exitedAfterDisconnect) return
    cluster.worker!.exitedAfterDisconnect = true
    onLost()
  })
}

/** The open channel would keep the process alive. */
function disconnect(): void {
  cluster.worker!.exitedAfterDisconnect = true
  if (process.connected) process.disconnect()
}
