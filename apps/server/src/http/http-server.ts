import type { IncomingMessage, RequestListener } from 'node:http'
import { logEvent } from '@tidegate/contract'
import compress from '@fastify/compress'
import { createSecureCheck, registerApi, renderRouterError, type Deps } from '@tidegate/control'
import fastify, { type FastifyInstance } from 'fastify'
import type { Logger } from '../observability/logging.ts'
import type { RunningGateway } from '../roles/gateway.ts'
import { createAccessLog, type AccessLog } from './access-log.ts'
import { findConsole, registerConsole } from './console-files.ts'
import { findDocs, registerDocs } from './docs-files.ts'
import { registerHealth, type ReadinessReport } from './health.ts'
import type { ResponseDrain } from './drain-responses.ts'
import { observeApi, registerMetrics, type Metrics } from '../observability/prometheus.ts'
import { newRequestId } from './request-id.ts'
import { securityHeaders } from './security-headers.ts'
import { createServerWithTimeouts } from './slow-client-timeouts.ts'

export interface HttpParts {
  log: Logger
  gateway: RunningGateway | undefined
  control: Deps | undefined
  readReadiness: () => Promise<ReadinessReport>
  responseDrain: ResponseDrain
  metrics: Metrics
  readMetrics: () => Promise<string>
  metricsToken: string | undefined
  /** Part of request ids. */
  cell: string
  /** Client address for the access log; undefined when it is not logged. */
  addressOf: ((request: IncomingMessage) => string) | undefined
  /** Replaces the handler of all requests that are not for the gateway, except those of monitoring. */
  forward?: RequestListener | undefined
  /** Wraps the handler of all requests. */
  accept?: ((handler: RequestListener) => RequestListener) | undefined
}

const API_BODY_LIMIT = 1024 * 1024
/** Longer than the idle timeout of load balancers (usually a minute): the side that sends requests must close first. */
const IDLE_CONNECTION_MS = 75_000

/** One port for all roles of this process. Data plane requests go to the gateway and bypass the framework. */
export async function createHttpServer(parts: HttpParts): Promise<FastifyInstance> {
  const { gateway, control, responseDrain, metrics, cell, log, addressOf, accept = (handler) => handler } = parts
  const accessLog = createAccessLog(log, addressOf)
  const app = fastify({
    serverFactory: (handler) =>
      createServerWithTimeouts(
        {
          keepAliveTimeout: IDLE_CONNECTION_MS,
          // Other upgrade offers, such as h2c of Java clients, are served as HTTP/1.1.
          shouldUpgradeCallback: (request) => gateway?.acceptsUpgrade(request) ?? false,
        },
        responseDrain.watch(
          accept(gateway ? gatewayFirst(gateway, monitoringOr(parts.forward, handler), { accessLog, cell }) : handler),
        ),
      ),
    genReqId: () => newRequestId(cell),
    bodyLimit: API_BODY_LIMIT,
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: false },
    forceCloseConnections: 'idle',
    return503OnClosing: false, // requests accepted before the stop are served
    ...(control && { frameworkErrors: renderRouterError(control) }),
  })
  const isSecure = control && createSecureCheck(control.site.trustedProxies)
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('X-Request-Id', request.id)
    if (!control || !isSecure) return
    const isApi = request.url.startsWith('/api/')
    void reply.headers(securityHeaders({ isSecure: isSecure(request.raw, control.catalog().settings), isApi }))
  })
  if (gateway) handleUpgrades(app, gateway, cell)
  registerHealth(app, parts.readReadiness)
  registerMetrics(app, parts.readMetrics, parts.metricsToken)
  if (control) await registerControl(app, control, metrics, { log, accessLog })
  return app
}

async function registerControl(
  app: FastifyInstance,
  control: Deps,
  metrics: Metrics,
  { log, accessLog }: { log: Logger; accessLog: AccessLog },
): Promise<void> {
  await app.register(async (api) => {
    await api.register(compress, { encodings: ['gzip'], threshold: 1024 })
    observeApi(api, metrics)
    api.addHook('onRequest', async (request, reply) => accessLog(request.raw, reply.raw, request.id))
    await registerApi(api, control)
  })
  const docs = findDocs()
  if (docs) await registerDocs(app, docs)
  const directory = findConsole()
  if (directory) await registerConsole(app, directory, () => control.catalog().settings)
  else logEvent(log, 'server.console_missing')
}

/** Accepts realtime sessions. Node before 24.9 does not call `shouldUpgradeCallback`. */
function handleUpgrades(app: FastifyInstance, gateway: RunningGateway, cell: string): void {
  app.server.on('upgrade', (request, socket, head) => {
    if (gateway.acceptsUpgrade(request)) void gateway.upgrade(request, socket, head, newRequestId(cell))
    else socket.destroy()
  })
}

const MONITORING = /^\/(healthz|readyz|metrics)\/?(\?|$)/

function monitoringOr(forward: RequestListener | undefined, framework: RequestListener): RequestListener {
  if (!forward) return framework
  return (request, response) => (MONITORING.test(request.url ?? '') ? framework : forward)(request, response)
}

function gatewayFirst(
  gateway: RunningGateway,
  framework: RequestListener,
  { accessLog, cell }: { accessLog: AccessLog; cell: string },
): RequestListener {
  return (request, response) => {
    if (!gateway.matches(request)) return framework(request, response)
    const requestId = newRequestId(cell)
    accessLog(request, response, requestId)
    void gateway.handle(request, response, requestId)
  }
}
