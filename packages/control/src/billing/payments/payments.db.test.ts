import { api, type ReplyOf } from '@tidegate/contract'
import { findImbalances } from '@tidegate/ledger'
import { fakeEpay, fakeStripe, type ApiClient, type FakeEpay, type FakeStripe } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../../../test/start-site.ts'

let site: TestSite
let gateway: FakeEpay
let cards: FakeStripe
let root: ApiClient
beforeAll(async () => {
  gateway = await fakeEpay()
  cards = await fakeStripe()
  site = await startTestSite({ site: { stripeUrl: cards.url } })
  await site.initialise()
  root = await site.signedIn('root')
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
})
afterAll(async () => {
  expect(await findImbalances(site.db)).toEqual([])
  await site.close()
  await Promise.all([gateway.close(), cards.close()])
})

async function setOptions(options: Record<string, string>): Promise<void> {
  for (const [key, value] of Object.entries(options)) await root.call(api.updateOption, { body: { key, value } })
}

type StartedTopUp = Extract<ReplyOf<typeof api.startTopUp>, { message: 'success' }>
const start = async (client: ApiClient, amount: number, payment_method = 'zfb') =>
  (await client.call(api.startTopUp, { body: { amount, payment_method } })) as StartedTopUp

/** A pending order at the gateway. */
async function createOrder(amount = 10): Promise<{ client: ApiClient; tradeNo: string }> {
  const client = await site.signedIn('user')
  const { data } = await start(client, amount)
  expect(await gateway.submit(data)).toBe(200)
  return { client, tradeNo: data['out_trade_no']! }
}

const quotaOf = async (client: ApiClient) => (await client.call(api.getSelf)).quota
const notify = async (parameters: URLSearchParams) =>
  (await fetch(`${site.url}/api/user/epay/notify?${parameters}`)).text()
const orderOf = async (tradeNo: string) => {
  const { items } = await root.call(api.listOrders, { query: { trade_no: tradeNo } })
  return root.call(api.getOrder, { path: { id: items[0]!.id } })
}

describe('a quote', () => {
  it('returns a text, or an error text in its place', async () => {
    const client = await site.signedIn('user')
    const quote = (amount: unknown, payment_method?: string) =>
      client.call(api.quoteTopUp, { body: { amount, ...(payment_method && { payment_method }) } })

    expect(await quote(10)).toEqual({ message: 'success', data: '73.00' })
    expect(await quote(10, 'stripe')).toEqual({ message: 'success', data: '10.00' })
    expect(await quote(0)).toEqual({ message: 'error', data: '充值数量必须是正整数' })
    expect(await quote(10, 'barter')).toMatchObject({ message: 'error' })
  })

  it('is available for enabled methods', async () => {
    const info = await (await site.signedIn('user')).call(api.getTopUpInfo)

    expect(info).toEqual({
      methods: [
        { id: 'zfb', price: 7.3, currency: 'CNY' },
        { id: 'wx', price: 7.3, currency: 'CNY' },
        { id: 'stripe', price: 1, currency: 'USD' },
      ],
      min_amount: 1,
      top_up_link: '',
    })
  })
})

describe('an order at the epay gateway', () => {
  it('is a form for the gateway with the address of this site', async () => {
    const client = await site.signedIn('user')

    const { url, method, data } = await start(client, 10, 'wx')

    expect({ url, method }).toEqual({ url: `${gateway.url}/submit.php`, method: 'POST' })
    expect(data).toMatchObject({
      type: 'wxpay',
      money: '73.00',
      notify_url: `${site.url}/api/user/epay/notify`,
      return_url: `${site.url}/app/wallet/topup-success`,
    })
    expect(data['out_trade_no']).toMatch(new RegExp(`^USR${client.userId}NO[A-Z2-9]{6}\\d{10}$`))
    expect(JSON.stringify(data)).not.toContain(gateway.key)
    expect(await gateway.submit(data)).toBe(200)
  })

  it.each(['GET', 'POST'] as const)('is credited by a callback with %s, which gets success', async (method) => {
    const { client, tradeNo } = await createOrder()

    expect(await gateway.pay(tradeNo, { method })).toEqual(['success'])

    expect(await quotaOf(client)).toBe(5_000_000)
    expect(await orderOf(tradeNo)).toMatchObject({
      status: 'success',
      events: [{ outcome: 'credited', kind: 'callback' }],
    })
    expect((await client.call(api.listOwnOrders)).items).toMatchObject([{ trade_no: tradeNo, quota: 5_000_000 }])
  })

  it('is credited once for 100 concurrent callbacks, which all succeed', async () => {
    const { client, tradeNo } = await createOrder()
    const report = gateway.report(tradeNo)

    const responses = await Promise.all(Array.from({ length: 100 }, () => notify(report)))

    expect(new Set(responses)).toEqual(new Set(['success']))
    expect(await quotaOf(client)).toBe(5_000_000)
    const outcomes = (await orderOf(tradeNo)).events.map(({ outcome }) => outcome)
    expect(outcomes.filter((outcome) => outcome === 'credited')).toHaveLength(1)
  })

  it('has the value of the time it was placed', async () => {
    const { client, tradeNo } = await createOrder(1)
    await setOptions({ QuotaPerUnit: '1' })
    await gateway.pay(tradeNo)
    await setOptions({ QuotaPerUnit: '500000' })

    expect(await quotaOf(client)).toBe(500_000)
  })

  it('is credited after its expiry', async () => {
    const { client, tradeNo } = await createOrder()
    await site.db.updateTable('top_up').set({ status: 'expired' }).where('trade_no', '=', tradeNo).execute()

    expect(await gateway.pay(tradeNo)).toEqual(['success'])
    expect(await quotaOf(client)).toBe(5_000_000)
  })

  it('stays pending while the gateway reports it unpaid', async () => {
    const { client, tradeNo } = await createOrder()

    expect(await notify(gateway.report(tradeNo, { trade_status: 'TRADE_CLOSED' }))).toBe('success')
    expect(await quotaOf(client)).toBe(0)
    expect(await orderOf(tradeNo)).toMatchObject({ status: 'pending', events: [{ outcome: 'unpaid' }] })
  })

  it.each([
    ['less money', { money: '0.01' }, 'wrong_money'],
    ['no money', { money: '' }, 'wrong_money'],
    ['money that is no number', { money: '73,00' }, 'wrong_money'],
  ])('is not credited for %s, although signed', async (_, change, outcome) => {
    const { client, tradeNo } = await createOrder()

    expect(await notify(gateway.report(tradeNo, change))).toBe('fail')
    expect(await quotaOf(client)).toBe(0)
    expect(await orderOf(tradeNo)).toMatchObject({ status: 'pending', events: [{ outcome }] })
  })

  it.each<[string, (report: URLSearchParams) => void]>([
    ['another signature', (report) => report.set('sign', '0'.repeat(32))],
    ['no signature', (report) => report.delete('sign')],
    ['another amount under the old signature', (report) => report.set('money', '1.00')],
    ['another order under the old signature', (report) => report.set('out_trade_no', 'USR1NO1')],
    ['a parameter more', (report) => report.set('buyer', 'x')],
  ])('is not credited with %s', async (_, tamper) => {
    const { client, tradeNo } = await createOrder()
    const report = gateway.report(tradeNo)
    tamper(report)

    expect(await notify(report)).toBe('fail')
    expect(await quotaOf(client)).toBe(0)
  })

  it('is not credited for another merchant, although signed with our key', async () => {
    const { client, tradeNo } = await createOrder()

    expect(await notify(gateway.report(tradeNo, { pid: '1002' }))).toBe('fail')
    expect(await quotaOf(client)).toBe(0)
  })

  it('rejects all callbacks while no key is set', async () => {
    const { client, tradeNo } = await createOrder()
    const { createHash } = await import('node:crypto')
    const parameters = { money: '73.00', out_trade_no: tradeNo, pid: gateway.pid, trade_status: 'TRADE_SUCCESS' }
    const text = Object.entries(parameters)
      .map(([name, value]) => `${name}=${value}`)
      .join('&')
    const sign = createHash('md5').update(text).digest('hex')
    await setOptions({ EpayKey: '' })

    const result = await notify(new URLSearchParams({ ...parameters, sign }))
    await setOptions({ EpayKey: gateway.key })

    expect(result).toBe('fail')
    expect(await quotaOf(client)).toBe(0)
  })

  it('can be rechecked by an administrator', async () => {
    const { client, tradeNo } = await createOrder()
    const { id } = await orderOf(tradeNo)
    const recheck = () => root.call(api.recheckOrder, { path: { id } })

    expect(await recheck()).toMatchObject({ status: 'pending', events: [{ kind: 'recheck', outcome: 'unpaid' }] })
    await site.db.updateTable('top_up').set({ status: 'expired' }).where('id', '=', id).execute()
    await gateway.pay(tradeNo, { times: 0 }) // paid, but the callback is lost
    expect(await recheck()).toMatchObject({ status: 'success', events: [{}, { kind: 'recheck', outcome: 'credited' }] })
    expect(await quotaOf(client)).toBe(5_000_000)
    const audit = await site.db.selectFrom('audit_event').selectAll().where('subject', '=', tradeNo).execute()
    expect(audit).toMatchObject([{ action: 'top_up.complete', actor_id: root.userId }])
  })

  it('exposes no signature or key', async () => {
    const { tradeNo } = await createOrder()
    await gateway.pay(tradeNo)
    const events = await site.db.selectFrom('payment_event').selectAll().execute()

    expect(JSON.stringify(events)).not.toMatch(new RegExp(`${gateway.key}|"sign"|${cards.webhookSecret}`))
  })
})

describe('an order at Stripe', () => {
  const webhook = () => `${site.url}/api/payment/stripe/webhook`

  async function checkout(amount = 10) {
    const client = await site.signedIn('user')
    const { url, method } = await start(client, amount, 'stripe')
    expect(method).toBe('GET')
    const session = [...cards.sessions.values()].find((one) => one.url === url)!
    return { client, session }
  }

  it('is a checkout session for the amount, credited when paid', async () => {
    const { client, session } = await checkout()
    expect(session).toMatchObject({ amount_total: 1000, currency: 'usd' })

    expect(await cards.pay(webhook(), session.id)).toBe(200)
    expect(await cards.pay(webhook(), session.id)).toBe(200)

    expect(await quotaOf(client)).toBe(5_000_000)
    expect(await orderOf(session.client_reference_id)).toMatchObject({
      provider: 'stripe',
      currency: 'USD',
      provider_reference: session.id,
      status: 'success',
    })
  })

  it('supports currencies without decimals', async () => {
    await setOptions({ 'stripe.currency': 'jpy', 'stripe.unit_price': '150.55' })
    const { client, session } = await checkout(1)
    expect(session).toMatchObject({ amount_total: 151, currency: 'jpy' })

    await cards.pay(webhook(), session.id)
    await setOptions({ 'stripe.currency': 'usd', 'stripe.unit_price': '1' })

    expect(await quotaOf(client)).toBe(500_000)
  })

  it.each([
    ['another sum', { amount_total: 1 }],
    ['another currency', { currency: 'jpy' }],
    ['a session that is not paid', { payment_status: 'unpaid' as const }],
  ])('is not credited for %s', async (_, change) => {
    const { client, session } = await checkout()

    await cards.pay(webhook(), session.id, change)

    expect(await quotaOf(client)).toBe(0)
  })

  it('rejects forged, old and unsigned events', async () => {
    const { client, session } = await checkout()
    const object = { ...session, object: 'checkout.session', payment_status: 'paid' }
    const event = cards.event('checkout.session.completed', object)
    const send = async (body: string, signature?: string) =>
      (await fetch(webhook(), { method: 'POST', body, headers: signature ? { 'stripe-signature': signature } : {} }))
        .status
    const good = cards.sign(event)
    const old = cards.sign(event, Math.floor(Date.now() / 1000) - 3600)

    expect(await send(good.body.replace('1000', '9000'), good.signature)).toBe(400)
    expect(await send(old.body, old.signature)).toBe(400)
    expect(await send(good.body)).toBe(400)
    expect(await quotaOf(client)).toBe(0)
    expect(await send(good.body, good.signature)).toBe(200)
    expect(await quotaOf(client)).toBe(5_000_000)
  })

  it('acknowledges other events', async () => {
    const { body, signature } = cards.sign(cards.event('customer.created', {}))
    const response = await fetch(webhook(), { method: 'POST', body, headers: { 'stripe-signature': signature } })

    expect(response.status).toBe(200)
  })

  it('can be rechecked without an event', async () => {
    const { client, session } = await checkout()
    cards.sessions.set(session.id, { ...session, payment_status: 'paid' })
    const { id } = await orderOf(session.client_reference_id)

    expect(await root.call(api.recheckOrder, { path: { id } })).toMatchObject({ status: 'success' })
    expect(await quotaOf(client)).toBe(5_000_000)
  })
})

it('records only some forged callbacks', async () => {
  const before = await countForgeries()
  await Promise.all(Array.from({ length: 60 }, (_, n) => notify(new URLSearchParams({ pid: String(n), sign: 'x' }))))

  expect((await countForgeries()) - before).toBeLessThanOrEqual(30)
})

async function countForgeries(): Promise<number> {
  const rows = await site.db.selectFrom('payment_event').select('id').where('outcome', '=', 'wrong_signature').execute()
  return rows.length
}

it('rejects disabled payments', async () => {
  await setOptions({ PayAddress: '', 'stripe.enabled': 'false' })
  const client = await site.signedIn('user')

  expect(await client.call(api.getTopUpInfo)).toMatchObject({ methods: [] })
  expect(await client.call(api.startTopUp, { body: { amount: 1, payment_method: 'zfb' } })).toEqual({
    message: 'error',
    data: '当前管理员未开启该支付方式',
  })
})
