import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

const SECONDS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** A figure that is asked for only when somebody reads it. */
export interface Watched {
  readonly name: string
  readonly help: string
  /** One value, or one for each state of something. */
  read(): number | Readonly<Record<string, number>>
}

/** What an operator watches. Labels are few and bounded: never a user, a token or a path with an id in it. */
export function createMetrics(watched: readonly Watched[]) {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  for (const figure of watched) registry.registerMetric(gauge(figure))
  return {
    registry,
    apiSeconds: new Histogram({
      name: 'tidegate_api_seconds',
      help: 'Time to answer control-plane calls',
      labelNames: ['method', 'route', 'status'],
      buckets: SECONDS,
      registers,
    }),
    calls: new Counter({
      name: 'tidegate_calls_total',
      help: 'Data-plane calls by how they ended',
      labelNames: ['outcome'],
      registers,
    }),
    attempts: new Counter({
      name: 'tidegate_attempts_total',
      help: 'Attempts on channels by how they ended',
      labelNames: ['channel', 'outcome'],
      registers,
    }),
    implausibleUsage: new Counter({
      name: 'tidegate_implausible_usage_total',
      help: 'Responses that reported more tokens than their model can use',
      labelNames: ['channel'],
      registers,
    }),
    authFailures: new Counter({
      name: 'tidegate_auth_failures_total',
      help: 'Failed logins, second factors and re-authentications, forbidden calls and rejected addresses',
      labelNames: ['kind'],
      registers,
    }),
    auditForwardFailures: new Counter({
      name: 'tidegate_audit_forward_failures_total',
      help: 'Failed attempts to forward audit events, by destination',
      labelNames: ['destination'],
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

function gauge({ name, help, read }: Watched): Gauge<'state'> {
  return new Gauge({
    name,
    help,
    labelNames: ['state'],
    registers: [],
    collect() {
      const value = read()
      this.reset() // a state that is gone has no value
      if (typeof value === 'number') this.set(value)
      else for (const [state, count] of Object.entries(value)) this.set({ state }, count)
    },
  })
}

export type Metrics = ReturnType<typeof createMetrics>

/** Only with a token: figures tell a stranger too much. */
export function registerMetrics(app: FastifyInstance, metrics: Metrics, token: string | undefined): void {
  if (token === undefined) return
  const wanted = Buffer.from(`Bearer ${token}`)
  app.get('/metrics', async (request, reply) => {
    const given = Buffer.from(request.headers.authorization ?? '')
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return reply.code(401).send('')
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  })
}

export function observeApi(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    metrics.apiSeconds.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
}
