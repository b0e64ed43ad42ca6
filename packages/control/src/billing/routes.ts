import { api, errorMessage, pageAnswer, ApiError, type PageRequest } from '@tidegate/contract'
import { paymentEvents, topUps, type OrderFilters } from '@tidegate/storage'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { requestLanguage } from '../http/read-request.ts'
import type { Serve } from '../serve.ts'
import { applyPaymentReport } from './payments/apply-payment-event.ts'
import { orderDetail, orderView } from './payments/order-view.ts'
import { placeOrder, quoteOrder } from './payments/payment-orders.ts'
import { leastAmount } from './payments/price-order.ts'
import { openProviders, PROVIDERS } from './payments/providers.ts'

/** Orders for balance and the services that take the money. */
export function registerPayments(serve: Serve, deps: Deps): void {
  const { db } = deps
  serve(api.getTopUpInfo, () => topUpInfo(deps))
  serve(api.quoteTopUp, ({ actor, body, request }) =>
    inOldWords(deps, request, async () => {
      const { money } = await quoteOrder(deps, actor, { amount: body.amount, method: body.payment_method })
      return { message: 'success' as const, data: money }
    }),
  )
  serve(api.startTopUp, ({ actor, body, request }) =>
    inOldWords(deps, request, async () => {
      const { url, form } = await placeOrder(deps, actor, { amount: body.amount, method: body.payment_method })
      return { message: 'success' as const, data: form ?? {}, url, method: form ? ('POST' as const) : ('GET' as const) }
    }),
  )

  const list = async (filters: OrderFilters, page: PageRequest) => {
    const [rows, total] = await Promise.all([topUps.page(db, filters, page), topUps.count(db, filters)])
    return pageAnswer(rows.map(orderView), total, page)
  }
  serve(api.listOwnOrders, ({ actor, query }) => list({ user_id: actor.id }, query))
  serve(api.listOrders, ({ query }) => list(query.filters, query.page))
  serve(api.getOrder, ({ params }) => readOrder(deps, params.id!))
  serve(api.recheckOrder, ({ actor, params, origin }) => recheckOrder(deps, actor, params.id!, origin))
}

function topUpInfo({ catalog }: Pick<Deps, 'catalog'>): api.TopUpInfo {
  const { settings } = catalog()
  const methods = openProviders(settings).flatMap((provider) => {
    const { perDollar, currency } = provider.price(settings)
    return provider.methods.map((id) => ({ id, price: perDollar, currency }))
  })
  return { methods, min_amount: leastAmount(settings), top_up_link: settings.TopUpLink }
}

/** These two calls tell a refusal where their answer would be, since before there was an envelope. */
async function inOldWords<Answer>(
  deps: Pick<Deps, 'catalog'>,
  request: FastifyRequest,
  work: () => Promise<Answer>,
): Promise<Answer | { message: 'error'; data: string }> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error // the order may have been made
    return { message: 'error', data: errorMessage(error.code, requestLanguage(deps, request), error.details) }
  }
}

async function readOrder({ db }: Pick<Deps, 'db'>, id: number): Promise<api.OrderDetail> {
  const order = await topUps.find(db, { id })
  if (!order) throw new ApiError('order_not_found')
  return orderDetail(order, await paymentEvents.listOf(db, id))
}

/** Asks the provider, and credits what it says was paid: for callbacks that never came. */
async function recheckOrder(deps: Deps, actor: Actor, id: number, origin: Origin): Promise<api.OrderDetail> {
  const { db, catalog, log, now, site } = deps
  const order = await topUps.find(db, { id })
  if (!order) throw new ApiError('order_not_found')
  const { settings } = catalog()
  const provider = PROVIDERS.find((one) => one.id === order.provider)
  if (!provider) throw new ApiError('payment_closed')
  const report = await provider.lookUp({ settings, log, now, site }, order)
  const by = { actorId: actor.id, origin }
  await applyPaymentReport(deps, report, { provider, kind: 'recheck', clientIp: origin.clientIp, by })
  return readOrder(deps, id)
}
