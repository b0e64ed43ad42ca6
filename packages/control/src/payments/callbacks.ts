import { paymentEvents } from '@tidegate/storage'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import type { Origin } from '../http/actor.ts'
import { applyNews, type Outcome } from './apply-news.ts'
import { epay } from './epay/index.ts'
import { CallbackRefused, type PaymentProvider } from './provider.ts'
import { stripe } from './stripe/index.ts'

/** Forged callbacks of one address that are worth a row; past that they are only refused. */
const FORGERIES = { limit: 30, windowSeconds: 3600 }

/** What the provider should hear: yes for what needs no further word from it. */
const SETTLED: ReadonlySet<Outcome> = new Set(['credited', 'repeated', 'unpaid', 'not_ours'])

/**
 * Where payment services report. Their calls are no calls of ours: plain text or an empty answer, forms or signed bytes,
 * and no budget per address, since all of a service's come from a few.
 */
export function registerPaymentCallbacks(
  app: FastifyInstance,
  deps: Deps,
  originOf: (request: FastifyRequest) => Origin,
): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    const hear = (provider: PaymentProvider, request: FastifyRequest) => hearCallback(deps, provider, request, originOf)
    const config = { unmetered: true }

    scope.route({
      method: ['GET', 'POST'],
      url: '/api/user/epay/notify',
      config,
      handler: async (request, reply) => {
        void reply.type('text/plain; charset=utf-8')
        return (await hear(epay, request)) ? 'success' : 'fail'
      },
    })
    scope.post('/api/payment/stripe/webhook', { config }, async (request, reply) => {
      const heard = await hear(stripe, request)
      return reply.code(heard ? 200 : 400).send({ received: heard })
    })
  })
}

async function hearCallback(
  deps: Deps,
  provider: PaymentProvider,
  request: FastifyRequest,
  originOf: (request: FastifyRequest) => Origin,
): Promise<boolean> {
  const { clientIp } = originOf(request)
  const { catalog, log, now, site } = deps
  const context = { settings: catalog().settings, log, now, site }
  try {
    const news = provider.readCallback(context, {
      query: textsOf(request.query),
      headers: request.headers,
      body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    })
    const outcome = await applyNews(deps, news, { provider, kind: 'callback', clientIp })
    const settled = SETTLED.has(outcome)
    if (!settled) log.warn({ provider: provider.id, outcome, tradeNo: news.tradeNo }, 'a payment callback was refused')
    return settled
  } catch (error) {
    if (!(error instanceof CallbackRefused)) throw error
    await rememberForgery(deps, provider, error, clientIp)
    return false
  }
}

async function rememberForgery(
  { db, limiter, log }: Pick<Deps, 'db' | 'limiter' | 'log'>,
  provider: PaymentProvider,
  { outcome, claim }: CallbackRefused,
  clientIp: string,
): Promise<void> {
  const verdict = await limiter.take([{ key: `payment-forgery:${clientIp}`, ...FORGERIES }])
  if (!verdict.allowed) return
  log.warn({ provider: provider.id, outcome, clientIp }, 'a payment callback was refused')
  const details = JSON.stringify(claim).length > 4000 ? {} : claim
  await paymentEvents.record(db, { topUpId: null, provider: provider.id, kind: 'callback', outcome, details, clientIp })
}

/** A parameter given twice is nobody's honest callback; the last one counts, and the signature decides. */
function textsOf(query: unknown): Record<string, string> {
  const entries = Object.entries((query ?? {}) as Record<string, unknown>)
  return Object.fromEntries(entries.map(([name, value]) => [name, String(Array.isArray(value) ? value.at(-1) : value)]))
}
