import { randomBytes } from 'node:crypto'

export interface FakeStripeSession {
  id: string
  object: 'checkout.session'
  client_reference_id: string
  metadata: Record<string, string>
  amount_total: number
  currency: string
  status: 'open' | 'complete' | 'expired'
  payment_status: 'unpaid' | 'paid'
  payment_intent: string | null
  expires_at: number
  url: string
  /** Stripe sends one in session objects; nobody may store it. */
  client_secret: string
  customer_details: { email: string }
}

export interface FakeStripeCharge {
  id: string
  object: 'charge'
  payment_intent: string
  amount: number
  amount_refunded: number
  refunded: boolean
  currency: string
  /** Copied from the payment intent. */
  metadata: Record<string, string>
}

export interface FakeStripeDispute {
  id: string
  object: 'dispute'
  charge: string
  payment_intent: string
  amount: number
  currency: string
  reason: string
  status: string
  metadata: Record<string, string>
}

export interface StripeState {
  sessions: Map<string, FakeStripeSession>
  charges: Map<string, FakeStripeCharge>
  disputes: Map<string, FakeStripeDispute>
  idempotent: Map<string, { form: string; session: string }>
  /** Metadata for the payment of a session. */
  paymentMetadata: Map<string, Record<string, string>>
  /** Stripe's own clock, in unix seconds. */
  clock(): number
}

export const newState = (): StripeState => ({
  sessions: new Map(),
  charges: new Map(),
  disputes: new Map(),
  idempotent: new Map(),
  paymentMetadata: new Map(),
  clock: () => Math.floor(Date.now() / 1000),
})

export function newSession(state: StripeState, form: URLSearchParams, url: string): FakeStripeSession {
  const id = `cs_test_${randomBytes(8).toString('hex')}`
  state.paymentMetadata.set(id, fieldsOf(form, 'payment_intent_data[metadata]'))
  const session: FakeStripeSession = {
    id,
    object: 'checkout.session',
    client_reference_id: form.get('client_reference_id') ?? '',
    metadata: fieldsOf(form, 'metadata'),
    amount_total: Number(form.get('line_items[0][price_data][unit_amount]')),
    currency: form.get('line_items[0][price_data][currency]') ?? '',
    status: 'open',
    payment_status: 'unpaid',
    payment_intent: null,
    expires_at: Number(form.get('expires_at') ?? state.clock() + 86_400),
    url: `${url}/pay/${id}`,
    client_secret: `${id}_secret_of_the_payer`,
    customer_details: { email: 'payer@example.com' },
  }
  state.sessions.set(id, session)
  return session
}

/** The charge behind a session that was paid. */
export function chargeOf(state: StripeState, session: FakeStripeSession): FakeStripeCharge {
  const payment = session.payment_intent
  if (!payment) throw new Error('the session has no payment')
  const known = state.charges.get(payment)
  if (known) return known
  const charge: FakeStripeCharge = {
    id: `ch_${randomBytes(8).toString('hex')}`,
    object: 'charge',
    payment_intent: payment,
    amount: session.amount_total,
    amount_refunded: 0,
    refunded: false,
    currency: session.currency,
    metadata: state.paymentMetadata.get(session.id) ?? {},
  }
  state.charges.set(payment, charge)
  return charge
}

/** `name[key]=value` pairs of a form as an object. */
function fieldsOf(form: URLSearchParams, name: string): Record<string, string> {
  const entries = [...form].filter(([key]) => key.startsWith(`${name}[`))
  return Object.fromEntries(entries.map(([key, value]) => [key.slice(name.length + 1, -1), value]))
}
