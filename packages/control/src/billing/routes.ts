import { api, ApiError, errorMessage, toPage, type PageRequest } from '@tidegate/contract'
import {
  type PaymentOrderFilters,
  paymentEvents,
  type RedemptionFilters,
  redemptions,
  type StatementFilters,
  type StatementRow,
  statements,
  topUps,
  users,
} from '@tidegate/storage'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { checkTurnstile } from '../auth/turnstile.ts'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { requestLanguage } from '../http/read-request.ts'
import type { Serve } from '../serve.ts'
import { outranks } from '../users/user-rules.ts'
import { applyPaymentEvent } from './payments/apply-payment-event.ts'
import {
  enabledProviders,
  orderDetail,
  orderView,
  placeOrder,
  PROVIDERS,
  quoteOrder,
} from './payments/payment-orders.ts'
import { minimumAmount } from './payments/price-order.ts'
import { codeView } from './redemption-codes/code-fields.ts'
import { createCodes, disableCodes, removeCodes, updateCode } from './redemption-codes/manage-codes.ts'
import { redeem } from './redemption-codes/redeem.ts'
import { statementCsv } from './statement-csv.ts'

/** Payment orders, redemption codes and statements. `reports` has a database with a longer deadline. */
export function registerBilling(serve: Serve, deps: Deps, reports: Deps): void {
  registerPayments(serve, deps)
  registerRedemptionCodes(serve, reports)
  registerStatements(serve, reports)
}

/** Payment orders. */
function registerPayments(serve: Serve, deps: Deps): void {
  const { db } = deps
  serve(api.getTopUpInfo, () => topUpInfo(deps))
  serve(api.quoteTopUp, ({ actor, body, request }) =>
    withLegacyErrors(deps, request, async () => {
      const { money } = await quoteOrder(deps, actor, { amount: body.amount, method: body.payment_method })
      return { message: 'success' as const, data: money }
    }),
  )
  serve(api.startTopUp, ({ actor, body, request }) =>
    withLegacyErrors(deps, request, async () => {
      const { url, form } = await placeOrder(deps, actor, { amount: body.amount, method: body.payment_method })
      return { message: 'success' as const, data: form ?? {}, url, method: form ? ('POST' as const) : ('GET' as const) }
    }),
  )

  const list = async (filters: PaymentOrderFilters, page: PageRequest) => {
    const [rows, total] = await Promise.all([topUps.page(db, filters, page), topUps.count(db, filters)])
    return toPage(rows.map(orderView), total, page)
  }
  serve(api.listOwnOrders, ({ actor, query }) => list({ user_id: actor.id }, query))
  serve(api.listOrders, ({ query }) => list(query.filters, query.page))
  serve(api.getOrder, ({ params }) => readOrder(deps, params.id!))
  serve(api.recheckOrder, ({ actor, params, origin }) => recheckOrder(deps, actor, params.id!, origin))
}

function topUpInfo({ catalog }: Pick<Deps, 'catalog'>): api.TopUpInfo {
  const { settings } = catalog()
  const methods = enabledProviders(settings).flatMap((provider) => {
    const { perDollar, currency } = provider.price(settings)
    return provider.methods.map((id) => ({ id, price: perDollar, currency }))
  })
  return { methods, min_amount: minimumAmount(settings), top_up_link: settings.TopUpLink }
}

/** These two endpoints return errors in their own format, which is older than the envelope. */
async function withLegacyErrors<Result>(
  deps: Pick<Deps, 'catalog'>,
  request: FastifyRequest,
  work: () => Promise<Result>,
): Promise<Result | { message: 'error'; data: string }> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error // the order may have been placed
    return { message: 'error', data: errorMessage(error.code, requestLanguage(deps, request), error.details) }
  }
}

async function readOrder({ db }: Pick<Deps, 'db'>, id: number): Promise<api.OrderDetail> {
  const order = await topUps.find(db, { id })
  if (!order) throw new ApiError('order_not_found')
  return orderDetail(order, await paymentEvents.listOf(db, id))
}

/** Asks the provider and applies the result, in case a callback never arrived. */
async function recheckOrder(deps: Deps, actor: Actor, id: number, origin: Origin): Promise<api.OrderDetail> {
  const { db, catalog, log, now, site } = deps
  const order = await topUps.find(db, { id })
  if (!order) throw new ApiError('order_not_found')
  const { settings } = catalog()
  const provider = PROVIDERS.find((one) => one.id === order.provider)
  if (!provider) throw new ApiError('payment_closed')
  const report = await provider.lookUp({ settings, log, now, site }, order)
  const by = { actorId: actor.id, origin }
  await applyPaymentEvent(deps, report, { provider, kind: 'recheck', clientIp: origin.clientIp, by })
  return readOrder(deps, id)
}

const { unused, disabled, used } = api.REDEMPTION_STATUS

/** Redemption codes, for administrators and users. */
function registerRedemptionCodes(serve: Serve, deps: Deps): void {
  const { db, vault } = deps
  const list = async (choice: RedemptionFilters, page: PageRequest) => {
    const [rows, total] = await Promise.all([redemptions.page(db, choice, page), redemptions.count(db, choice)])
    return toPage(
      rows.map((row) => codeView(vault, row)),
      total,
      page,
    )
  }
  serve(api.listRedemptions, ({ query }) => list({}, query))
  const hashesOf = (keyword?: string) => (keyword === undefined ? [] : vault.keyedHashes('redemption-code', keyword))
  serve(api.searchRedemptions, ({ query: { filters, page } }) =>
    list({ ...filters, keyHashes: hashesOf(filters.keyword) }, page),
  )
  serve(api.getRedemptionSummary, async ({ query: { keyword } }) => {
    const choice = { keyword, keyHashes: hashesOf(keyword) }
    const [counts, expired] = await Promise.all([
      redemptions.countByStatus(db, choice),
      redemptions.count(db, { ...choice, expired: true }),
    ])
    const countOf = (status: number) => counts.find((row) => row.status === status)?.count ?? 0
    return {
      all: counts.reduce((sum, { count }) => sum + count, 0),
      unused: countOf(unused),
      disabled: countOf(disabled),
      used: countOf(used),
      expired,
    }
  })
  serve(api.getRedemption, async ({ params }) => {
    const row = await redemptions.find(db, params.id!)
    if (!row) throw new ApiError('redemption_not_found')
    return codeView(vault, row)
  })
  serve(api.createRedemptions, ({ actor, body, origin }) => createCodes(deps, actor, body, origin))
  serve(api.updateRedemption, ({ actor, body, query, origin }) =>
    updateCode(deps, actor, body, { statusOnly: query.status_only }, origin),
  )
  serve(api.disableRedemptions, ({ actor, body, origin }) => disableCodes(deps, actor, body.ids, origin))

  serve(api.deleteRedemption, async ({ actor, params, origin }) => {
    const count = await removeCodes(deps, actor, { ids: [params.id!] }, origin)
    if (count === 0) throw new ApiError('redemption_not_found')
  })
  serve(api.deleteDisabledRedemptions, ({ actor, origin }) => removeCodes(deps, actor, { status: disabled }, origin))
  serve(api.deleteUsedRedemptions, ({ actor, origin }) => removeCodes(deps, actor, { status: used }, origin))
  serve(api.countRedemptionsByName, ({ query }) => redemptions.count(db, { name: readName(query) }))
  serve(api.deleteRedemptionsByName, ({ actor, query, origin }) =>
    removeCodes(deps, actor, { name: readName(query) }, origin),
  )

  serve(api.redeem, async (call) => {
    await checkTurnstile(deps, call, ['redeem'], { remember: false })
    return redeem(deps, call.actor, call.body.key, call.origin)
  })
}

/** Without a name the filter would match all codes. */
function readName({ name }: { name?: string | undefined }): string {
  if (name === undefined) throw new ApiError('redemption_name_invalid')
  return name
}

/** Account statements, for users and administrators. */
function registerStatements(serve: Serve, deps: Deps): void {
  const { db, now } = deps
  const list = async (userId: number, filters: StatementFilters, page: PageRequest, view: View) => {
    const { rows, total } = await statements.page(db, userId, now(), filters, page)
    return toPage(rows.map(view), total, page)
  }
  const file = async (userId: number, filters: StatementFilters, reply: FastifyReply, view: View) => {
    const { rows } = await statements.page(db, userId, now(), filters, { limit: MAX_LINES, offset: 0 })
    void reply.type('text/csv; charset=utf-8')
    void reply.header('Content-Disposition', `attachment; filename="statement-${userId}.csv"`)
    return statementCsv(rows.map(view), deps.catalog().settings)
  }

  serve(api.listOwnStatement, ({ actor, query }) => list(actor.id, query.filters, query.page, ownLine))
  serve(api.exportOwnStatement, ({ actor, query, reply }) => file(actor.id, query.filters, reply, ownLine))
  serve(api.listStatement, async ({ actor, params, query }) => {
    await checkRank(deps, actor, params.id!)
    return list(params.id!, query.filters, query.page, fullLine)
  })
  serve(api.exportStatement, async ({ actor, params, query, reply }) => {
    await checkRank(deps, actor, params.id!)
    return file(params.id!, query.filters, reply, fullLine)
  })
}

type View = (row: StatementRow) => api.StatementLine

/** Eleven years of hourly lines. */
const MAX_LINES = 100_000

/** Deregistered users are included. */
async function checkRank({ db }: Pick<Deps, 'db'>, actor: Actor, userId: number): Promise<void> {
  const user = await users.findById(db, userId)
  if (!user) throw new ApiError('user_not_found')
  if (!outranks(actor, user)) throw new ApiError('rank_read')
}

function fullLine(row: StatementRow): api.StatementLine {
  return {
    created_at: Math.floor(row.at.getTime() / 1000),
    kind: row.kind,
    amount: row.amount,
    balance: row.balance,
    reference: row.reference,
    requests: row.requests,
    actor_id: row.actor_id ?? 0,
    actor: row.actor ?? '',
  }
}

/** Users do not see which administrator acted. */
function ownLine(row: StatementRow): api.StatementLine {
  return { ...fullLine(row), actor_id: 0, actor: '' }
}
