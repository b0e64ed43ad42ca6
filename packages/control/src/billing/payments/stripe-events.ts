import { STRIPE_CURRENCIES } from '@tidegate/contract'
import type Stripe from 'stripe'
import type { PaymentReport, ReportedReversal } from './provider.ts'

const SESSION_STATES: Record<string, PaymentReport['state'] | undefined> = {
  'checkout.session.completed': 'paid',
  'checkout.session.async_payment_succeeded': 'paid',
  'checkout.session.async_payment_failed': 'failed',
  'checkout.session.expired': 'expired',
}
/** The bank has decided, or the inquiry ended without a dispute. */
const CLOSED = new Set(['won', 'lost', 'warning_closed', 'prevented'])
/** The money was withdrawn. An inquiry (`warning_…`) withdraws none. */
const MONEY_TAKEN = new Set(['needs_response', 'under_review', 'lost', 'charge_refunded'])

export function readStripeEvent(event: Stripe.Event): PaymentReport {
  const source = {
    eventId: event.id,
    type: event.type as string,
    occurredAt: new Date(event.created * 1000),
    details: { event: event.id, type: event.type },
  }
  const state = SESSION_STATES[event.type]
  if (state) return { ...readSession(event.data.object as Stripe.Checkout.Session, source, state) }
  if (event.type === 'charge.refunded') return readCharge(event.data.object, source)
  if (event.type.startsWith('charge.dispute.')) return readDispute(event.data.object as Stripe.Dispute, source)
  if (event.type === 'payment_intent.payment_failed') {
    // One declined card; the payer can still use another.
    const { id, metadata } = event.data.object
    return { ...EMPTY, ...source, tradeNo: metadata['trade_no'] ?? '', payment: id, state: 'unpaid' }
  }
  return { ...EMPTY, ...source }
}

type Source = Pick<PaymentReport, 'eventId' | 'type' | 'occurredAt' | 'details'>

const EMPTY = {
  tradeNo: '',
  reference: '',
  payment: '',
  state: 'none',
  money: '',
  currency: '',
  reversals: [],
} as const satisfies Partial<PaymentReport>

/**
 * Only the metadata names the order, because this site wrote it: payment links let anybody choose the
 * `client_reference_id`.
 */
export function readSession(
  session: Stripe.Checkout.Session,
  source: Source,
  state: PaymentReport['state'],
): PaymentReport {
  const currency = (session.currency ?? '').toUpperCase()
  const isPaid = session.payment_status === 'paid'
  return {
    ...EMPTY,
    ...source,
    tradeNo: session.metadata?.['trade_no'] ?? '',
    reference: session.id,
    payment: idOf(session.payment_intent),
    state: state === 'paid' && !isPaid ? 'unpaid' : state,
    money: fromMinor(session.amount_total, currency),
    currency,
    details: {
      ...source.details,
      session: session.id,
      payment: idOf(session.payment_intent),
      payment_status: session.payment_status,
      amount: session.amount_total,
      currency,
    },
  }
}

function readCharge(charge: Stripe.Charge, source: Source): PaymentReport {
  return {
    ...EMPTY,
    ...source,
    tradeNo: charge.metadata['trade_no'] ?? '',
    payment: idOf(charge.payment_intent),
    reversals: [refundOf(charge)],
    details: {
      ...source.details,
      charge: charge.id,
      payment: idOf(charge.payment_intent),
      amount: charge.amount,
      amount_refunded: charge.amount_refunded,
      currency: charge.currency.toUpperCase(),
    },
  }
}

function readDispute(dispute: Stripe.Dispute, source: Source): PaymentReport {
  return {
    ...EMPTY,
    ...source,
    payment: idOf(dispute.payment_intent),
    reversals: [disputeOf(dispute)],
    details: {
      ...source.details,
      dispute: dispute.id,
      dispute_status: dispute.status,
      reason: dispute.reason,
      charge: idOf(dispute.charge),
      payment: idOf(dispute.payment_intent),
      amount: dispute.amount,
      currency: dispute.currency.toUpperCase(),
    },
  }
}

/** All refunds of a charge; Stripe reports their sum. */
export function refundOf(charge: Stripe.Charge): ReportedReversal {
  const currency = charge.currency.toUpperCase()
  return {
    kind: 'refund',
    reference: charge.id,
    money: fromMinor(charge.amount_refunded, currency),
    currency,
    share: { part: charge.amount_refunded, whole: charge.amount },
    status: charge.refunded ? 'refunded' : 'partly_refunded',
    active: charge.amount_refunded > 0,
    final: false,
  }
}

export function disputeOf(dispute: Stripe.Dispute): ReportedReversal {
  const currency = dispute.currency.toUpperCase()
  return {
    kind: 'dispute',
    reference: dispute.id,
    money: fromMinor(dispute.amount, currency),
    currency,
    status: dispute.status,
    active: MONEY_TAKEN.has(dispute.status),
    final: CLOSED.has(dispute.status),
  }
}

function idOf(value: string | { id: string } | null): string {
  return typeof value === 'string' ? value : (value?.id ?? '')
}

/** Converts an amount with two decimals to Stripe's minor units. */
export function toMinor(money: string, currency: string): number {
  const hundredths = BigInt(money.replace('.', ''))
  return Number((hundredths * 10n ** BigInt(exponentOf(currency))) / 100n)
}

/** Blank for amounts that no order of this site can have. */
function fromMinor(amount: number | null, currency: string): string {
  if (amount === null || !Number.isSafeInteger(amount) || amount < 0) return ''
  const exponent = BigInt(exponentOf(currency))
  const hundredths = BigInt(amount) * 100n
  if (hundredths % 10n ** exponent !== 0n) return ''
  const digits = String(hundredths / 10n ** exponent).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

function exponentOf(currency: string): number {
  return STRIPE_CURRENCIES.get(currency.toLowerCase())?.exponent ?? 2
}
