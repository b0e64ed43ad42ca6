import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { pageFields, pageOf, pageQuery, readPage, UNIFORM_PAGING } from '../../paging.ts'
import { Id, OptionalInteger, OptionalText, Quota, UnixSeconds } from '../../values.ts'

/** Payment methods: Alipay and WeChat Pay through an epay gateway, or Stripe Checkout. */
export const PAYMENT_METHODS = ['zfb', 'wx', 'stripe'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

export const TopUpInfo = z.object({
  /** Configured methods; empty if online top-up is off. */
  methods: z.array(
    z.object({
      id: z.enum(PAYMENT_METHODS),
      /** Price of one dollar of balance before the group ratio, and its currency. */
      price: z.number(),
      currency: z.string(),
    }),
  ),
  /** Minimum amount. Amounts are in dollars, or in points if the site displays points. */
  min_amount: z.int(),
  /** Link to a shop for redemption codes; blank if not set. */
  top_up_link: z.string(),
})
export type TopUpInfo = z.output<typeof TopUpInfo>

export const getTopUpInfo = endpoint({
  method: 'GET',
  path: '/api/user/topup/info',
  access: 'user',
  summary: 'Returns the enabled payment methods and the minimum amount.',
  reply: TopUpInfo,
  errors: [],
})

/** Accepts any value: these two endpoints return the reason of an error in `data`, as clients expect. */
const Amount = { amount: z.unknown().meta({ type: 'integer' }), top_up_code: z.string().optional() }
const RejectedTopUp = z.object({ message: z.literal('error'), data: z.string() })

export const quoteTopUp = endpoint({
  method: 'POST',
  path: '/api/user/amount',
  access: 'user',
  summary: 'Returns the price of a top-up amount.',
  scope: 'read',
  body: z.object({ ...Amount, payment_method: z.string().optional() }),
  reply: z.union([z.object({ message: z.literal('success'), data: z.string() }), RejectedTopUp]),
  bare: true,
  errors: [],
})

export const startTopUp = endpoint({
  method: 'POST',
  path: '/api/user/pay',
  access: 'user',
  summary: 'Creates a payment order and returns where to pay it.',
  body: z.object({ ...Amount, payment_method: z.string().default('') }),
  reply: z.union([
    z.object({
      message: z.literal('success'),
      /** Fields of the form to send to `url`. */
      data: z.record(z.string(), z.string()),
      url: z.string(),
      /** GET: the browser is redirected. */
      method: z.enum(['POST', 'GET']),
    }),
    RejectedTopUp,
  ]),
  bare: true,
  errors: [],
})

/** The last three apply to orders that were credited before. */
export const ORDER_STATUSES = [
  'pending',
  'success',
  'expired',
  'failed',
  'partly_refunded',
  'refunded',
  'disputed',
] as const

export const TopUpOrder = z.object({
  id: Id,
  user_id: z.int(),
  username: z.string(),
  trade_no: z.string(),
  provider: z.string(),
  payment_method: z.string(),
  quota: Quota,
  /** With two decimals. */
  money: z.string(),
  currency: z.string(),
  status: z.enum(ORDER_STATUSES),
  /** Refunded or disputed money; `0.00` if none. */
  reversed_money: z.string(),
  /** Quota for that money. */
  reversed_quota: Quota,
  /** The part of it that the balance did not cover; collected later. */
  owed_quota: Quota,
  created_at: UnixSeconds,
  /** 0 until it is paid. */
  completed_at: UnixSeconds,
  expires_at: UnixSeconds,
})
export type TopUpOrder = z.output<typeof TopUpOrder>

export const listOwnOrders = endpoint({
  method: 'GET',
  path: '/api/user/topup/orders',
  access: 'user',
  summary: 'Lists your payment orders, newest first.',
  query: pageQuery(UNIFORM_PAGING),
  reply: pageOf(TopUpOrder),
  errors: [],
})

const filters = { user_id: OptionalInteger, status: OptionalText, provider: OptionalText, trade_no: OptionalText }
const paging = UNIFORM_PAGING

export const listOrders = endpoint({
  method: 'GET',
  path: '/api/topup',
  access: 'admin',
  summary: 'Lists payment orders of all users, newest first.',
  query: z
    .object({ ...filters, ...pageFields(paging) })
    .partial()
    .transform((query) => ({ filters: z.object(filters).partial().parse(query), page: readPage(query, paging) })),
  reply: pageOf(TopUpOrder),
  errors: [],
})

/** An event of a payment provider about an order, and its outcome. */
export const PaymentEvent = z.object({
  id: Id,
  created_at: UnixSeconds,
  /** A webhook of the provider, or a query by us. */
  kind: z.enum(['callback', 'recheck']),
  /** Event type of the provider; blank for a query. */
  type: z.string(),
  /** Time of the provider; 0 if unknown. */
  occurred_at: UnixSeconds,
  /** `credited`, `reversed`, `restored`, `recorded`, `repeated`, `unpaid`, `expired`, `failed`, or why it was rejected. */
  outcome: z.string(),
  /** How often the provider delivered it. */
  deliveries: z.int(),
  /** Without signatures and secrets. */
  details: z.record(z.string(), z.unknown()),
  client_ip: z.string(),
})

export const OrderDetail = TopUpOrder.extend({
  provider_reference: z.string(),
  /** The provider's id of the payment. */
  payment_reference: z.string(),
  /** The inviter's rebate that was reversed, and the part of it that is owed. */
  rebate_reversed: Quota,
  rebate_owed: Quota,
  events: z.array(PaymentEvent),
})
export type OrderDetail = z.output<typeof OrderDetail>

export const getOrder = endpoint({
  method: 'GET',
  path: '/api/topup/{id}',
  access: 'admin',
  summary: 'Returns a payment order with all events of its payment provider.',
  reply: OrderDetail,
  errors: ['order_not_found'],
})

export const recheckOrder = endpoint({
  method: 'POST',
  path: '/api/topup/{id}/recheck',
  access: 'admin',
  summary: 'Queries the payment provider about an order and credits it if it was paid.',
  reply: OrderDetail,
  errors: ['order_not_found', 'payment_closed', 'payment_unreachable'],
})
