import { api, STRIPE_CURRENCIES } from '@tidegate/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPaymentSite, type PaymentSite } from '../../../test/payment-site.ts'

const CLOCK_AHEAD_MS = 10 * 60_000

let pay: PaymentSite
/** Shift ahead of Stripe's clock. */
let skew = 0
beforeAll(async () => {
  pay = await startPaymentSite({ now: () => new Date(Date.now() + skew) })
})
afterAll(() => pay.close())

describe('Stripe amounts', () => {
  it.each([
    ['huf', '360', 360_000, '3600.00'],
    ['idr', '160000', 160_000_000, '1600000.00'],
    ['twd', '32.5', 32_500, '325.00'],
    ['isk', '140.04', 140_000, '1400.00'],
    ['ugx', '3700', 3_700_000, '37000.00'],
    ['jpy', '150.55', 1506, '1506.00'],
    ['vnd', '25000', 250_000, '250000.00'],
    ['kwd', '0.3075', 3080, '3.08'],
  ])('use the minor units of %s for ten dollars', async (currency, price, amount, money) => {
    await pay.setOptions({ 'stripe.currency': currency, 'stripe.unit_price': price })
    const { client, session, order } = await pay.checkout(10)
    expect(session).toMatchObject({ amount_total: amount, currency })

    await pay.cards.pay(pay.webhook, session.id)
    await pay.setOptions({ 'stripe.currency': 'usd', 'stripe.unit_price': '1' })

    expect(await order()).toMatchObject({ status: 'success', money })
    expect(await pay.quotaOf(client)).toBe(5_000_000)
  })

  it('reject a session charged in the old unit', async () => {
    await pay.setOptions({ 'stripe.currency': 'huf', 'stripe.unit_price': '360' })
    const { client, session, order } = await pay.checkout(10)
    await pay.setOptions({ 'stripe.currency': 'usd', 'stripe.unit_price': '1' })

    expect(await pay.cards.pay(pay.webhook, session.id, { amount_total: 3600 })).toBe(200)

    expect(await pay.quotaOf(client)).toBe(0)
    expect((await order()).events).toMatchObject([{ outcome: 'wrong_money' }])
  })

  it('support all listed currencies and no others', async () => {
    expect(STRIPE_CURRENCIES.size).toBeGreaterThan(130)
    const save = (value: string) => pay.root.send(api.updateOption, { body: { key: 'stripe.currency', value } })

    expect((await save('zzz')).envelope.success).toBe(false)
    expect((await save('usd')).envelope.success).toBe(true)
  })

  it('report an amount below the minimum of Stripe and end the order', async () => {
    await pay.setOptions({ 'stripe.unit_price': '0.1' })
    const client = await pay.site.signedIn('user')
    const response = await client.call(api.startTopUp, { body: { amount: 1, payment_method: 'stripe' } })
    await pay.setOptions({ 'stripe.unit_price': '1' })

    expect(response).toEqual({ message: 'error', data: '充值金额过低' })
    expect((await client.call(api.listOwnOrders)).items).toMatchObject([{ status: 'failed' }])
  })
})

describe('different clocks', () => {
  it('open a session when the clock of this site is ahead', async () => {
    skew = CLOCK_AHEAD_MS
    const { session, order } = await pay.checkout()
    skew = 0

    expect((await order()).expires_at).toBe(session.expires_at + 3600)
  })
})

describe('foreign events of the same Stripe account', () => {
  const foreign = (changes: object) =>
    pay.cards.event('checkout.session.completed', {
      id: 'cs_foreign',
      object: 'checkout.session',
      client_reference_id: 'basket-77',
      metadata: { basket: '77' },
      amount_total: 1000,
      currency: 'usd',
      payment_status: 'paid',
      payment_intent: 'pi_foreign',
      ...changes,
    })
  const storedEvents = (id: string) =>
    pay.site.db.selectFrom('payment_event').selectAll().where('event_id', '=', id).execute()

  it('are acknowledged and stored once', async () => {
    const event = foreign({})

    expect(await pay.send(event)).toEqual([200])
    expect(await pay.send(event)).toEqual([200])

    expect(await storedEvents(event.id)).toMatchObject([
      { outcome: 'ignored', type: 'checkout.session.completed', top_up_id: null, deliveries: 2 },
    ])
  })

  it.each([
    ['a payment link with our order number as its reference', {}],
    ['another session with our metadata', { metadata: true }],
  ])('credit nothing for %s', async (_, { metadata = false }: { metadata?: boolean }) => {
    const { client, tradeNo } = await pay.checkout()
    const event = foreign({ client_reference_id: tradeNo, metadata: metadata ? { trade_no: tradeNo } : {} })

    expect(await pay.send(event)).toEqual([200])

    expect(await pay.quotaOf(client)).toBe(0)
    expect(await storedEvents(event.id)).toMatchObject([{ outcome: 'ignored', top_up_id: null }])
  })

  it.each(['customer.created', 'charge.refunded', 'charge.dispute.created'])(
    'are stored if of type %s',
    async (type) => {
      const object = { id: 'x_1', payment_intent: 'pi_elsewhere', metadata: {}, amount: 5, amount_refunded: 5 }
      const event = pay.cards.event(type, {
        ...object,
        currency: 'usd',
        status: 'lost',
        reason: 'fraudulent',
        charge: 'ch_1',
      })

      expect(await pay.send(event)).toEqual([200])
      expect(await storedEvents(event.id)).toMatchObject([{ outcome: 'ignored', type, top_up_id: null }])
    },
  )

  it('are repeated by Stripe while the payment cannot be looked up', async () => {
    const event = pay.cards.event('charge.dispute.created', {
      id: 'dp_1',
      payment_intent: 'pi_unknown',
      amount: 5,
      currency: 'usd',
      status: 'lost',
    })
    await pay.setOptions({ 'stripe.secret_key': 'sk_test_wrong' })
    const statuses = await pay.send(event)
    await pay.setOptions({ 'stripe.secret_key': pay.cards.secretKey })

    expect(statuses).toEqual([500, 500, 500])
    expect(await storedEvents(event.id)).toEqual([])
  })
})

describe('an event', () => {
  it('is stored without secrets and personal data', async () => {
    const { session } = await pay.paid()
    const rows = await pay.site.db.selectFrom('payment_event').selectAll().execute()

    expect(JSON.stringify(rows)).toContain(session.id)
    expect(JSON.stringify(rows)).not.toMatch(/secret_of_the_payer|payer@example\.com|whsec_|sk_test_/)
  })

  it('is applied while Stripe is disabled, and the order can be rechecked', async () => {
    const [first, second] = [await pay.checkout(), await pay.checkout()]
    await pay.setOptions({ 'stripe.enabled': 'false' })

    expect(await pay.cards.pay(pay.webhook, first.session.id)).toBe(200)
    pay.cards.complete(second.session.id)
    const checked = await pay.root.call(api.recheckOrder, { path: { id: (await second.order()).id } })
    await pay.setOptions({ 'stripe.enabled': 'true' })

    expect(await pay.quotaOf(first.client)).toBe(5_000_000)
    expect(checked).toMatchObject({ status: 'success' })
  })

  it('ends the order when its session expires; a later payment is credited', async () => {
    const { client, session, order } = await pay.checkout()
    await pay.send(pay.cards.event('checkout.session.expired', { ...session, status: 'expired' }))
    expect(await order()).toMatchObject({ status: 'expired' })

    await pay.cards.pay(pay.webhook, session.id)

    expect(await pay.quotaOf(client)).toBe(5_000_000)
    expect(await order()).toMatchObject({ status: 'success' })
  })

  it('keeps the order open when a card is declined', async () => {
    const { tradeNo, order } = await pay.checkout()
    const intent = { id: 'pi_declined', object: 'payment_intent', metadata: { trade_no: tradeNo } }
    await pay.send(pay.cards.event('payment_intent.payment_failed', intent))

    expect(await order()).toMatchObject({ status: 'pending', events: [{ outcome: 'unpaid' }] })
  })
})

describe('an epay callback', () => {
  it('is acknowledged and stored for another shop, and not acknowledged for a missing order of ours', async () => {
    const client = await pay.site.signedIn('user')
    const { data } = await pay.start(client, 10, 'zfb')
    await pay.gateway.submit(data)
    const notify = async (out_trade_no: string) => {
      const query = pay.gateway.report(data['out_trade_no']!, { out_trade_no })
      return (await fetch(`${pay.site.url}/api/user/epay/notify?${query}`)).text()
    }

    expect(await notify('SHOP-1')).toBe('success')
    expect(await notify('USR1NOABCDEF1700000000')).toBe('fail')
    const rows = await pay.site.db
      .selectFrom('payment_event')
      .select('outcome')
      .where('provider', '=', 'epay')
      .execute()
    expect(rows).toEqual([{ outcome: 'ignored' }, { outcome: 'unknown_order' }])
  })
})

describe('a restricted Stripe key', () => {
  const isAboutCharges = ({ pathname, searchParams }: URL) =>
    pathname.startsWith('/v1/disputes') || searchParams.getAll('expand[0]').length > 0

  it('credits nothing at a recheck without access to charges', async () => {
    const { client, session, order } = await pay.checkout(10)
    pay.cards.complete(session.id)
    pay.cards.refund(session.id)
    pay.cards.forbids = isAboutCharges
    const { envelope } = await pay.root.send(api.recheckOrder, { path: { id: (await order()).id } })
    pay.cards.forbids = undefined

    expect(envelope).toMatchObject({ success: false, code: 'payment_unreachable' })
    expect(await pay.quotaOf(client)).toBe(0)
  })
})
