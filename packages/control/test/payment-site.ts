import { api, type ReplyOf } from '@tidegate/contract'
import { fakeEpay, fakeStripe, type ApiClient, type FakeStripeEvent } from '@tidegate/testing'
import { startTestSite, type TestSite } from './start-site.ts'

type StartedTopUp = Extract<ReplyOf<typeof api.startTopUp>, { message: 'success' }>

/** A site with both payment providers. */
export async function startPaymentSite(overrides: Parameters<typeof startTestSite>[0] = {}) {
  const [gateway, cards] = await Promise.all([fakeEpay(), fakeStripe()])
  const site = await startTestSite({ ...overrides, site: { stripeUrl: cards.url, ...overrides.site } })
  await site.initialise()
  const root = await site.signedIn('root')
  const setOptions = async (options: Record<string, string>) => {
    for (const [key, value] of Object.entries(options)) await root.call(api.updateOption, { body: { key, value } })
  }
  await setOptions({
    ServerAddress: site.url,
    PayAddress: gateway.url,
    EpayId: gateway.pid,
    EpayKey: gateway.key,
    Price: '7.3',
    'stripe.secret_key': cards.secretKey,
    'stripe.webhook_secret': cards.webhookSecret,
    'stripe.enabled': 'true',
  })
  const webhook = `${site.url}/api/payment/stripe/webhook`
  const start = async (client: ApiClient, amount: number, payment_method: string) =>
    (await client.call(api.startTopUp, { body: { amount, payment_method } })) as StartedTopUp
  const orderOf = async (tradeNo: string) => {
    const { items } = await root.call(api.listOrders, { query: { trade_no: tradeNo } })
    return root.call(api.getOrder, { path: { id: items[0]!.id } })
  }

  /** An order with an open Checkout Session. */
  async function checkout(amount = 10, payer?: ApiClient) {
    const client = payer ?? (await site.signedIn('user'))
    const { url } = await start(client, amount, 'stripe')
    const session = [...cards.sessions.values()].find((one) => one.url === url)!
    const tradeNo = session.client_reference_id
    return { client, session, tradeNo, order: () => orderOf(tradeNo) }
  }

  return {
    site,
    gateway,
    cards,
    root,
    webhook,
    setOptions,
    start,
    orderOf,
    checkout,
    /** The same for a paid and credited order. */
    async paid(amount = 10, payer?: ApiClient) {
      const order = await checkout(amount, payer)
      await cards.pay(webhook, order.session.id)
      return order
    },
    send: (event: FakeStripeEvent) => cards.deliver(webhook, event),
    quotaOf: async (client: ApiClient) => (await client.call(api.getSelf)).quota,
    entriesOf: (client: ApiClient) =>
      site.db
        .selectFrom('ledger_entry')
        .select(['kind', 'amount', 'reference'])
        .where('user_id', '=', client.userId!)
        .orderBy('id')
        .execute(),
    async close() {
      await site.close()
      await Promise.all([gateway.close(), cards.close()])
    },
  }
}

export type PaymentSite = Awaited<ReturnType<typeof startPaymentSite>>

/** Spends balance like settled requests. */
export async function spend({ db }: TestSite, client: ApiClient, quota: number): Promise<void> {
  const userId = client.userId!
  await db
    .updateTable('user')
    .set((eb) => ({ quota: eb('quota', '-', quota) }))
    .where('id', '=', userId)
    .execute()
  await db
    .insertInto('usage_rollup')
    .values({ user_id: userId, model_name: 'm', hour: new Date('2026-01-01T00:00:00Z'), quota, requests: 1 })
    .execute()
}
