import { ApiError, STRIPE_CURRENCIES, type Settings, logEvent } from '@tidegate/contract'
import Stripe from 'stripe'
import { serverAddress } from '../../settings/site-status.ts'
import { CallbackRejected, type PaymentDeps, type PaymentProvider } from './provider.ts'
import { disputeOf, refundOf, readStripeEvent, readSession, toMinor } from './stripe-events.ts'

const TIMEOUT_MS = 15_000
/** Allowed seconds between Stripe's signature and our clock. */
const SIGNATURE_TOLERANCE = 300
/** Orders expire this long after their Stripe session, because our clock may be ahead. */
const EXPIRY_MARGIN_MS = 3_600_000

/** Stripe Checkout: each order is a session with our trade number. */
export const stripe: PaymentProvider = {
  id: 'stripe',
  methods: ['stripe'],
  isEnabled: (settings) =>
    settings['stripe.enabled'] &&
    settings['stripe.secret_key'] !== '' &&
    stripe.hasSecret(settings) &&
    STRIPE_CURRENCIES.has(settings['stripe.currency']),
  hasSecret: (settings) => settings['stripe.webhook_secret'] !== '',

  price: (settings) => ({
    perDollar: settings['stripe.unit_price'],
    currency: settings['stripe.currency'].toUpperCase(),
    decimals: STRIPE_CURRENCIES.get(settings['stripe.currency'])?.decimals ?? 2,
  }),

  async start(deps, { tradeNo, money, currency, title }) {
    const home = serverAddress(deps.settings)
    const metadata = { trade_no: tradeNo }
    const price_data = {
      currency: currency.toLowerCase(),
      unit_amount: toMinor(money, currency),
      product_data: { name: title },
    }
    const session = await callStripe(deps, { tradeNo }, (client) =>
      client.checkout.sessions.create(
        {
          mode: 'payment',
          client_reference_id: tradeNo,
          metadata,
          // Charges and refunds carry the metadata of the payment, not of the session.
          payment_intent_data: { metadata },
          line_items: [{ quantity: 1, price_data }],
          success_url: `${home}/app/wallet/topup-success`,
          cancel_url: `${home}/app/wallet`,
          // No `expires_at`: Stripe sets 24 hours by its own clock and rejects more.
        },
        { idempotencyKey: tradeNo },
      ),
    )
    if (!session.url) throw new ApiError('payment_unreachable')
    const expiresAt = new Date(session.expires_at * 1000 + EXPIRY_MARGIN_MS)
    return { url: session.url, reference: session.id, expiresAt }
  },

  readCallback({ settings, now }, { headers, body }) {
    if (!stripe.hasSecret(settings)) throw new CallbackRejected('payment_closed')
    return readStripeEvent(verifyEvent(settings, body, headers['stripe-signature'], now()))
  },

  async lookUp(deps, { trade_no: tradeNo, provider_reference }) {
    if (deps.settings['stripe.secret_key'] === '') throw new ApiError('payment_closed')
    // Without the charge, a refunded payment without an event would be credited.
    const session = await callStripe(deps, { tradeNo }, ({ checkout: { sessions } }) =>
      sessions.retrieve(provider_reference, { expand: ['payment_intent.latest_charge'] }),
    )
    const payment = session.payment_intent as Stripe.PaymentIntent | null
    const disputes = payment
      ? await callStripe(deps, { tradeNo }, (client) => client.disputes.list({ payment_intent: payment.id }))
      : { data: [] }
    const charge = payment?.latest_charge as Stripe.Charge | null | undefined
    const occurredAt = new Date(session.lastResponse.headers['date'] ?? deps.now())
    const source = { eventId: null, type: '', occurredAt, details: {} }
    return {
      ...readSession(session, source, session.status === 'expired' ? 'expired' : 'paid'),
      reversals: [...(charge ? [refundOf(charge)] : []), ...disputes.data.map(disputeOf)],
    }
  },

  async findTradeNo(deps, payment) {
    if (deps.settings['stripe.secret_key'] === '') return ''
    const sessions = await callStripe(deps, { payment }, (client) =>
      client.checkout.sessions.list({ payment_intent: payment, limit: 1 }).catch((error: unknown) => {
        if (!(error instanceof Stripe.errors.StripePermissionError)) throw error
        // Repeating the event would not help.
        logEvent(deps.log, 'payment.permission_missing', { provider: 'stripe', resource: 'checkout sessions' })
        return { data: [] }
      }),
    )
    return sessions.data[0]?.metadata?.['trade_no'] ?? ''
  },
}

/** The library verifies the signature of the raw bytes and its age. */
function verifyEvent(
  settings: Settings,
  body: Buffer,
  signature: string | string[] | undefined,
  now: Date,
): Stripe.Event {
  try {
    const secret = settings['stripe.webhook_secret']
    return Stripe.webhooks.constructEvent(body, signature ?? '', secret, SIGNATURE_TOLERANCE, undefined, now.getTime())
  } catch {
    throw new CallbackRejected('wrong_signature')
  }
}

async function callStripe<Result>(
  { settings, site, log }: PaymentDeps,
  subject: Record<string, string>,
  request: (client: Stripe) => Promise<Result>,
): Promise<Result> {
  const { protocol, hostname, port } = new URL(site.stripeUrl)
  const client = new Stripe(settings['stripe.secret_key'], {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    port: port || (protocol === 'http:' ? 80 : 443),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
    // Uses `fetch`, which the egress allow list covers.
    httpClient: Stripe.createFetchHttpClient(),
  })
  try {
    return await request(client)
  } catch (cause) {
    const { code, type } = cause as Partial<Stripe.errors.StripeError>
    logEvent(log, 'payment.provider_call_failed', { provider: 'stripe', code, type, ...subject })
    if (code === 'amount_too_small') throw new ApiError('payment_too_small')
    if (code === 'amount_too_large') throw new ApiError('payment_too_large')
    throw new ApiError('payment_unreachable')
  }
}
