import { z } from 'zod'
import { flag, integer, number } from '../define.ts'
import { json, namedMap, namedMapSchema } from '../define-json.ts'
import { baseUrl, line, secret } from '../define-text.ts'
import { GROUP_NAME } from '../operation/groups.ts'
import { STRIPE_CURRENCIES } from './stripe-currencies.ts'

const STRIPE_CURRENCY = new RegExp(`^(${[...STRIPE_CURRENCIES.keys()].join('|')})$`)

const payment = { tab: 'system', section: 'payment' } as const
/** Where payments, their callbacks and the merchant key go. */
const destination = { ...payment, guard: 'reauth' } as const

export const paymentOptions = {
  PayAddress: baseUrl(destination),
  EpayId: line(destination),
  EpayKey: secret(payment),
  /** Blank: callbacks come to the server address. */
  CustomCallbackAddress: baseUrl(destination),
  /** Local currency per dollar. */
  Price: number(payment, 7.3, { above: 0 }),
  /** Dollars. */
  MinTopUp: integer(payment, 1, { min: 1 }),
  TopupGroupRatio: json(
    payment,
    namedMapSchema(z.number().nonnegative(), GROUP_NAME),
    namedMap({ default: 1, vip: 1, svip: 1 }),
  ),
  'stripe.enabled': flag(payment, false),
  'stripe.secret_key': secret(payment),
  'stripe.webhook_secret': secret(payment),
  /** A currency that Stripe accepts, in lower case. */
  'stripe.currency': line(payment, 'usd', { pattern: STRIPE_CURRENCY, blankMeansDefault: true }),
  /** What one dollar of balance costs in that currency. */
  'stripe.unit_price': number(payment, 1, { above: 0 }),
}
