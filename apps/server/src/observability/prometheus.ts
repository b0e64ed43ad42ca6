import { timingSafeEqual } from 'node:crypto'
import { AUTH_FAILURE_KINDS } from '@tidegate/control'
import { REQUEST_OUTCOMES } from '@tidegate/gateway'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { ServerNode } from '../process/node.ts'
import type { JobMetrics } from '../roles/worker.ts'
import type { RunningGateway } from '../roles/gateway.ts'

/** For the generated reference of metrics. */
export { Counter, Gauge } from 'prom-client'

const SECONDS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** A gauge that is read when metrics are collected. */
interface GaugeSource {
  readonly name: string
  readonly help: string
  /** One value, or one for each state. */
  read(): number | Readonly<Record<string, number>>
}

/** Metrics for operators. Labels are few and bounded: never a user, a token or a path with an id. */
export function createMetrics(gauges: readonly GaugeSource[]) {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  for (const source of gauges) registry.registerMetric(gauge(source))
  return {
    registry,
    apiSeconds: new Histogram({
      name: 'tidegate_api_seconds',
      help: 'Duration of control-plane requests',
      labelNames: ['method', 'route', 'status'],
      buckets: SECONDS,
      registers,
    }),
    calls: new EventCounter({
      name: 'tidegate_calls_total',
      help: 'Data-plane requests by outcome',
      labelNames: ['outcome'],
      initial: REQUEST_OUTCOMES,
      registers,
    }),
    attempts: new EventCounter({
      name: 'tidegate_attempts_total',
      help: 'Attempts on channels by outcome',
      labelNames: ['channel', 'outcome'],
      registers,
    }),
    implausibleUsage: new EventCounter({
      name: 'tidegate_implausible_usage_total',
      help: 'Responses that reported more tokens than their model can use',
      labelNames: ['channel'],
      registers,
    }),
    authFailures: new EventCounter({
      name: 'tidegate_auth_failures_total',
      help: 'Failed logins, second factors and re-authentications, forbidden requests and rejected addresses',
      labelNames: ['kind'],
      initial: AUTH_FAILURE_KINDS,
      registers,
    }),
    auditForwardFailures: new EventCounter({
      name: 'tidegate_audit_forward_failures_total',
      help: 'Failed attempts to forward audit events, by destination',
      labelNames: ['destination'],
      registers,
    }),
    exportAttempts: new EventCounter({
      name: 'tidegate_export_attempts_total',
      help: 'Attempts to deliver requests to export destinations, by kind of destination and result',
      labelNames: ['destination', 'result'],
      registers,
    }),
    firstTokenSeconds: new Histogram({
      name: 'tidegate_first_token_seconds',
      help: 'Time to the first content of a stream',
      buckets: SECONDS,
      registers,
    }),
  }
}

interface EventCounterOptions {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly [first: string, second?: string]
  /** Values of the only label that are reported as 0 before their first event: `rate()` of Prometheus misses the start of a series. */
  readonly initial?: readonly string[]
  readonly registers: Registry[]
}

/** Counts events by one or two labels as plain numbers. The registry receives the sums when metrics are collected. */
export class EventCounter {
  readonly #counts = new Map<string | number, Map<string, number>>()

  constructor({ name, help, labelNames, initial = [], registers }: EventCounterOptions) {
    const counts = this.#counts
    for (const value of initial) counts.set(value, new Map([['', 0]]))
    const [first, second] = labelNames
    void new Counter({
      name,
      help,
      labelNames: second === undefined ? [first] : [first, second],
      registers,
      collect() {
        this.reset()
        for (const [value, inner] of counts) {
          for (const [other, count] of inner) this.inc({ [first]: value, ...(second && { [second]: other }) }, count)
        }
      },
    })
  }

  add(first: string | number, second = ''): void {
    let inner = this.#counts.get(first)
    if (!inner) this.#counts.set(first, (inner = new Map()))
    inner.set(second, (inner.get(second) ?? 0) + 1)
  }
}

function gauge({ name, help, read }: GaugeSource): Gauge<'state'> {
  return new Gauge({
    name,
    help,
    labelNames: ['state'],
    registers: [],
    collect() {
      const value = read()
      this.reset() // removes states that no longer exist
      if (typeof value === 'number') this.set(value)
      else for (const [state, count] of Object.entries(value)) this.set({ state }, count)
    },
  })
}

export type Metrics = ReturnType<typeof createMetrics>

/** Served only with a token: metrics are confidential. */
export function registerMetrics(
  app: FastifyInstance,
  readMetrics: () => Promise<string>,
  token: string | undefined,
): void {
  if (token === undefined) return
  const expected = Buffer.from(`Bearer ${token}`)
  app.get('/metrics', async (request, reply) => {
    const received = Buffer.from(request.headers.authorization ?? '')
    if (received.length !== expected.length || !timingSafeEqual(received, expected)) return reply.code(401).send('')
    return reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await readMetrics())
  })
}

export function observeApi(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    metrics.apiSeconds.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
}

/** Records events of this process as metrics. */
export function recordEvents(node: Pick<ServerNode, 'observers'>, metrics: Metrics): void {
  node.observers.add((event) => {
    switch (event.kind) {
      case 'request':
        metrics.calls.add(event.outcome)
        break
      case 'attempt':
        metrics.attempts.add(event.channelId, event.outcome)
        break
      case 'implausible-usage':
        metrics.implausibleUsage.add(event.channelId)
        break
      case 'auth-failure':
        metrics.authFailures.add(event.failure)
        break
      case 'audit-forward-failure':
        metrics.auditForwardFailures.add(event.destination)
        break
      case 'export-attempt':
        metrics.exportAttempts.add(event.destination, event.result)
        break
      case 'first-token':
        metrics.firstTokenSeconds.observe(event.milliseconds / 1000)
    }
  })
}

/** Gauges of the queues, pools and circuit breakers of this process. */
export function processGauges(
  node: ServerNode,
  gateway: RunningGateway | undefined,
  jobs: JobMetrics | undefined,
): GaugeSource[] {
  const { pool } = node.storage.database
  const { redis } = node.storage
  const common: GaugeSource[] = [
    {
      name: 'tidegate_catalog_version',
      help: 'Version of the catalog snapshot in use',
      read: () => node.feed.current().version,
    },
    {
      name: 'tidegate_clock_skew_seconds',
      help: 'By how much the clock of this machine is ahead of the clock of the database',
      read: node.clock.skewSeconds,
    },
    {
      name: 'tidegate_database_connections',
      help: 'Connections of the pool; waiting counts queries without a connection',
      read: () => connectionStates(pool),
    },
    ...(redis
      ? [
          {
            name: 'tidegate_redis_ready',
            help: '1 while rate limits are shared',
            read: () => (redis.isReady() ? 1 : 0),
          },
        ]
      : []),
    ...(jobs
      ? [
          {
            name: 'tidegate_audit_forward_lag_seconds',
            help: 'Age of the oldest sealed audit event that a destination does not have, by destination',
            read: jobs.forwarding.lagSeconds,
          },
          {
            name: 'tidegate_export_lag_seconds',
            help: 'Age of the oldest request that waits for delivery to an export destination, of the site and of users',
            read: jobs.exports.lagSeconds,
          },
          {
            name: 'tidegate_export_open_deliveries',
            help: 'Deliveries to export destinations that wait or are being sent, of the site and of users',
            read: jobs.exports.open,
          },
          {
            name: 'tidegate_export_failed_deliveries',
            help: 'Deliveries to export destinations that failed finally within 30 days, of the site and of users',
            read: jobs.exports.failed,
          },
        ]
      : []),
    ...(jobs && node.storage.logs.outbox
      ? [
          {
            name: 'tidegate_log_outbox_bytes',
            help: 'Packed log rows in PostgreSQL that ClickHouse does not have yet; reported by the worker that sends them',
            read: () => jobs.outbox.read('bytes'),
          },
          {
            name: 'tidegate_log_outbox_rows',
            help: 'Log rows that ClickHouse does not have yet',
            read: () => jobs.outbox.read('rows'),
          },
          {
            name: 'tidegate_log_outbox_age_seconds',
            help: 'Age of the oldest log row that ClickHouse does not have yet',
            read: () => jobs.outbox.read('ageSeconds'),
          },
          {
            name: 'tidegate_log_store_up',
            help: '1 while ClickHouse accepts log rows',
            read: () => jobs.outbox.read('isUp'),
          },
        ]
      : []),
  ]
  if (!gateway) return common
  return [
    ...common,
    { name: 'tidegate_open_calls', help: 'Data-plane requests in progress', read: gateway.openRequests },
    {
      name: 'tidegate_waiting_bookings',
      help: 'Requests in the journal that are not settled in the database yet',
      read: () => gateway.journal().settlements,
    },
    {
      name: 'tidegate_journal_bytes',
      help: 'Size of the journal; new requests are rejected at its limit',
      read: () => gateway.journal().bytes,
    },
    {
      name: 'tidegate_journal_disk_free_bytes',
      help: 'Free space on the disk of the journal',
      read: () => gateway.disk().freeBytes ?? {},
    },
    {
      name: 'tidegate_journal_failed_writes',
      help: 'Writes of the journal that failed, since the process started',
      read: () => gateway.disk().failedWrites,
    },
    {
      name: 'tidegate_journal_limit_bytes',
      help: 'Limit of the journal: TIDEGATE_JOURNAL_LIMIT_MB',
      read: () => gateway.journal().limitBytes,
    },
    {
      name: 'tidegate_uncovered_quota',
      help: 'Quota that accounts could not pay for requests that were served, since the process started',
      read: gateway.uncovered,
    },
    {
      name: 'tidegate_waiting_rows',
      help: 'Rows that wait to be written and may be lost with the process, by queue',
      read: () => mapValues(gateway.queues(), ({ waiting }) => waiting),
    },
    {
      name: 'tidegate_dropped_rows',
      help: 'Rows dropped because the database was unavailable for too long, by queue',
      read: () => mapValues(gateway.queues(), ({ dropped }) => dropped),
    },
    {
      name: 'tidegate_open_breakers',
      help: 'Open circuit breakers, each for a channel, model and key',
      read: gateway.openCircuits,
    },
  ]
}

export function connectionStates(pool: Readonly<Record<'totalCount' | 'idleCount' | 'waitingCount', number>>) {
  return { busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }
}

function mapValues<Value>(queues: Readonly<Record<string, Value>>, count: (value: Value) => number) {
  return Object.fromEntries(Object.entries(queues).map(([name, value]) => [name, count(value)]))
}
