import type { api, Settings } from '@tidegate/contract'
import type { TopUpRow } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'

/** A payment provider. Each one is a folder that exports one of these. */
export interface PaymentProvider {
  readonly id: string
  /** What people choose; the provider has its own name for each. */
  readonly methods: readonly api.PaymentMethod[]
  /** Accepts new payment orders. */
  isEnabled(settings: Settings): boolean
  /** Can verify callbacks. Orders that were placed before the provider was switched off still need it. */
  hasSecret(settings: Settings): boolean
  price(settings: Settings): Price
  /** Where to pay an order. May call the provider. */
  start(deps: PaymentDeps, order: PaymentOrder): Promise<StartedPayment>
  /** Verifies a callback and reads it. Throws `CallbackRefused` when it is not from the provider. */
  readCallback(deps: PaymentDeps, callback: Callback): PaymentReport
  /** Asks the provider about an order. Throws a ApiError when it cannot answer. */
  lookUp(deps: PaymentDeps, order: TopUpRow): Promise<PaymentReport>
  /** Asks the provider which order a payment belongs to; blank for a payment of another product. */
  findTradeNo?(deps: PaymentDeps, payment: string): Promise<string>
}

/** What one dollar of balance costs, and to how many decimals money is paid in that currency. */
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
  /** For people: what they buy. */
  title: string
}

export interface StartedPayment {
  url: string
  /** Fields to post there; without them the browser simply goes there. */
  form?: Record<string, string>
  /** What the provider calls the order. */
  reference: string
  expiresAt: Date
}

/** A callback as it came. */
export interface Callback {
  query: Record<string, string>
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Buffer
}

/** What the provider says about a payment: by a verified callback, or when it is asked. */
export interface PaymentReport {
  /** The provider's name of the event; null when it was asked. */
  eventId: string | null
  type: string
  /** By the provider's clock. */
  occurredAt: Date
  /** Blank when the report names no order of this site. */
  tradeNo: string
  /** The provider's names of the order and of the payment, where the report has them. */
  reference: string
  payment: string
  /** `none`: the report is not about whether the order is paid. */
  state: 'paid' | 'unpaid' | 'failed' | 'expired' | 'none'
  /** What was paid, with two decimals; blank where the provider does not say. */
  money: string
  currency: string
  reversals: readonly ReportedReversal[]
  /** Stored for the operator: selected fields, without signatures, secrets and personal data. */
  details: Record<string, unknown>
}

/** A refund or a dispute as the provider describes it now. */
export interface ReportedReversal {
  kind: 'refund' | 'dispute'
  reference: string
  money: string
  currency: string
  /** The part of the whole payment, for a payer who paid in another currency. */
  share?: { part: number; whole: number }
  status: string
  active: boolean
  final: boolean
}

/** The provider did not send this. */
export class CallbackRejected extends Error {
  override readonly name = 'CallbackRefused'
  readonly outcome: string
  /** What it claimed, for the record. */
  readonly claim: Record<string, unknown>

  constructor(outcome: string, claim: Record<string, unknown> = {}) {
    super(outcome)
    this.outcome = outcome
    this.claim = claim
  }
}
