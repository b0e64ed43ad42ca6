import { api } from '@tidegate/contract'
import { SITE_ADDRESS } from '../baseline.ts'
import type { Rows } from '../effect.ts'
import type { EffectSite } from '../effect-site.ts'

const AMOUNT = 10
const stripeOn = { 'stripe.enabled': 'true' }

const quote =
  (payment_method: api.PaymentMethod) =>
  async ({ member }: EffectSite) =>
    (await member.client.call(api.quoteTopUp, { body: { amount: AMOUNT, payment_method } })).data

async function order({ member }: EffectSite, payment_method: api.PaymentMethod = 'zfb') {
  const response = await member.client.call(api.startTopUp, { body: { amount: AMOUNT, payment_method } })
  return 'url' in response ? response : { url: undefined, data: {} as Record<string, string> }
}

const inForm = (field: string) => async (site: EffectSite) => (await order(site)).data[field]

/** The checkout URL of a Stripe order without the session ID. */
async function checkout(site: EffectSite): Promise<boolean> {
  const { url } = await order(site, 'stripe')
  return url?.startsWith(`${site.services.stripe.url}/pay/`) ?? false
}

/** The Stripe session of an order. */
async function session(site: EffectSite) {
  const { url = '' } = await order(site, 'stripe')
  return site.services.stripe.sessions.get(url.split('/').at(-1)!)
}

/** The status of the response to an irrelevant event. */
async function eventStatus({ url, services: outside }: EffectSite): Promise<number> {
  const { body, signature } = outside.stripe.sign(outside.stripe.event('ping', {}))
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
  return (await fetch(`${url}/api/payment/stripe/webhook`, { method: 'POST', headers, body })).status
}

export const paymentEffects = {
  PayAddress: {
    value: 'https://other-pay.example',
    probe: async (site) => (await order(site)).url,
    before: 'https://pay.example/submit.php',
    after: 'https://other-pay.example/submit.php',
  },
  EpayId: { value: '2002', probe: inForm('pid'), before: '1001', after: '2002' },
  EpayKey: {
    value: 'another-key',
    probe: async (site) => site.services.epay.submit((await order(site)).data),
    before: 200, // the gateway takes the signature
    after: 403,
  },
  CustomCallbackAddress: {
    value: 'https://callback.example',
    probe: inForm('notify_url'),
    before: `${SITE_ADDRESS}/api/user/epay/notify`,
    after: 'https://callback.example/api/user/epay/notify',
  },
  Price: { value: '8', probe: quote('zfb'), before: '73.00', after: '80.00' },
  MinTopUp: {
    value: '25',
    probe: async ({ member }) => (await member.client.call(api.getTopUpInfo)).min_amount,
    before: 1,
    after: 25,
  },
  TopupGroupRatio: { value: '{"default":0.5}', probe: quote('zfb'), before: '73.00', after: '36.50' },

  'stripe.enabled': {
    value: 'true',
    async probe({ member }) {
      const { methods } = await member.client.call(api.getTopUpInfo)
      return methods.some(({ id }) => id === 'stripe')
    },
    before: false,
    after: true,
  },
  'stripe.secret_key': { given: stripeOn, value: 'sk_test_wrong', probe: checkout, before: true, after: false },
  'stripe.webhook_secret': { given: stripeOn, value: 'whsec_wrong', probe: eventStatus, before: 200, after: 400 },
  'stripe.currency': {
    given: stripeOn,
    value: 'eur',
    probe: async (site) => (await session(site))?.currency,
    before: 'usd',
    after: 'eur',
  },
  'stripe.unit_price': {
    given: stripeOn,
    value: '1.5',
    probe: async (site) => (await session(site))?.amount_total,
    before: 1_000,
    after: 1_500,
  },
} satisfies Rows
