import { randomBytes } from 'node:crypto'

interface StripeCall {
  method: string
  url: URL
  form: URLSearchParams
  idempotencyKey: string
}

/** Handles the API calls that Checkout needs, with the status codes and errors that Stripe documents. */
export function handleStripeCall(
  state: StripeState,
  call: StripeCall,
  address: string,
): [status: number, body: object] {
  const { method, url } = call
  const { pathname, searchParams } = url
  if (method === 'POST' && pathname === '/v1/checkout/sessions') return createSession(state, call, address)
  if (method !== 'GET') return failure(404, 'resource_missing', 'Unrecognized request')
  const payment = searchParams.get('payment_intent')
  if (pathname === '/v1/checkout/sessions')
    return [200, list([...state.sessions.values()].filter((one) => one.payment_intent === payment))]
  if (pathname === '/v1/disputes')
    return [200, list([...state.disputes.values()].filter((one) => one.payment_intent === payment))]
  const session = state.sessions.get(pathname.split('/').at(-1) ?? '')
  if (!session || !pathname.startsWith('/v1/checkout/sessions/'))
    return failure(404, 'resource_missing', 'No such session')
  return [
    200,
    expandSession(
      state,
      session,
      [...searchParams].filter(([name]) => name.startsWith('expand')).map(([, path]) => path),
    ),
  ]
}

function createSession(state: StripeState, { form, idempotencyKey }: StripeCall, address: string): [number, object] {
  const known = state.idempotent.get(idempotencyKey)
  if (idempotencyKey && known) {
    if (known.form !== form.toString())
      return failure(
        400,
        'idempotency_key_in_use',
        'Keys can only be used with the same parameters',
        'idempotency_error',
      )
    return [200, state.sessions.get(known.session)!]
  }
  const problem = sessionProblem(form, state.clock())
  if (problem) return failure(400, problem.code, problem.message)
  const session = newSession(state, form, address)
  if (idempotencyKey) state.idempotent.set(idempotencyKey, { form: form.toString(), session: session.id })
  return [200, session]
}

function expandSession(state: StripeState, session: FakeStripeSession, paths: readonly string[]): object {
  const charge = session.payment_intent ? state.charges.get(session.payment_intent) : undefined
  if (!charge || !paths.includes('payment_intent.latest_charge')) return session
  return {
    ...session,
    payment_intent: { id: session.payment_intent, object: 'payment_intent', latest_charge: charge },
  }
}

const list = (data: readonly object[]) => ({ object: 'list', data, has_more: false, url: '/v1' })

const failure = (status: number, code: string, message: string, type = 'invalid_request_error'): [number, object] => [
  status,
  { error: { type, code, message } },
]

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
  /** Part of session objects; clients must not store it. */
  client_secret: string
  customer_details: { email: string }
}

interface FakeStripeCharge {
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
  /** Stripe's clock, in unix seconds. */
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

function newSession(state: StripeState, form: URLSearchParams, url: string): FakeStripeSession {
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

/** The charge of a paid session. */
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

/**
 * Checks of Stripe before it creates a Checkout Session. Independent of the product's table; from
 * https://docs.stripe.com/currencies and https://docs.stripe.com/api/checkout/sessions/create.
 */
const ZERO_DECIMAL = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
const THREE_DECIMAL = new Set('bhd jod kwd omr tnd'.split(' '))
/** Two decimals in the API, but only whole units are accepted. */
const WHOLE_UNITS = new Set(['isk', 'ugx'])
/** In minor units. Other currencies need the equivalent of 0.50 USD, which this fake does not compute. */
const MINIMUM: Record<string, number> = {
  usd: 50,
  aed: 200,
  aud: 50,
  brl: 50,
  cad: 50,
  chf: 50,
  czk: 1500,
  dkk: 250,
  eur: 50,
  gbp: 30,
  hkd: 400,
  huf: 17_500,
  inr: 50,
  jpy: 50,
  mxn: 1000,
  myr: 200,
  nok: 300,
  nzd: 50,
  pln: 200,
  ron: 200,
  sek: 300,
  sgd: 50,
  thb: 1000,
}
const KNOWN = new Set([...Object.keys(MINIMUM), ...ZERO_DECIMAL, ...THREE_DECIMAL, ...WHOLE_UNITS])
for (const code of 'afn all amd ars bdt bgn bob cny cop crc egp etb gel idr ils kes kzt lak lbp mmk mnt ngn pen php pkr qar rsd sar sos std thb try twd tzs uah uyu uzs yer zar'.split(
  ' ',
))
  KNOWN.add(code)

interface StripeProblem {
  code: string
  message: string
}

function sessionProblem(form: URLSearchParams, now: number): StripeProblem | undefined {
  const currency = form.get('line_items[0][price_data][currency]') ?? ''
  const amount = Number(form.get('line_items[0][price_data][unit_amount]'))
  const problem = (code: string, message: string) => ({ code, message })
  if (form.get('mode') !== 'payment') return problem('parameter_invalid', 'Unsupported mode')
  if (!KNOWN.has(currency)) return problem('invalid_currency', `Invalid currency: ${currency}`)
  if (!Number.isSafeInteger(amount) || amount <= 0) return problem('parameter_invalid_integer', 'Invalid integer')
  if (amount > 99_999_999 && currency !== 'idr') return problem('amount_too_large', 'Amount has too many digits')
  if (amount < (MINIMUM[currency] ?? 1)) return problem('amount_too_small', 'Amount is below the minimum')
  if (WHOLE_UNITS.has(currency) && amount % 100 !== 0)
    return problem('invalid_charge_amount_no_decimal_compatible', 'Amount must be divisible by 100')
  if (THREE_DECIMAL.has(currency) && amount % 10 !== 0)
    return problem('invalid_charge_amount', 'The last digit must be 0')
  const expiresAt = form.get('expires_at')
  if (expiresAt !== null && (Number(expiresAt) < now + 1800 || Number(expiresAt) >= now + 86_400))
    return problem('parameter_invalid', '`expires_at` must be 30 minutes to 24 hours after creation')
  return undefined
}
