import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FakeStripeSession {
  id: string
  client_reference_id: string
  amount_total: number
  currency: string
  payment_status: 'unpaid' | 'paid'
  url: string
}

export interface FakeStripe {
  url: string
  secretKey: string
  webhookSecret: string
  sessions: Map<string, FakeStripeSession>
  /** The customer pays: a signed event to the webhook. Gives its HTTP status. */
  pay(webhookUrl: string, sessionId: string, change?: Partial<FakeStripeSession>): Promise<number>
  /** An event with its signature header; `at` in unix seconds. */
  sign(event: object, at?: number): { body: string; signature: string }
  close(): Promise<void>
}

/** The two calls of Stripe's API that a checkout takes, and the events that follow. */
export async function fakeStripe(): Promise<FakeStripe> {
  const secretKey = `sk_test_${randomBytes(8).toString('hex')}`
  const webhookSecret = `whsec_${randomBytes(8).toString('hex')}`
  const sessions = new Map<string, FakeStripeSession>()
  const byIdempotencyKey = new Map<string, string>()

  const server = createServer((request, response) => {
    void (async () => {
      const answer = (status: number, body: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      if (request.headers.authorization !== `Bearer ${secretKey}`) {
        return answer(401, { error: { type: 'invalid_request_error', message: 'Invalid API Key' } })
      }
      const { pathname } = new URL(request.url ?? '/', 'http://stripe')
      if (pathname === '/v1/checkout/sessions' && request.method === 'POST') {
        const once = String(request.headers['idempotency-key'])
        const known = sessions.get(byIdempotencyKey.get(once) ?? '')
        const session = known ?? newSession(new URLSearchParams(Buffer.concat(parts).toString()), url)
        sessions.set(session.id, session)
        byIdempotencyKey.set(once, session.id)
        return answer(200, { object: 'checkout.session', ...session })
      }
      const session = sessions.get(pathname.split('/').at(-1) ?? '')
      if (session && request.method === 'GET') return answer(200, { object: 'checkout.session', ...session })
      return answer(404, { error: { type: 'invalid_request_error', message: 'No such session' } })
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  function sign(event: object, at = Math.floor(Date.now() / 1000)) {
    const body = JSON.stringify(event)
    const mac = createHmac('sha256', webhookSecret).update(`${at}.${body}`).digest('hex')
    return { body, signature: `t=${at},v1=${mac}` }
  }

  return {
    url,
    secretKey,
    webhookSecret,
    sessions,
    sign,
    async pay(webhookUrl, sessionId, change = {}) {
      const session = { ...sessions.get(sessionId)!, payment_status: 'paid' as const, ...change }
      sessions.set(sessionId, session)
      const object = { object: 'checkout.session', ...session }
      const { body, signature } = sign({
        id: 'evt_1',
        object: 'event',
        type: 'checkout.session.completed',
        data: { object },
      })
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
      return (await fetch(webhookUrl, { method: 'POST', headers, body })).status
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

function newSession(form: URLSearchParams, url: string): FakeStripeSession {
  const id = `cs_test_${randomBytes(8).toString('hex')}`
  return {
    id,
    client_reference_id: form.get('client_reference_id') ?? '',
    amount_total: Number(form.get('line_items[0][price_data][unit_amount]')),
    currency: form.get('line_items[0][price_data][currency]') ?? '',
    payment_status: 'unpaid',
    url: `${url}/pay/${id}`,
  }
}
