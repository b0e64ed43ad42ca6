import { ApiError, logEvent } from '@tidegate/contract'
import { paymentEvents } from '@tidegate/storage'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import type { Origin } from '../../http/actor.ts'
import { addressLimits } from '../../http/rate-limits.ts'
import { applyPaymentEvent, FINAL_OUTCOMES, type Outcome } from './apply-payment-event.ts'
import { epay } from './epay.ts'
import { CallbackRejected, type PaymentProvider } from './provider.ts'
import { stripe } from './stripe.ts'

/** Forged callbacks per address that are recorded; further ones are only rejected. */
const FORGERY_LIMIT = { limit: 30, windowSeconds: 3600 }

/**
 * Callbacks of payment providers. They use plain text or empty responses, forms or signed bytes, and have no rate limit
 * per address, because a provider uses few addresses.
 */
export function registerPaymentCallbacks(
  app: FastifyInstance,
  deps: Deps,
  originOf: (request: FastifyRequest) => Origin,
): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    const handle = (provider: PaymentProvider, request: FastifyRequest) =>
      handleCallback(deps, provider, request, originOf)
    const config = { unmetered: true }

    scope.route({
      method: ['GET', 'POST'],
      url: '/api/user/epay/notify',
      config,
      handler: async (request, reply) => {
        void reply.type('text/plain; charset=utf-8')
        return FINAL_OUTCOMES.has(await handle(epay, request)) ? 'success' : 'fail'
      },
    })
    scope.post('/api/payment/stripe/webhook', { config }, async (request, reply) => {
      // Stripe repeats an event for days after any other status and then disables the endpoint.
      const isGenuine = (await handle(stripe, request)) !== 'rejected'
      return reply.code(isGenuine ? 200 : 400).send({ received: isGenuine })
    })
  })
}

async function handleCallback(
  deps: Deps,
  provider: PaymentProvider,
  request: FastifyRequest,
  originOf: (request: FastifyRequest) => Origin,
): Promise<Outcome | 'rejected'> {
  const { clientIp } = originOf(request)
  const { catalog, log, now, site } = deps
  const context = { settings: catalog().settings, log, now, site }
  try {
    const report = provider.readCallback(context, {
      query: textsOf(request.query),
      headers: request.headers,
      body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    })
    const outcome = await applyPaymentEvent(deps, report, { provider, kind: 'callback', clientIp })
    if (!FINAL_OUTCOMES.has(outcome))
      logEvent(log, 'payment.event_rejected', { provider: provider.id, outcome, tradeNo: report.tradeNo })
    return outcome
  } catch (error) {
    // Some errors have status 200 for the console. The provider must see a failure to repeat the event.
    if (error instanceof ApiError) throw new Error(error.code, { cause: error })
    if (!(error instanceof CallbackRejected)) throw error
    await recordForgery(deps, provider, error, clientIp)
    return 'rejected'
  }
}

async function recordForgery(
  { db, limiter, log }: Pick<Deps, 'db' | 'limiter' | 'log'>,
  provider: PaymentProvider,
  { outcome, claim }: CallbackRejected,
  clientIp: string,
): Promise<void> {
  const taken = await limiter.take(addressLimits('payment-forgery', clientIp, FORGERY_LIMIT))
  if (!taken.allowed) return
  logEvent(log, 'payment.event_rejected', { provider: provider.id, outcome, clientIp })
  const details = JSON.stringify(claim).length > 4000 ? {} : claim
  await paymentEvents.record(db, { topUpId: null, provider: provider.id, kind: 'callback', outcome, details, clientIp })
}

/** Repeated parameters: the last one counts, and the signature decides. */
function textsOf(query: unknown): Record<string, string> {
  const entries = Object.entries((query ?? {}) as Record<string, unknown>)
  return Object.fromEntries(entries.map(([name, value]) => [name, String(Array.isArray(value) ? value.at(-1) : value)]))
}
