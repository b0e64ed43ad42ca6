import cookie from '@fastify/cookie'
import { ENDPOINTS, openApiDocument, type OpenApiDocument } from '@tidegate/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DEVICE_COOKIE } from './auth/login/known-devices.ts'
import { registerAuth } from './auth/routes.ts'
import { registerChannels, registerProviderCalls } from './channels/routes.ts'
import { createSweeps } from './channels/sweeps/sweep.ts'
import { registerContent } from './content/routes.ts'
import { registerCustomFiles, registerTrustedPages } from './content/custom-pages.ts'
import { registerAudit } from './audit/routes.ts'
import { registerConfigFile, registerSettings, registerStatus } from './settings/routes.ts'
import { registerOverview } from './overview/routes.ts'
import { registerExports } from './exports/routes.ts'
import { registerUsage } from './usage/routes.ts'
import type { Deps } from './deps.ts'
import { registerModels } from './models/routes.ts'
import { createDirectMails } from './messaging/mail/direct-mails.ts'
import { registerMessaging } from './messaging/routes.ts'
import { createUnreadFeed } from './messaging/messages/unread-feed.ts'
import { isUnavailable } from '@tidegate/storage'
import { pushKey } from './messaging/push/vapid.ts'
import { registerPaymentCallbacks } from './billing/payments/callbacks.ts'
import { registerBilling } from './billing/routes.ts'
import { registerAccount } from './account/routes.ts'
import { registerShadow } from './shadow/routes.ts'
import { redirectTelegramWidget } from './auth/oauth/telegram.ts'
import { registerBatches } from './tasks/batch-routes.ts'
import { registerTasks } from './tasks/routes.ts'
import { registerTokens } from './tokens/routes.ts'
import { registerUsers } from './users/routes.ts'
import type { Origin } from './http/actor.ts'
import { createApiRateLimit } from './api-rate-limit.ts'
import { createClientAddress, createSecureCheck, isFromThisMachine } from './http/client-address.ts'
import { readSiteCookie } from './http/cookies.ts'
import { collectRoutes, rejectUnknownRequest, renderError } from './http/render-error.ts'
import { endEventsOnClose } from './http/send-stream.ts'
import { createServe, type Serve } from './serve.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Does not count against the limit of `/api`. */
    unmetered?: boolean
  }
}

/** Registers every `/api` endpoint of the contract. */
export async function registerApi(app: FastifyInstance, deps: Deps): Promise<void> {
  // Created before the first request, so that reading it changes nothing. A site that starts without the database has it.
  await pushKey(deps).catch((error: unknown) => {
    if (!isUnavailable(error)) throw error
  })
  await app.register(cookie)
  acceptJson(app)
  endEventsOnClose(app)
  app.setErrorHandler(renderError(deps))
  const routes = collectRoutes(app)

  const clientAddress = createClientAddress(deps.site.trustedProxies)
  const isSecure = createSecureCheck(deps.site.trustedProxies)
  const originOf = ({ raw, headers, cookies, id }: FastifyRequest): Origin => {
    const { settings } = deps.catalog()
    const secure = { isSecure: isSecure(raw, settings) }
    return {
      ...secure,
      clientIp: clientAddress(raw, settings),
      isLocal: isFromThisMachine(raw),
      deviceCookie: readSiteCookie(cookies, secure, DEVICE_COOKIE),
      userAgent: (headers['user-agent'] ?? '').slice(0, 512),
      requestId: id,
    }
  }
  const rateLimit = createApiRateLimit(deps)
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('Cache-Control', 'no-store')
    if (!request.routeOptions.config.unmetered) await rateLimit.admit(request, originOf(request))
  })
  redirectTelegramWidget(app)

  const bound = new Set<unknown>()
  const bind = createServe({ app, originOf, rateLimit, ...deps })
  const serve: Serve = (endpoint, handler) => {
    bound.add(endpoint)
    bind(endpoint, handler)
  }
  /** For queries over many rows. */
  const reports = { ...deps, db: deps.reportsDb, logs: deps.reportLogs }
  registerStatus(serve, deps)
  const mails = createDirectMails(deps)
  app.addHook('onClose', () => mails.stop())
  registerAuth(serve, { ...deps, mails })
  registerAudit(serve, deps)
  registerContent(serve, deps)
  registerCustomFiles(app, deps)
  registerTrustedPages(app, deps)
  const sweeps = createSweeps(reports)
  app.addHook('onClose', () => sweeps.stop())
  registerChannels(serve, deps)
  registerProviderCalls(serve, deps, sweeps)
  registerUsage(serve, reports)
  registerExports(serve, deps)
  registerOverview(serve, reports)
  registerModels(serve, deps, reports)
  const unread = createUnreadFeed(deps)
  app.addHook('onClose', async () => unread.stop())
  registerMessaging(serve, deps, unread)
  registerBilling(serve, deps, reports)
  registerPaymentCallbacks(app, deps, originOf)
  registerAccount(serve, deps)
  registerSettings(serve, deps, mails)
  registerConfigFile(serve, { ...reports, mails })
  registerShadow(serve, reports)
  registerTasks(serve, deps)
  registerBatches(serve, deps)
  registerTokens(serve, deps)
  registerUsers(serve, deps)
  const unbound = ENDPOINTS.filter(({ endpoint }) => !bound.has(endpoint)).map(({ name }) => name)
  if (unbound.length > 0) throw new Error(`endpoints of the contract that nothing serves: ${unbound.join(', ')}`)

  // Composed when first requested: it takes longer than the rest of the registration.
  let document: OpenApiDocument | undefined
  app.get('/api/openapi.json', () => (document ??= openApiDocument({ version: deps.site.version })))
  const onRequest = rejectUnknownRequest(routes)
  app.all('/api', { onRequest }, () => {})
  app.all('/api/*', { onRequest }, () => {})
}

/** `readJsonBody` parses the bytes once the caller is authenticated. */
function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers() // other sites could post plain text and forms
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
}
