import { createHash, createHmac, randomBytes } from 'node:crypto'
import { api, type ReplyOf } from '@tidegate/contract'
import { sendRequest } from './support/send-request.ts'
import type { AttackSite } from './support/attack-site.ts'
import { brief, Findings } from './support/findings.ts'

const NOTIFY = '/api/user/epay/notify'
const WEBHOOK = '/api/payment/stripe/webhook'
type StartedTopUp = Extract<ReplyOf<typeof api.startTopUp>, { message: 'success' }>

/** Forges payment callbacks and replays real ones. Each payment order is credited at most once. */
export async function forgePayments(site: AttackSite, { replays }: { replays: number }): Promise<Findings> {
  const findings = new Findings()
  await beforeSecretsAreSet(site, findings)
  const { epay, stripe } = site
  for (const [key, value] of Object.entries({
    ServerAddress: site.url,
    PayAddress: epay.url,
    EpayId: epay.pid,
    EpayKey: epay.key,
    'stripe.secret_key': stripe.secretKey,
    'stripe.webhook_secret': stripe.webhookSecret,
    'stripe.enabled': 'true',
  })) {
    await site.setOption(key, value)
  }
  await forgeEpay(site, findings, replays)
  await forgeStripe(site, findings, replays)
  return findings
}

/** With an empty secret everyone can sign, so callbacks must be rejected until a secret is set. */
async function beforeSecretsAreSet(site: AttackSite, findings: Findings): Promise<void> {
  const claim = { pid: '', out_trade_no: 'USR1NO1', money: '10.00', trade_status: 'TRADE_SUCCESS', type: 'alipay' }
  for (const key of ['', 'undefined', 'null']) {
    for (const pid of ['', '1001']) {
      const form = { ...claim, pid }
      const parameters = new URLSearchParams({ ...form, sign: signForm(form, key), sign_type: 'MD5' })
      for (const method of ['GET', 'POST']) {
        const { text } =
          method === 'GET'
            ? await sendRequest(site.url, { path: `${NOTIFY}?${parameters}` })
            : await sendRequest(site.url, { method, path: NOTIFY, headers: FORM, body: parameters.toString() })
        findings.check(text === 'fail', () => `epay without a key, signed with ${JSON.stringify(key)}: ${brief(text)}`)
      }
    }
    const event = JSON.stringify(completedEvent({ id: 'cs_1', client_reference_id: 'USR1NO1', amount_total: 1000 }))
    const response = await sendStripeEvent(site, event, signEvent(event, key))
    findings.check(
      response.status === 400,
      () => `Stripe without a secret, signed with ${JSON.stringify(key)}: ${response.status}`,
    )
  }
}

async function forgeEpay(site: AttackSite, findings: Findings, replays: number): Promise<void> {
  const { epay, user } = site
  const order = async () => {
    const { data } = (await user.client.call(api.startTopUp, {
      body: { amount: 10, payment_method: 'zfb' },
    })) as StartedTopUp
    await epay.submit(data)
    return data['out_trade_no']!
  }
  const [mine, other] = [await order(), await order()]
  const quota = await quotaOf(site)
  const right = Object.fromEntries(epay.report(mine))
  const unsigned: Record<string, Record<string, string>> = {
    'without a signature': { ...right, sign: '' },
    'with a signature of zeros': { ...right, sign: '0'.repeat(32) },
    'signed with no key': { ...right, sign: signForm(right, '') },
    'with the signature of another order': { ...right, out_trade_no: other },
    'with another amount and the old signature': { ...right, money: '0.01' },
    'with a longer order and the old signature': { ...right, out_trade_no: `${mine}1` },
    'with a field moved into another': { ...right, name: `${right.name}&pid=1001` },
  }
  for (const [what, claim] of Object.entries(unsigned)) {
    const { text } = await sendRequest(site.url, { path: `${NOTIFY}?${new URLSearchParams(claim)}` })
    findings.check(text === 'fail', () => `epay ${what}: ${brief(text)}`)
  }
  const untrue: Record<string, Record<string, string>> = {
    'of another amount': { money: '0.01' },
    'of a negative amount': { money: '-73.00' },
    'of an amount in another notation': { money: '1e3' },
    'of another merchant': { pid: '6666' },
    'of an unknown order': { out_trade_no: 'USR1NOAAAAAA1' },
  }
  for (const [what, change] of Object.entries(untrue)) {
    const { text } = await sendRequest(site.url, { path: `${NOTIFY}?${epay.report(mine, change)}` })
    findings.check(text === 'fail', () => `epay ${what}: ${brief(text)}`)
  }
  await sendRequest(site.url, { path: `${NOTIFY}?${epay.report(mine, { trade_status: 'WAIT_BUYER_PAY' })}` })
  findings.check((await quotaOf(site)) === quota, () => 'a forged report of epay was credited')

  const responses = await Promise.all(
    Array.from({ length: replays }, () => sendRequest(site.url, { path: `${NOTIFY}?${epay.report(mine)}` })),
  )
  await expectOneCredit(site, findings, { what: `epay reported ${replays} times`, before: quota })
  findings.check(
    responses.every(({ text }) => text === 'success'),
    () => 'a valid report of epay was rejected',
  )
}

async function forgeStripe(site: AttackSite, findings: Findings, replays: number): Promise<void> {
  const { stripe, user } = site
  await user.client.call(api.startTopUp, { body: { amount: 10, payment_method: 'stripe' } })
  const session = [...stripe.sessions.values()].at(-1)!
  const quota = await quotaOf(site)
  const paid = { ...session, payment_status: 'paid' }
  const genuine = completedEvent(paid)
  const event = JSON.stringify(genuine)
  const old = Math.floor(Date.now() / 1000) - 3_600
  const rejected: Record<string, [body: string, signature: string]> = {
    'without a signature': [event, ''],
    'signed with another secret': [event, signEvent(event, 'whsec_wrong')],
    'signed with no secret': [event, signEvent(event, '')],
    'signed an hour ago': [event, stripe.sign(genuine, old).signature],
    'changed after it was signed': [event.replace('"paid"', '"paid" '), stripe.sign(genuine).signature],
    'signed under another scheme': [event, stripe.sign(genuine).signature.replace('v1=', 'v0=')],
  }
  for (const [what, [body, signature]] of Object.entries(rejected)) {
    const { status } = await sendStripeEvent(site, body, signature)
    findings.check(status === 400, () => `Stripe ${what}: ${status}`)
  }
  const untrue = {
    'of another amount': { amount_total: 1 },
    'of a negative amount': { amount_total: -session.amount_total },
    'of another currency': { currency: 'jpy' },
    'of an order of another service': { metadata: { trade_no: site.epay.forms[0]!['out_trade_no'] } },
    unpaid: { payment_status: 'unpaid' },
  }
  for (const change of Object.values(untrue)) {
    const { body, signature } = stripe.sign(completedEvent({ ...paid, ...change }))
    await sendStripeEvent(site, body, signature)
  }
  findings.tried += Object.keys(untrue).length
  findings.check((await quotaOf(site)) === quota, () => 'a forged event of Stripe was credited')

  const { body, signature } = stripe.sign(completedEvent(paid))
  await Promise.all(Array.from({ length: replays }, () => sendStripeEvent(site, body, signature)))
  await expectOneCredit(site, findings, { what: `Stripe reported ${replays} times`, before: quota })
}

async function expectOneCredit(
  site: AttackSite,
  findings: Findings,
  { what, before }: { what: string; before: number },
) {
  const gained = (await quotaOf(site)) - before
  findings.check(gained === 10 * 500_000, () => `${what} credited ${gained} in place of ${10 * 500_000}`)
}

const quotaOf = async ({ user }: AttackSite) => (await user.client.call(api.getSelf)).quota

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

function sendStripeEvent(site: AttackSite, body: string, signature: string) {
  return sendRequest(site.url, { method: 'POST', path: WEBHOOK, headers: { 'stripe-signature': signature }, body })
}

function completedEvent(session: object): object {
  const object = { object: 'checkout.session', payment_status: 'paid', currency: 'usd', ...session }
  const id = `evt_${randomBytes(8).toString('hex')}`
  const created = Math.floor(Date.now() / 1000)
  return { id, object: 'event', created, type: 'checkout.session.completed', data: { object } }
}

function signEvent(body: string, secret: string): string {
  const at = Math.floor(Date.now() / 1000)
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`
}

function signForm(form: Record<string, string>, key: string): string {
  const names = Object.keys(form).filter((name) => form[name] !== '' && name !== 'sign' && name !== 'sign_type')
  const text = names
    .toSorted()
    .map((name) => `${name}=${form[name]}`)
    .join('&')
  return createHash('md5')
    .update(text + key)
    .digest('hex')
}
