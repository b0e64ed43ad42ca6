import type { Watched } from './prometheus.ts'
import type { AuditForwarding } from '../roles/audit-forwarding.ts'
import type { Node } from '../process/node.ts'
import type { RunningGateway } from '../roles/gateway.ts'

/** Every queue, pool and switch of this process that can fill up, run dry or break. */
export function watchedFigures(
  node: Node,
  gateway: RunningGateway | undefined,
  forwarding: AuditForwarding | undefined,
): Watched[] {
  const { pool } = node.storage.database
  const { redis } = node.storage
  const everywhere: Watched[] = [
    {
      name: 'tidegate_catalog_version',
      help: 'Version of the catalog snapshot in use',
      read: () => node.feed.current().version,
    },
    {
      name: 'tidegate_database_connections',
      help: 'Connections of the pool; waiting counts queries that have none yet',
      read: () => ({
        busy: pool.totalCount - pool.idleCount,
        idle: pool.idleCount,
        waiting: pool.waitingCount,
      }),
    },
    ...(redis
      ? [{ name: 'tidegate_redis_ready', help: '1 while limits are shared', read: () => (redis.isReady() ? 1 : 0) }]
      : []),
    ...(forwarding
      ? [
          {
            name: 'tidegate_audit_forward_lag_seconds',
            help: 'Age of the oldest sealed audit event that a destination does not have, by destination',
            read: forwarding.lagSeconds,
          },
        ]
      : []),
  ]
  if (!gateway) return everywhere
  return [
    ...everywhere,
    { name: 'tidegate_open_calls', help: 'Calls of the data plane in progress', read: gateway.openCalls },
    {
      name: 'tidegate_waiting_bookings',
      help: 'Calls in the journal that the database does not have yet',
      read: () => gateway.journal().bookings,
    },
    {
      name: 'tidegate_journal_bytes',
      help: 'What the journal takes; calls are refused at its limit',
      read: () => gateway.journal().bytes,
    },
    {
      name: 'tidegate_uncovered_quota',
      help: 'Quota that accounts could not pay for requests that were served, since the process started',
      read: gateway.uncovered,
    },
    {
      name: 'tidegate_waiting_rows',
      help: 'Rows that wait to be written and may be lost with the process, by what they are',
      read: () => mapped(gateway.queues(), ({ waiting }) => waiting),
    },
    {
      name: 'tidegate_dropped_rows',
      help: 'Rows given up because the database took none for too long, by what they are',
      read: () => mapped(gateway.queues(), ({ dropped }) => dropped),
    },
    {
      name: 'tidegate_open_breakers',
      help: 'Ways to a model (channel, model and key) that are being left alone after failures',
      read: gateway.openBreakers,
    },
  ]
}

function mapped<Value>(queues: Readonly<Record<string, Value>>, count: (value: Value) => number) {
  return Object.fromEntries(Object.entries(queues).map(([name, value]) => [name, count(value)]))
}
