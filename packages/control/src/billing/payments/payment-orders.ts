import { randomInt } from 'node:crypto'
import { type api, ApiError, type Settings } from '@tidegate/contract'
import { type paymentEvents, type TopUpRow, topUps, users } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import type { Actor } from '../../http/actor.ts'
import { epay } from './epay.ts'
import { type PricedOrder, priceOrder } from './price-order.ts'
import type { PaymentProvider, StartedPayment } from './provider.ts'
import { stripe } from './stripe.ts'

const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const RANDOM_LENGTH = 6
/** Limits scripts that place orders without paying. */
const MAX_PENDING = 100

type OrderDeps = Pick<Deps, 'db' | 'catalog' | 'log' | 'now' | 'site'>

interface OrderRequest {
  amount: unknown
  /** Default: the first enabled method. */
  method?: string | undefined
}

/** What a user would pay. */
export async function quoteOrder(deps: OrderDeps, actor: Actor, request: OrderRequest): Promise<PricedOrder> {
  return price(deps, actor, request, findProvider(deps, request.method))
}

/** Places an order and returns where to pay it. Its value is fixed now, whatever the options say later. */
export async function placeOrder(deps: OrderDeps, actor: Actor, request: OrderRequest): Promise<StartedPayment> {
  const { db, catalog, log, now, site } = deps
  const { settings } = catalog()
  const provider = findProvider(deps, request.method ?? '')
  const priced = await price(deps, actor, request, provider)
  if ((await topUps.countPendingOf(db, actor.id)) >= MAX_PENDING) throw new ApiError('rate_limited', { seconds: 3600 })

  const method = request.method as api.PaymentMethod
  const { currency } = provider.price(settings)
  const tradeNo = newTradeNo(actor.id, now())
  const id = await topUps.insert(db, {
    user_id: actor.id,
    trade_no: tradeNo,
    ...priced,
    currency,
    payment_method: method,
    provider: provider.id,
    expires_at: new Date(now().getTime() + 86_400_000),
  })
  const title = `TUC${String(request.amount)}`
  const order = { tradeNo, method, money: priced.money, currency, title }
  const started = await provider.start({ settings, log, now, site }, order).catch(async (error: unknown) => {
    await topUps.endUnpaid(db, id, 'failed') // the order cannot be paid
    throw error
  })
  await topUps.setReference(db, id, started.reference, started.expiresAt)
  return started
}

function findProvider({ catalog }: Pick<Deps, 'catalog'>, method: string | undefined): PaymentProvider {
  const open = enabledProviders(catalog().settings)
  const found = open.find(({ methods }) => method === undefined || (methods as readonly string[]).includes(method))
  if (!found) throw new ApiError('payment_closed')
  return found
}

async function price(
  { db, catalog }: Pick<Deps, 'db' | 'catalog'>,
  actor: Actor,
  { amount }: OrderRequest,
  provider: PaymentProvider,
): Promise<PricedOrder> {
  const { settings } = catalog()
  const user = await users.findById(db, actor.id)
  if (!user) throw new ApiError('user_not_found')
  return priceOrder(amount, { price: provider.price(settings), group: user.group, settings })
}

function newTradeNo(userId: number, now: Date): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return `USR${userId}NO${random}${Math.floor(now.getTime() / 1000)}`
}

export function orderView(row: TopUpRow): api.TopUpOrder {
  return {
    id: row.id,
    user_id: row.user_id,
    username: row.username,
    trade_no: row.trade_no,
    provider: row.provider,
    payment_method: row.payment_method,
    quota: row.quota,
    money: row.money,
    currency: row.currency,
    status: row.reversal || row.status,
    reversed_money: row.reversed_money,
    reversed_quota: row.reversed_quota,
    owed_quota: row.owed_quota,
    created_at: seconds(row.created_at),
    completed_at: seconds(row.completed_at),
    expires_at: seconds(row.expires_at),
  }
}

type EventRow = Awaited<ReturnType<typeof paymentEvents.listOf>>[number]

export function orderDetail(row: TopUpRow, events: readonly EventRow[]): api.OrderDetail {
  return {
    ...orderView(row),
    provider_reference: row.provider_reference,
    payment_reference: row.payment_reference,
    rebate_reversed: row.rebate_reversed,
    rebate_owed: row.rebate_owed,
    events: events.map(({ id, created_at, occurred_at, kind, type, outcome, deliveries, details, client_ip }) => ({
      id,
      created_at: seconds(created_at),
      occurred_at: seconds(occurred_at),
      kind,
      type,
      outcome,
      deliveries,
      details,
      client_ip,
    })),
  }
}

function seconds(time: Date | null): number {
  return time === null ? 0 : Math.floor(time.getTime() / 1000)
}

export const PROVIDERS: readonly PaymentProvider[] = [epay, stripe]

export function enabledProviders(settings: Settings): PaymentProvider[] {
  return PROVIDERS.filter((provider) => provider.isEnabled(settings))
}
