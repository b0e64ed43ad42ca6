import { Refusal, type Settings } from '@tidegate/contract'
import Stripe from 'stripe'
import { serverAddress } from '../../access/server-address.ts'
import { CallbackRefused, type PaymentDeps, type PaymentNews, type PaymentProvider } from '../provider.ts'

const SESSION_HOURS = 24
const TIMEOUT_MS = 15_000
const PAID_EVENTS = new Set(['checkout.session.completed', 'checkout.session.async_payment_succeeded'])

/** Stripe's own checkout page: the order is a session there, named by our trade number. */
export const stripe: PaymentProvider = {
  id: 'stripe',
  methods: ['stripe'],
  isOpen: (settings) =>
    settings['stripe.enabled'] &&
    settings['stripe.secret_key'] !== '' &&
    settings['stripe.webhook_secret'] !== '' &&
    decimalsOf(settings['stripe.currency']) <= 2, // a few currencies have three; no order of ours can hold them
  price: (settings) => ({
    perDollar: settings['stripe.unit_price'],
    currency: settings['stripe.currency'].toUpperCase(),
    decimals: decimalsOf(settings['stripe.currency']),
  }),

  async start(deps, { tradeNo, money, currency, title }) {
    const { settings, now } = deps
    const home = serverAddress(settings)
    const expiresAt = new Date(now().getTime() + SESSION_HOURS * 3_600_000)
    const session = await ask(deps, tradeNo, (client) =>
      client.checkout.sessions.create(
        {
          mode: 'payment',
          client_reference_id: tradeNo,
          metadata: { trade_no: tradeNo },
          line_items: [
            {
              quantity: 1,
              price_data: {
                currency: currency.toLowerCase(),
                unit_amount: toMinor(money, currency),
                product_data: { name: title },
              },
            },
          ],
          success_url: `${home}/app/wallet/topup-success`,
          cancel_url: `${home}/app/wallet`,
          expires_at: Math.floor(expiresAt.getTime() / 1000),
        },
        { idempotencyKey: tradeNo },
      ),
    )
    if (!session.url) throw new Refusal('payment_unreachable')
    return { url: session.url, reference: session.id, expiresAt }
  },

  readCallback({ settings }, { headers, body }) {
    if (!stripe.isOpen(settings)) throw new CallbackRefused('payment_closed')
    const event = readEvent(settings, body, headers['stripe-signature'])
    if (!PAID_EVENTS.has(event.type)) return aboutNothing(event)
    return newsOf(event.data.object as Stripe.Checkout.Session, { event: event.id, type: event.type })
  },

  async lookUp(deps, { trade_no, provider_reference }) {
    const session = await ask(deps, trade_no, (client) => client.checkout.sessions.retrieve(provider_reference))
    return newsOf(session, { session: session.id })
  },
}

/** The library checks the signature over the raw bytes, and that it is not older than five minutes. */
function readEvent(settings: Settings, body: Buffer, signature: string | string[] | undefined): Stripe.Event {
  try {
    return Stripe.webhooks.constructEvent(body, signature ?? '', settings['stripe.webhook_secret'])
  } catch {
    throw new CallbackRefused('wrong_signature')
  }
}

function newsOf(session: Stripe.Checkout.Session, source: Record<string, unknown>): PaymentNews {
  const currency = (session.currency ?? '').toUpperCase()
  return {
    tradeNo: session.client_reference_id ?? '',
    paid: session.payment_status === 'paid',
    money: session.amount_total === null ? '' : fromMinor(session.amount_total, currency),
    currency,
    details: { ...source, session: session.id, payment_status: session.payment_status, amount: session.amount_total },
  }
}

function aboutNothing({ id, type }: Stripe.Event): PaymentNews {
  return { tradeNo: '', paid: false, money: '', currency: '', details: { event: id, type } }
}

async function ask<Answer>(
  { settings, site, log }: PaymentDeps,
  tradeNo: string,
  question: (client: Stripe) => Promise<Answer>,
): Promise<Answer> {
  const { protocol, hostname, port } = new URL(site.stripeUrl)
  const client = new Stripe(settings['stripe.secret_key'], {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    port: port || (protocol === 'http:' ? 80 : 443),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
  })
  try {
    return await question(client)
  } catch (cause) {
    const { code, type } = cause as Partial<Stripe.errors.StripeError>
    log.warn({ code, type, tradeNo }, 'Stripe could not be asked')
    throw new Refusal('payment_unreachable')
  }
}

/** Stripe counts in the smallest unit; some currencies have no smaller one than themselves. */
function toMinor(money: string, currency: string): number {
  return decimalsOf(currency) === 0 ? Number(money) : Number(money.replace('.', ''))
}

function fromMinor(amount: number, currency: string): string {
  return decimalsOf(currency) === 0 ? amount.toFixed(2) : (amount / 100).toFixed(2)
}

function decimalsOf(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}
