import type { IncomingMessage, ServerResponse } from 'node:http'
import compress from '@fastify/compress'
import { createSecureCheck, registerApi, renderRouterError, type Deps } from '@tidegate/control'
import fastify, { type FastifyInstance } from 'fastify'
import type { Logger } from '../observability/logging.ts'
import type { RunningGateway } from '../roles/gateway.ts'
import { createAccessLog, type AccessLog } from './access-log.ts'
import { findConsole, registerConsole } from './console-files.ts'
import { findDocs, registerDocs } from './docs-files.ts'
import { registerHealth, type Readiness } from './health.ts'
import type { ResponseDrain } from './drain-responses.ts'
import { observeApi, registerMetrics, type Metrics } from '../observability/prometheus.ts'
import { newRequestId } from './request-id.ts'
import { securityHeaders } from './security-headers.ts'
import { createServerWithTimeouts } from './slow-client-timeouts.ts'

interface HttpParts {
  log: Logger
  gateway: RunningGateway | undefined
  control: Deps | undefined
  readiness: Readiness
  responseDrain: ResponseDrain
  metrics: Metrics
  metricsToken: string | undefined
  /** The address to write into the access log; absent when it is not logged. */
  addressOf: ((request: IncomingMessage) => string) | undefined
}

const API_BODY_LIMIT = 1024 * 1024
/** Longer than balancers keep a connection that is idle, mostly a minute: whoever sends calls must be the one to close it. */
const IDLE_CONNECTION_MS = 75_000

/** One port for everything this process does. Calls of the data plane go to the gateway before the framework sees them. */
export async function createHttpServer(parts: HttpParts): Promise<FastifyInstance> {
  const { gateway, control, readiness, responseDrain: lastAnswers, metrics, log, addressOf } = parts
  const accessLog = createAccessLog(log, addressOf)
  const app = fastify({
    serverFactory: (handler) =>
      createServerWithTimeouts(
        {
          keepAliveTimeout: IDLE_CONNECTION_MS,
          // Every other offer, as the h2c of Java clients, is served as HTTP/1.1.
          shouldUpgradeCallback: (request) => gateway?.acceptsUpgrade(request) ?? false,
        },
        lastAnswers.watch(gateway ? gatewayFirst(gateway, handler, accessLog) : handler),
      ),
    genReqId: () => newRequestId(),
    bodyLimit: API_BODY_LIMIT,
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: false },
    forceCloseConnections: 'idle',
    return503OnClosing: false, // what got in before the door closed is served
    ...(control && { frameworkErrors: renderRouterError(control) }),
  })
  const isSecure = control && createSecureCheck(control.site.trustedProxies)
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('X-Request-Id', request.id)
    if (!control || !isSecure) return
    const isApi = request.url.startsWith('/api/')
    void reply.headers(securityHeaders({ isSecure: isSecure(request.raw, control.catalog().settings), isApi }))
  })
  if (gateway) handleUpgrades(app, gateway)
  registerHealth(app, readiness)
  registerMetrics(app, metrics, parts.metricsToken)
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
  else log.warn({}, 'the console is not built: run `npm run build`')
}

/** Realtime sessions. Node before 24.9 does not ask which requests may upgrade. */
function handleUpgrades(app: FastifyInstance, gateway: RunningGateway): void {
  app.server.on('upgrade', (request, socket, head) => {
    if (gateway.acceptsUpgrade(request)) void gateway.upgrade(request, socket, head, newRequestId())
    else socket.destroy()
  })
}

function gatewayFirst(
  gateway: RunningGateway,
  framework: (request: IncomingMessage, response: ServerResponse) => void,
  accessLog: AccessLog,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    if (!gateway.matches(request)) return framework(request, response)
    const requestId = newRequestId()
    accessLog(request, response, requestId)
    void gateway.handle(request, response, requestId)
  }
}
