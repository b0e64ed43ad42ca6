import type { api, Settings } from '@tidegate/contract'
import type { TopUpRow } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'

/** A payment provider. */
export interface PaymentProvider {
  readonly id: string
  /** Payment methods as users choose them. */
  readonly methods: readonly api.PaymentMethod[]
  /** Accepts new payment orders. */
  isEnabled(settings: Settings): boolean
  /** Can verify callbacks. Still needed for orders placed before the provider was disabled. */
  hasSecret(settings: Settings): boolean
  price(settings: Settings): Price
  /** Returns where to pay an order. May call the provider. */
  start(deps: PaymentDeps, order: PaymentOrder): Promise<StartedPayment>
  /** Verifies and reads a callback. Throws `CallbackRejected` when it is not from the provider. */
  readCallback(deps: PaymentDeps, callback: Callback): PaymentReport
  /** Asks the provider about an order. Throws an `ApiError` when it fails. */
  lookUp(deps: PaymentDeps, order: TopUpRow): Promise<PaymentReport>
  /** Asks the provider which order a payment belongs to; blank for a payment of another product. */
  findTradeNo?(deps: PaymentDeps, payment: string): Promise<string>
}

/** Price of one dollar of balance, and the decimals of the currency. */
export interface Price {
  perDollar: number
  currency: string
  decimals: number
}

export interface PaymentDeps extends Pick<Deps, 'log' | 'now'> {
  settings: Settings
  site: Pick<Deps['site'], 'stripeUrl'>
}

export interface PaymentOrder {
  tradeNo: string
  method: api.PaymentMethod
  /** With two decimals. */
  money: string
  currency: string
  /** Product name shown to the payer. */
  title: string
}

export interface StartedPayment {
  url: string
  /** Form fields to post; without them the browser is redirected. */
  form?: Record<string, string>
  /** The provider's id of the order. */
  reference: string
  expiresAt: Date
}

/** A raw callback. */
export interface Callback {
  query: Record<string, string>
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Buffer
}

/** State of a payment from a verified callback or a lookup. */
export interface PaymentReport {
  /** The provider's event id; null for a lookup. */
  eventId: string | null
  type: string
  /** By the provider's clock. */
  occurredAt: Date
  /** Blank when the report names no order of this site. */
  tradeNo: string
  /** The provider's ids of the order and the payment, if known. */
  reference: string
  payment: string
  /** `none`: the report does not concern the payment state. */
  state: 'paid' | 'unpaid' | 'failed' | 'expired' | 'none'
  /** The paid amount with two decimals; blank if unknown. */
  money: string
  currency: string
  reversals: readonly ReportedReversal[]
  /** Stored for the operator: selected fields, without signatures, secrets and personal data. */
  details: Record<string, unknown>
}

/** A refund or dispute in its current state. */
export interface ReportedReversal {
  kind: 'refund' | 'dispute'
  reference: string
  money: string
  currency: string
  /** The share of the whole payment, for payments in another currency. */
  share?: { part: number; whole: number }
  status: string
  active: boolean
  final: boolean
}

/** The callback is not from the provider. */
export class CallbackRejected extends Error {
  override readonly name = 'CallbackRejected'
  readonly outcome: string
  /** The claimed content, for the record. */
  readonly claim: Record<string, unknown>

  constructor(outcome: string, claim: Record<string, unknown> = {}) {
    super(outcome)
    this.outcome = outcome
    this.claim = claim
  }
}
