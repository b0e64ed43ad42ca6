import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  handleStripeCall,
  chargeOf,
  type FakeStripeDispute,
  type FakeStripeSession,
  newState,
  type StripeState,
} from './stripe-api.ts'

export type { FakeStripeDispute, FakeStripeSession } from './stripe-api.ts'

/** A webhook event of Stripe. */
export interface FakeStripeEvent {
  id: string
  object: 'event'
  type: string
  created: number
  livemode: false
  data: { object: object }
}

export interface FakeStripe extends Pick<StripeState, 'sessions' | 'clock'> {
  url: string
  secretKey: string
  webhookSecret: string
  /** API calls so far, as `METHOD /path`. */
  calls: string[]
  /** Resource that a restricted key may not read; undefined for a full key. */
  forbids?: ((url: URL) => boolean) | undefined
  /** Pays and delivers the event. Returns the last HTTP status. */
  pay(webhookUrl: string, sessionId: string, change?: Partial<FakeStripeSession>): Promise<number>
  /** Pays without delivering the event. */
  complete(sessionId: string, change?: Partial<FakeStripeSession>, type?: string): FakeStripeEvent
  /** Refunds an amount in minor units; the rest of the payment by default. */
  refund(sessionId: string, amount?: number): FakeStripeEvent
  dispute(sessionId: string, change?: Partial<FakeStripeDispute>): FakeStripeEvent
  closeDispute(sessionId: string, status: 'won' | 'lost' | 'warning_closed'): FakeStripeEvent
  event(type: string, object: object): FakeStripeEvent
  /** Sends an event with a fresh signature until the endpoint returns 2xx. Returns every HTTP status. */
  deliver(webhookUrl: string, event: FakeStripeEvent, options?: { times?: number }): Promise<number[]>
  /** An event with its signature header; `at` in unix seconds. */
  sign(event: object, at?: number): { body: string; signature: string }
  close(): Promise<void>
}

/** The parts of Stripe that Checkout uses: sessions, payments, refunds, disputes and signed webhook events. */
export async function fakeStripe(): Promise<FakeStripe> {
  const secretKey = `sk_test_${randomBytes(8).toString('hex')}`
  const webhookSecret = `whsec_${randomBytes(8).toString('hex')}`
  const state = newState()
  const calls: string[] = []
  const server = createServer((request, response) => {
    void (async () => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      const call = {
        method: request.method ?? '',
        url: new URL(request.url ?? '/', 'http://stripe'),
        form: new URLSearchParams(Buffer.concat(parts).toString()),
        idempotencyKey: String(request.headers['idempotency-key'] ?? ''),
      }
      calls.push(`${call.method} ${call.url.pathname}`)
      const isAuthorized = request.headers.authorization === `Bearer ${secretKey}`
      const error = (message: string) => ({ error: { type: 'invalid_request_error', message } })
      const [status, body] = !isAuthorized
        ? [401, error('Invalid API Key')]
        : stripe.forbids?.(call.url)
          ? [403, error('The provided key does not have the required permissions for this endpoint.')]
          : handleStripeCall(state, call, url)
      response.writeHead(status, {
        'content-type': 'application/json',
        date: new Date(state.clock() * 1000).toUTCString(),
      })
      response.end(JSON.stringify(body))
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

  /** Objects are copied: an event describes one moment. */
  function event(type: string, object: object): FakeStripeEvent {
    const id = `evt_${randomBytes(8).toString('hex')}`
    return {
      id,
      object: 'event',
      type,
      created: state.clock(),
      livemode: false,
      data: { object: structuredClone(object) },
    }
  }

  function complete(
    sessionId: string,
    change: Partial<FakeStripeSession> = {},
    type = 'checkout.session.completed',
  ): FakeStripeEvent {
    const session = state.sessions.get(sessionId)
    if (!session) throw new Error(`there is no session ${sessionId}`)
    const paid = {
      ...session,
      payment_status: 'paid' as const,
      status: 'complete' as const,
      payment_intent: session.payment_intent ?? `pi_${randomBytes(8).toString('hex')}`,
      ...change,
    }
    state.sessions.set(sessionId, paid)
    chargeOf(state, paid)
    return event(type, paid)
  }

  async function deliver(webhookUrl: string, sent: FakeStripeEvent, { times = 3 } = {}): Promise<number[]> {
    const statuses: number[] = []
    while (statuses.length < times && !(statuses.at(-1)! < 300)) {
      const { body, signature } = sign(sent)
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
      statuses.push((await fetch(webhookUrl, { method: 'POST', body, headers })).status)
    }
    return statuses
  }

  const paidCharge = (sessionId: string) => chargeOf(state, state.sessions.get(sessionId)!)
  const stripe: FakeStripe = {
    url,
    secretKey,
    webhookSecret,
    sessions: state.sessions,
    get clock() {
      return state.clock
    },
    set clock(clock) {
      state.clock = clock
    },
    calls,
    sign,
    event,
    complete,
    deliver,
    pay: async (webhookUrl, sessionId, change) => (await deliver(webhookUrl, complete(sessionId, change))).at(-1)!,
    refund(sessionId, amount) {
      const charge = paidCharge(sessionId)
      const rest = charge.amount - charge.amount_refunded
      const returned = amount ?? rest
      if (returned <= 0 || returned > rest) throw new Error('a refund cannot exceed the rest of the charge')
      charge.amount_refunded += returned
      charge.refunded = charge.amount_refunded === charge.amount
      return event('charge.refunded', charge)
    },
    dispute(sessionId, change = {}) {
      const { id: charge, payment_intent, amount, currency } = paidCharge(sessionId)
      const id = `dp_${randomBytes(8).toString('hex')}`
      const dispute: FakeStripeDispute = {
        id,
        object: 'dispute',
        charge,
        payment_intent,
        amount,
        currency,
        reason: 'fraudulent',
        status: 'needs_response',
        metadata: {},
        ...change,
      }
      state.disputes.set(id, dispute)
      return event('charge.dispute.created', dispute)
    },
    closeDispute(sessionId, status) {
      const { id: charge } = paidCharge(sessionId)
      const dispute = [...state.disputes.values()].findLast((one) => one.charge === charge)
      if (!dispute) throw new Error('there is no dispute')
      dispute.status = status
      return event('charge.dispute.closed', dispute)
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
  return stripe
}
